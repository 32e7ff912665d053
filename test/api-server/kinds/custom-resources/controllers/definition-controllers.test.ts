import type { JsonObject } from '../../../../../src/api-server/contract/index.js';
import { SPEC, version, widget, widgetSchema, widgets } from '../definitions.js';
import { DEFINITIONS, Server } from '../server.js';

const ONE = 'example.com/v1/widgets/default/one';
const ACCEPTED = 'NamesAccepted True NoConflicts: no conflicts found';
const ESTABLISHED = 'Established True InitialNamesAccepted: the initial names have been accepted';

function other(names: object, group = 'example.com'): object {
  const plural = 'gadgets';
  const manifest = widgets({ names: { kind: 'Gadget', plural, ...names } }, { name: `${plural}.${group}` });
  return manifest;
}

describe('a definition that comes', () => {
  test('is established step by step, and served', async () => {
    const server = new Server();
    await server.define(widgets());
    expect(await server.conditions()).toEqual([ACCEPTED, ESTABLISHED]);
    expect(await server.request('create', 'example.com/v1/widgets/default', widget({ size: 1 }))).toMatchObject({
      spec: { mode: 'fast', size: 1 },
      metadata: { generation: 1, name: 'one' },
    });
  });

  test('writes its status as manager kube-apiserver', async () => {
    const server = new Server();
    await server.define(widgets());
    const { metadata, status } = (await server.definition('widgets.example.com')) as Record<string, JsonObject>;
    const managers = metadata?.['managedFields'] as readonly JsonObject[];
    expect(managers.map(({ manager, subresource }) => [manager, subresource])).toEqual([
      ['kube-apiserver', 'status'],
      ['unknown', undefined],
    ]);
    expect(status?.['acceptedNames']).toEqual({ plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' });
    expect(JSON.stringify(status)).toMatch(/^\{"conditions":\[.*\],"acceptedNames":\{.*\},"storedVersions":\["v1"\]\}$/);
  });

  test.each([
    ['SingularConflict: "widget" is already in use', { singular: 'widget' }],
    ['ShortNamesConflict: ["widget" is already in use, "wd" is already in use]', { shortNames: ['widget', 'wd', 'gd'] }],
    ['ShortNamesConflict: "wd" is already in use', { shortNames: ['wd'] }],
    ['KindConflict: "Widget" is already in use', { kind: 'Widget', listKind: 'GadgetList' }],
    ['ListKindConflict: "WidgetList" is already in use', { listKind: 'WidgetList' }],
  ])('is not served with a name that is taken: %s', async (reason, names) => {
    const server = new Server();
    await server.define(widgets({ names: { kind: 'Widget', plural: 'widgets', shortNames: ['wd'] } }));
    await server.define(other({ singular: 'gadget', ...names }));
    expect(await server.conditions('gadgets.example.com')).toEqual([
      `NamesAccepted False ${reason}`,
      'Established False NotAccepted: not all names are accepted',
    ]);
    expect(server.catalog.find('example.com', 'gadgets')).toBeUndefined();
  });

  test('gets a name when the other definition goes', async () => {
    const server = new Server();
    await server.define(widgets());
    await server.define(other({ kind: 'Widget', listKind: 'GadgetList', singular: 'gadget' }));
    await server.request('delete', `${DEFINITIONS}//widgets.example.com`);
    await server.controllers.settled();
    expect(await server.conditions('gadgets.example.com')).toEqual([ACCEPTED, ESTABLISHED]);
  });

  test('of a group of the Kubernetes project is judged by its annotation', async () => {
    const server = new Server();
    const metadata = { name: 'widgets.a.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' } };
    await server.define(widgets({ group: 'a.k8s.io' }, metadata));
    expect(await server.conditions('widgets.a.k8s.io')).toEqual([
      ACCEPTED,
      ESTABLISHED,
      'KubernetesAPIApprovalPolicyConformant False UnapprovedAnnotation: not approved: "unapproved, for a test"',
    ]);
  });

  test('with a bundle that holds no certificate is not established', async () => {
    const server = new Server();
    const clientConfig = { url: 'https://localhost', caBundle: Buffer.from('nonsense').toString('base64') };
    const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
    await server.define(widgets({ conversion }));
    expect(await server.conditions()).toEqual([ACCEPTED, 'Established False InvalidCABundle: The conversion webhook CABundle is invalid']);
  });

  test('never hides a built-in resource', async () => {
    const server = new Server();
    const metadata = { name: 'deployments.apps.example.com' };
    const names = { kind: 'Deployment', plural: 'deployments' };
    await server.define(widgets({ group: 'apps.example.com', names }, metadata));
    expect(server.catalog.find('apps', 'deployments')?.isCustom).toBe(false);
    expect(server.catalog.find('apps.example.com', 'deployments')?.isCustom).toBe(true);
  });
});

describe('a definition that changes', () => {
  test('counts for the next request, and for objects that are there', async () => {
    const server = new Server();
    await server.define(widgets());
    await server.request('create', 'example.com/v1/widgets/default', widget({ size: 3, mode: 'a' }));
    const definition = await server.definition('widgets.example.com');
    const schema = widgetSchema({
      type: 'object',
      properties: { size: { type: 'integer', maximum: 2 }, extra: { type: 'string', default: 'new' } },
    });
    const spec = { ...(definition['spec'] as JsonObject), versions: [version({ schema })] };
    await server.request('update', `${DEFINITIONS}//widgets.example.com`, { ...definition, spec });
    expect((await server.request('get', ONE))['spec']).toEqual({ extra: 'new', size: 3 });
    const refused = await server.request('create', 'example.com/v1/widgets/default', { ...widget({ size: 3 }), metadata: { name: 'two' } });
    expect(refused['message']).toBe(
      'Widget.example.com "two" is invalid: spec.size: Invalid value: 3: spec.size in body should be less than or equal to 2',
    );
  });

  test('remembers each version of storage', async () => {
    const server = new Server();
    await server.define(widgets());
    const definition = await server.definition('widgets.example.com');
    const versions = [version({ storage: false }), version({ name: 'v2' })];
    const changed = await server.request('update', `${DEFINITIONS}//widgets.example.com`, {
      ...definition,
      spec: { ...(definition['spec'] as JsonObject), versions },
    });
    expect((changed['status'] as JsonObject)['storedVersions']).toEqual(['v1', 'v2']);
    expect((changed['metadata'] as JsonObject)['generation']).toBe(2);
    expect((await server.request('create', 'example.com/v1/widgets/default', widget({})))['apiVersion']).toBe('example.com/v1');
    expect(server.store.get({ resource: 'example.com/widgets', namespace: 'default', name: 'one' })?.['apiVersion']).toBe('example.com/v2');
  });

  test('keeps what readers remember when only its status changes', async () => {
    const server = new Server();
    await server.define(widgets());
    const before = server.catalog.find('example.com', 'widgets');
    const definition = await server.definition('widgets.example.com');
    await server.request('update', `${DEFINITIONS}//widgets.example.com`, {
      ...definition,
      metadata: { ...(definition['metadata'] as JsonObject), labels: { a: 'b' } },
    });
    await server.controllers.settled();
    expect(server.catalog.find('example.com', 'widgets')).toBe(before);
  });
});

describe('a definition that goes', () => {
  test('takes its objects with it', async () => {
    const server = new Server();
    await server.define(widgets());
    await server.request('create', 'example.com/v1/widgets/default', widget({}));
    await server.request('create', 'example.com/v1/widgets/other', widget({}, { metadata: { name: 'two' } }));
    const deleted = await server.request('delete', `${DEFINITIONS}//widgets.example.com`);
    expect(deleted['metadata']).toMatchObject({
      deletionTimestamp: '2026-01-02T03:04:05Z',
      finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
    });
    expect((deleted['metadata'] as JsonObject)['deletionGracePeriodSeconds']).toBeUndefined();
    await server.controllers.settled();
    expect((await server.definition('widgets.example.com'))['code']).toBe(404);
    expect(server.catalog.find('example.com', 'widgets')).toBeUndefined();
    expect(server.store.sizes.objects).toBe(0);
    expect(server.problems).toEqual([]);
  });

  test('waits for finalizers of others, and lets nothing new come', async () => {
    const server = new Server();
    await server.define(widgets());
    const held = await server.request(
      'create',
      'example.com/v1/widgets/default',
      widget({}, { metadata: { name: 'one', finalizers: ['example.com/hold'] } }),
    );
    await server.request('delete', `${DEFINITIONS}//widgets.example.com`);
    await server.controllers.settled();
    expect(await server.conditions()).toEqual([
      ACCEPTED,
      ESTABLISHED,
      'Terminating True InstanceDeletionInProgress: CustomResource deletion is in progress',
    ]);
    const refused = await server.request('create', 'example.com/v1/widgets/default', widget({}, { metadata: { name: 'two' } }));
    expect(refused['code']).toBe(403);
    const current = await server.request('get', ONE);
    await server.request('update', ONE, { ...current, metadata: { ...(current['metadata'] as JsonObject), finalizers: [] } });
    await server.controllers.settled();
    expect((await server.definition('widgets.example.com'))['code']).toBe(404);
    expect(held['kind']).toBe('Widget');
  });

  test('may come back', async () => {
    const server = new Server();
    await server.define(widgets());
    await server.request('delete', `${DEFINITIONS}//widgets.example.com`);
    await server.controllers.settled();
    await server.define(widgets({ versions: [version({ name: 'v2', schema: widgetSchema(SPEC) })] }));
    expect(await server.conditions()).toEqual([ACCEPTED, ESTABLISHED]);
    expect(server.catalog.served('example.com', 'v1', 'widgets')).toBeUndefined();
    expect(server.catalog.served('example.com', 'v2', 'widgets')).toBeDefined();
  });
});
