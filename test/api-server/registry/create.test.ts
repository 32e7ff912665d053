import type { RequestContext, Strategy } from '../../../src/api-server/contract/index.js';
import type { Json } from '../../../src/kubernetes/apimachinery/index.js';
import { bodyOf, type FakeOptions, metaOf, newBench, refusalOf, toldRefusal, widget } from './fakes.js';

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** What is said of a body, then the text. */
const refusals: readonly (readonly [string, Json, string, FakeOptions?])[] = [
  [
    'another version',
    { ...widget('a'), apiVersion: 'example.com/v9' },
    '400 BadRequest: Widget in version "v9" cannot be handled as a Widget: no kind "Widget" is registered for version "example.com/v9" in scheme "pkg/api/legacyscheme/scheme.go:30"',
  ],
  [
    'another version of a custom resource',
    { ...widget('a'), apiVersion: 'example.com/v9' },
    '400 BadRequest: the API version in the data (example.com/v9) does not match the expected API version (example.com/v1)',
    { isCustom: true },
  ],
  [
    'a kind that the server has',
    { ...widget('a'), apiVersion: 'v1', kind: 'ConfigMap' },
    '400 BadRequest: ConfigMap in version "v1" cannot be handled as a Widget: converting (v1.ConfigMap) to (example.Widget): unknown conversion',
  ],
  [
    'another version of the kind',
    { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'a' } },
    '400 BadRequest: the API version in the data (autoscaling/v2) does not match the expected API version (autoscaling/v1)',
    { group: 'autoscaling', kind: 'HorizontalPodAutoscaler' },
  ],
  [
    'another namespace',
    widget('a', { metadata: { namespace: 'other' } }),
    '400 BadRequest: the namespace of the provided object does not match the namespace sent on the request',
  ],
  [
    'no name',
    { ...widget('a'), metadata: {} },
    '422 Invalid: Widget.example.com "" is invalid: metadata.name: Required value: name or generateName is required',
  ],
  ['a bad name', widget('A_b'), `422 Invalid: Widget.example.com "A_b" is invalid: metadata.name: Invalid value: "A_b": ${SUBDOMAIN}`],
  ['a version', widget('a', { metadata: { resourceVersion: '7' } }), '500 -: resourceVersion should not be set on objects to be created'],
  [
    'a kind that says no',
    widget('a', { spec: { size: -1 } }),
    '422 Invalid: Widget.example.com "a" is invalid: spec.size: Invalid value: -1: must not be negative',
  ],
  [
    'a bad label and a bad size',
    widget('a', { metadata: { labels: { a: '-' } }, spec: { size: -1 } }),
    "422 Invalid: Widget.example.com \"a\" is invalid: [metadata.labels: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'), spec.size: Invalid value: -1: must not be negative]",
  ],
  [
    'unknown fields',
    { ...widget('a', { metadata: { foo: 1 } }), extra: 1 },
    '400 BadRequest: Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "extra", unknown field "metadata.foo"',
  ],
  [
    'both finalizers of the garbage collector',
    widget('a', { metadata: { finalizers: ['orphan', 'foregroundDeletion'] } }),
    '422 Invalid: Widget.example.com "a" is invalid: metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
  ],
  [
    'an owner without a uid',
    widget('a', { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '' }] } }),
    '422 Invalid: Widget.example.com "a" is invalid: metadata.ownerReferences[0].uid: Required value: must not be empty',
  ],
];

describe('a create that cannot be', () => {
  test.each(refusals.map(([name, body, text, options = {}]) => ({ name, body, text, options })))(
    '$name is refused',
    async ({ body, text, options }) => {
      const bench = newBench(options);
      expect(await toldRefusal(bench.registry.create(bench.at('default/'), bodyOf(body), bench.context()))).toBe(text);
      expect(bench.store.revision).toBe(1);
    },
  );

  test('the causes name each field', async () => {
    const bench = newBench();
    const status = await refusalOf(
      bench.registry.create(bench.at('default/'), bodyOf(widget('a', { spec: { size: -1 } })), bench.context()),
    );
    expect(status.details).toEqual({
      name: 'a',
      group: 'example.com',
      kind: 'Widget',
      causes: [{ reason: 'FieldValueInvalid', message: 'Invalid value: -1: must not be negative', field: 'spec.size' }],
    });
  });

  test('an object that is there already, and one that is on its way out', async () => {
    const bench = newBench();
    const create = () =>
      bench.registry.create(bench.at('default/'), bodyOf(widget('a', { metadata: { finalizers: ['example.com/f'] } })), bench.context());
    await create();
    expect(await toldRefusal(create())).toBe('409 AlreadyExists: widgets.example.com "a" already exists');
    await bench.registry.delete(bench.at('default/a'), {}, bench.context());
    expect(await toldRefusal(create())).toBe('409 AlreadyExists: object is being deleted: widgets.example.com "a" already exists');
  });

  test('a version that takes no objects at the moment', async () => {
    const refuse = (): never => {
      throw new Error('terminating');
    };
    const bench = newBench({ version: { checkCreate: refuse } });
    await expect(bench.registry.create(bench.at('default/'), bodyOf(widget('a')), bench.context())).rejects.toThrow('terminating');
  });
});

describe('strictness', () => {
  const body = bodyOf({ ...widget('a'), extra: 1 }, ['duplicate field "spec.size"']);

  test('Warn tells of each problem and goes on', async () => {
    const bench = newBench();
    await bench.registry.create(bench.at('default/'), body, bench.context({ fieldValidation: 'Warn' }));
    expect(bench.warnings).toEqual(['duplicate field "spec.size"', 'unknown field "extra"']);
  });

  test('Ignore says nothing', async () => {
    const bench = newBench();
    await bench.registry.create(bench.at('default/'), body, bench.context({ fieldValidation: 'Ignore' }));
    expect(bench.warnings).toEqual([]);
  });

  test('what Go says of YAML in one text becomes a warning for each line', async () => {
    const bench = newBench();
    const yaml = bodyOf(widget('a'), [
      'error converting YAML to JSON: yaml: unmarshal errors:\n  line 3: key "a" already set in map\n  line 4: key "b" already set in map',
    ]);
    await bench.registry.create(bench.at('default/'), yaml, bench.context({ fieldValidation: 'Warn' }));
    expect(bench.warnings).toEqual(['line 3: key "a" already set in map', 'line 4: key "b" already set in map']);
  });
});

describe('metadata of what is created', () => {
  test('what only the server may set is not taken from the client', async () => {
    const bench = newBench();
    const metadata = {
      uid: 'mine',
      creationTimestamp: '1999-01-01T00:00:00Z',
      deletionTimestamp: '1999-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 3,
      generation: 7,
      selfLink: '/x',
      resourceVersion: '0',
    };
    const created = await bench.registry.create(bench.at('default/'), bodyOf(widget('a', { metadata })), bench.context());
    const { managedFields: _, ...rest } = metaOf(created);
    expect(rest).toEqual({
      name: 'a',
      namespace: 'default',
      uid: 'uid-1',
      resourceVersion: '2',
      generation: 1,
      creationTimestamp: '2024-01-01T00:00:00Z',
    });
  });

  test('fields are in the order of the Go type, of a custom resource sorted', async () => {
    const metadata = { labels: { a: 'b' }, annotations: { a: 'b' } };
    const orderOf = async (options: FakeOptions) => {
      const bench = newBench(options);
      return Object.keys(metaOf(await bench.registry.create(bench.at('default/'), bodyOf(widget('a', { metadata })), bench.context())));
    };
    expect(await orderOf({})).toEqual([
      'name',
      'namespace',
      'uid',
      'resourceVersion',
      'generation',
      'creationTimestamp',
      'labels',
      'annotations',
      'managedFields',
    ]);
    expect(await orderOf({ isCustom: true })).toEqual([
      'annotations',
      'creationTimestamp',
      'generation',
      'labels',
      'managedFields',
      'name',
      'namespace',
      'resourceVersion',
      'uid',
    ]);
  });

  test('a cluster-scoped object loses its namespace', async () => {
    const bench = newBench({ scope: 'Cluster' });
    const created = await bench.registry.create(bench.at(''), bodyOf(widget('a', { metadata: { namespace: 'x' } })), bench.context());
    expect(metaOf(created)['namespace']).toBeUndefined();
    expect(await bench.registry.get(bench.at('a'), {})).toBe(created);
  });

  test('owners that are named twice are dropped, with a warning', async () => {
    const bench = newBench();
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };
    const created = await bench.registry.create(
      bench.at('default/'),
      bodyOf(widget('a', { metadata: { ownerReferences: [owner, owner, { ...owner, name: 'q' }] } })),
      bench.context(),
    );
    expect(metaOf(created)['ownerReferences']).toEqual([owner, { ...owner, name: 'q' }]);
    expect(bench.warnings).toEqual([
      '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u',
    ]);
  });

  test('the kind has the last word, and may warn', async () => {
    const strategy: Partial<Strategy> = {
      warningsOnCreate: () => ['spec.size: odd'],
      canonicalize: (draft) => {
        draft['spec'] = { size: 9 };
      },
    };
    const bench = newBench({ strategy });
    const created = await bench.registry.create(bench.at('default/'), bodyOf(widget('a')), bench.context());
    expect(bench.warnings).toEqual(['spec.size: odd']);
    expect(created['spec']).toEqual({ size: 9 });
  });
});

describe('a generated name', () => {
  const generated = (generateName: string): Json => ({ ...widget('a'), metadata: { generateName } });

  test('has at most 63 characters', async () => {
    const bench = newBench({}, { suffixes: () => 'xyz42' });
    const created = await bench.registry.create(bench.at('default/'), bodyOf(generated('a'.repeat(70))), bench.context());
    expect(metaOf(created)['name']).toBe(`${'a'.repeat(58)}xyz42`);
  });

  test('is made of characters that make no words', async () => {
    const bench = newBench();
    const created = await bench.registry.create(bench.at('default/'), bodyOf(generated('a-')), bench.context());
    expect(metaOf(created)['name']).toMatch(/^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  test('is tried eight times', async () => {
    let count = 0;
    const bench = newBench({}, { suffixes: () => String(Math.min(++count, 9)).padStart(5, '0') });
    for (let name = 1; name <= 8; name += 1)
      await bench.registry.create(bench.at('default/'), bodyOf(widget(`a-0000${name}`)), bench.context());
    const status = await refusalOf(bench.registry.create(bench.at('default/'), bodyOf(generated('a-')), bench.context()));
    expect(count).toBe(8);
    expect(status).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'widgets.example.com "a-00008" already exists, the server was not able to generate a unique name for the object',
      details: { retryAfterSeconds: 1 },
    });
    count = 7;
    expect(metaOf(await bench.registry.create(bench.at('default/'), bodyOf(generated('a-')), bench.context()))['name']).toBe('a-00009');
  });
});

describe('admission', () => {
  test('is asked twice, first without the name that is still to be made', async () => {
    const bench = newBench({}, { suffixes: () => 'xyz42' });
    const context: Partial<RequestContext> = { parameters: { fieldManager: 'me', fieldValidation: 'Strict' } };
    await bench.registry.create(bench.at('default/'), bodyOf({ ...widget('a'), metadata: { generateName: 'a-' } }), bench.context(context));
    expect(bench.admission.seen).toEqual(['mutate CREATE default/', 'validate CREATE default/a-xyz42']);
    expect(bench.admission.requests[0]?.options).toEqual({
      kind: 'CreateOptions',
      apiVersion: 'meta.k8s.io/v1',
      fieldManager: 'me',
      fieldValidation: 'Strict',
    });
    expect(bench.admission.requests[0]?.oldObject).toBeUndefined();
  });

  test('what it makes is validated and stored, and belongs to nobody', async () => {
    const bench = newBench();
    bench.admission.onMutate = ({ object = {} }) => ({ ...object, spec: { size: 3, mode: 'hook' } });
    const created = await bench.registry.create(bench.at('default/'), bodyOf(widget('a')), bench.context());
    expect(created['spec']).toEqual({ size: 3, mode: 'hook' });
    expect(metaOf(created)['managedFields']).toMatchObject([{ fieldsV1: { 'f:spec': { 'f:size': {} } } }]);
  });

  test('managed fields that it broke are put back', async () => {
    const bench = newBench();
    bench.admission.onMutate = ({ object = {} }) => ({
      ...object,
      metadata: { ...metaOf(object), managedFields: [{ operation: 'Nonsense' }] },
    });
    const created = await bench.registry.create(bench.at('default/'), bodyOf(widget('a')), bench.context());
    expect(metaOf(created)['managedFields']).toMatchObject([{ manager: 'test' }]);
    expect(bench.warnings[0]).toMatch(
      /^\.metadata\.managedFields was in an invalid state after admission; .*: operation must be `Apply` or `Update`$/,
    );
  });

  test('the namespace of a Namespace is the Namespace', async () => {
    const bench = newBench({ group: '', kind: 'Namespace', scope: 'Cluster' });
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } };
    await bench.registry.create(bench.at(''), bodyOf(body), bench.context());
    expect(bench.admission.seen).toEqual(['mutate CREATE n/n', 'validate CREATE n/n']);
  });
});

describe('a dry run', () => {
  test('answers as the write would, and writes nothing', async () => {
    const bench = newBench();
    const dry = bench.context({ isDryRun: true });
    const answer = await bench.registry.create(bench.at('default/'), bodyOf(widget('a')), dry);
    expect(metaOf(answer)).toMatchObject({ name: 'a', uid: 'uid-1', generation: 1 });
    expect(metaOf(answer)['resourceVersion']).toBeUndefined();
    expect(bench.store.revision).toBe(1);
    expect(bench.admission.requests[1]?.options).toEqual({ kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', dryRun: ['All'] });
  });

  test('finds what is there already', async () => {
    const bench = newBench();
    await bench.registry.create(bench.at('default/'), bodyOf(widget('a')), bench.context());
    const again = bench.registry.create(bench.at('default/'), bodyOf(widget('a')), bench.context({ isDryRun: true }));
    expect(await toldRefusal(again)).toBe('409 AlreadyExists: widgets.example.com "a" already exists');
  });
});
