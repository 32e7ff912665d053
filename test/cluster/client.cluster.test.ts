import { defineKind } from 'keelson/kinds';
import { CustomResourceDefinition } from 'keelson/kinds/apiextensions/v1';
import { Deployment } from 'keelson/kinds/apps/v1';
import { ConfigMap, Namespace, Pod, Secret, ServiceAccount } from 'keelson/kinds/core/v1';
import type { Kind, NamedMeta } from '../../src/kubernetes/apimachinery/index.js';
import {
  type ApiClient,
  createClient,
  isAlreadyExists,
  isApiError,
  isApplyConflict,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isMethodNotAllowed,
  isNotFound,
  isRequestTooLarge,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
  jsonPatch,
  mergePatch,
  metadataOf,
  strategicPatch,
} from '../../src/runtime/client/index.js';
import { connectionOf, loadConnection } from '../../src/runtime/http/index.js';
import { testsOfOldKnowledge } from '../runtime/status/old-knowledge.js';
import { describeBareCluster } from './harness/index.js';

interface Gadget {
  readonly apiVersion: 'client.keelson.example/v1';
  readonly kind: 'Gadget';
  metadata: NamedMeta;
  spec?: { size?: number | undefined } | undefined;
  status?: { ready?: number | undefined } | undefined;
}

const Gadget: Kind<Gadget, 'Namespaced'> = defineKind({
  group: 'client.keelson.example',
  version: 'v1',
  kind: 'Gadget',
  plural: 'gadgets',
  scope: 'Namespaced',
  subresources: ['status', 'scale'],
});

const gadgetDefinition = CustomResourceDefinition({
  metadata: { name: 'gadgets.client.keelson.example' },
  spec: {
    group: 'client.keelson.example',
    names: { kind: 'Gadget', plural: 'gadgets' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer', minimum: 0, maximum: 9 } } },
              status: { type: 'object', properties: { ready: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
});

async function refusal(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`it was not refused: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}

describeBareCluster('client', (cluster) => {
  let client: ApiClient;
  let namespace: string;

  beforeAll(async () => {
    client = createClient({ connection: await loadConnection({ kubeconfig: cluster.kubeconfig }), fieldManager: 'client-suite' });
    namespace = await cluster.namespace('client');
    await client.apply(CustomResourceDefinition, gadgetDefinition, { force: true });
    await cluster.until('/apis/client.keelson.example/v1/gadgets', () => true);
  });
  afterAll(() => client.close());

  const config = (name: string, data: Record<string, string> = {}): ConfigMap => ConfigMap({ metadata: { name, namespace }, data });

  describe('verbs', () => {
    test('an object is created, read, replaced and deleted', async () => {
      const created = await client.create(ConfigMap, config('verbs', { a: '1' }));
      expect(created.metadata.uid).not.toBe('');
      expect(await client.get(ConfigMap, { namespace, name: 'verbs' })).toEqual(created);
      const updated = await client.update(ConfigMap, { ...created, data: { a: '2' } });
      expect(updated.data).toEqual({ a: '2' });
      await client.delete(ConfigMap, { namespace, name: 'verbs' });
      expect(isNotFound(await refusal(client.get(ConfigMap, { namespace, name: 'verbs' })))).toBe(true);
    });

    test('a name may be left to generateName', async () => {
      const created = await client.create(ConfigMap, { metadata: { generateName: 'made-', namespace } });
      expect(created.metadata.name).toMatch(/^made-.{5}$/);
    });

    test('an object held by a finalizer comes back from its deletion, marked', async () => {
      await client.create(ConfigMap, { metadata: { name: 'held', namespace, finalizers: ['keelson.example/hold'] } });
      const deleted = await client.delete(ConfigMap, { namespace, name: 'held' }, { propagationPolicy: 'Background' });
      expect(deleted?.metadata.deletionTimestamp).toBeDefined();
      await client.patch(ConfigMap, { namespace, name: 'held' }, jsonPatch([{ op: 'remove', path: '/metadata/finalizers' }]));
      expect(isNotFound(await refusal(client.get(ConfigMap, { namespace, name: 'held' })))).toBe(true);
    });

    test('a deletion with the uid of another object is refused (H47)', async () => {
      await client.create(ConfigMap, config('guarded'));
      const error = await refusal(client.delete(ConfigMap, { namespace, name: 'guarded' }, { uid: 'another' }));
      expect(isConflict(error)).toBe(true);
      expect((await client.get(ConfigMap, { namespace, name: 'guarded' })).metadata.name).toBe('guarded');
    });

    test('a dry run stores nothing, and a client of dry runs never does', async () => {
      await client.create(ConfigMap, config('dry'), { dryRun: true });
      const dry = client.with({ dryRun: true });
      await dry.apply(ConfigMap, config('dry'));
      expect(isNotFound(await refusal(client.get(ConfigMap, { namespace, name: 'dry' })))).toBe(true);
      await client.create(ConfigMap, config('dry'));
      await dry.delete(ConfigMap, { namespace, name: 'dry' });
      expect((await client.get(ConfigMap, { namespace, name: 'dry' })).metadata.name).toBe('dry');
    });

    test('a collection is deleted by its selector only', async () => {
      for (const [name, group] of [
        ['left', 'a'],
        ['gone', 'b'],
      ] as const)
        await client.create(ConfigMap, { metadata: { name, namespace, labels: { group } } });
      await client.deleteCollection(ConfigMap, { namespace, labels: { group: 'b' } });
      const { items } = await client.list(ConfigMap, { namespace, labelSelector: 'group' });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['left']);
    });

    test('unknown fields: refused, or told as a warning, once to the client and each time to the caller', async () => {
      const seen: string[] = [];
      const own: string[] = [];
      const warned = createClient({ connection: client.connection, onWarning: ({ text }) => seen.push(text) });
      const object = { ...config('unknown'), nonsense: 1 };
      const strict = await refusal(warned.create(ConfigMap, object, { fieldValidation: 'Strict' }));
      expect(isBadRequest(strict) && strict.message).toContain('unknown field "nonsense"');
      for (let round = 0; round < 2; round++)
        await warned.create(ConfigMap, object, { dryRun: true, onWarning: ({ text }) => own.push(text) });
      expect(seen).toEqual(['unknown field "nonsense"']);
      expect(own).toEqual(['unknown field "nonsense"', 'unknown field "nonsense"']);
      warned.close();
    });

    test('an unknown field survives read-modify-write (N8)', async () => {
      const stored = await client.create(Gadget, Gadget({ metadata: { name: 'whole', namespace }, spec: { size: 1 } }));
      const again = await client.update(Gadget, { ...stored, metadata: { ...stored.metadata, labels: { a: 'b' } } });
      expect(again.metadata.managedFields?.length).toBeGreaterThan(0);
      expect(again.spec).toEqual({ size: 1 });
    });

    test('any path can be asked, and a kind be discovered', async () => {
      expect(await client.request({ method: 'GET', path: '/readyz' })).toBe('ok');
      expect(await client.request({ method: 'GET', path: '/version' })).toMatchObject({ major: '1' });
      expect(await client.discover({ apiVersion: 'client.keelson.example/v1', kind: 'Gadget' })).toEqual({
        group: 'client.keelson.example',
        version: 'v1',
        kind: 'Gadget',
        plural: 'gadgets',
        scope: 'Namespaced',
        subresources: ['status', 'scale'],
      });
      expect(await client.discover({ apiVersion: 'v1', kind: 'Namespace' })).toMatchObject({ group: '', scope: 'Cluster' });
    });
  });

  describe('patches', () => {
    const deployment = (name: string): Deployment =>
      Deployment({
        metadata: { name, namespace },
        spec: {
          selector: { matchLabels: { app: name } },
          template: {
            metadata: { labels: { app: name } },
            spec: { containers: [{ name: 'main', image: 'main:1' }] },
          },
        },
      });

    test('all three types change what they say', async () => {
      await client.create(Deployment, deployment('patched'));
      const key = { namespace, name: 'patched' };
      const steps = await client.patch(
        Deployment,
        key,
        jsonPatch([
          { op: 'test', path: '/spec/replicas', value: 1 },
          { op: 'replace', path: '/spec/replicas', value: 2 },
        ]),
      );
      expect(steps.spec?.replicas).toBe(2);
      const strategic = await client.patch(
        Deployment,
        key,
        strategicPatch({ spec: { template: { spec: { containers: [{ name: 'side', image: 'side:1' }] } } } }),
      );
      expect(strategic.spec?.template.spec?.containers.map(({ name }) => name).sort()).toEqual(['main', 'side']);
      const merged = await client.patch(Deployment, key, mergePatch({ metadata: { annotations: { a: 'b' } } }));
      expect(merged.metadata.annotations).toMatchObject({ a: 'b' });
    });

    test('a custom resource takes no strategic merge patch', async () => {
      await client.create(Gadget, Gadget({ metadata: { name: 'unpatched', namespace } }));
      const error = await refusal(client.patch(Gadget, { namespace, name: 'unpatched' }, strategicPatch({ spec: { size: 1 } })));
      expect(isUnsupportedMediaType(error)).toBe(true);
    });

    test('apply creates, owns, conflicts with the managers by name, and takes over by force', async () => {
      await client.apply(ConfigMap, config('applied', { a: '1' }));
      const other = client.with({ fieldManager: 'other' });
      const error = await refusal(other.apply(ConfigMap, config('applied', { a: '2' })));
      expect(isConflict(error)).toBe(false);
      if (!isApplyConflict(error)) throw error;
      expect(error.conflicts).toEqual([{ manager: '"client-suite"', field: '.data.a' }]);
      expect((await other.apply(ConfigMap, config('applied', { a: '2' }), { force: true })).data).toEqual({ a: '2' });
    });

    test('an apply with the uid of a deleted object does not bring it back (H46)', async () => {
      const { metadata } = await client.create(ConfigMap, config('resurrected'));
      await client.delete(ConfigMap, { namespace, name: 'resurrected' });
      const error = await refusal(client.apply(ConfigMap, { metadata: { name: 'resurrected', namespace, uid: metadata.uid } }));
      expect(isConflict(error)).toBe(true);
      expect(isNotFound(await refusal(client.get(ConfigMap, { namespace, name: 'resurrected' })))).toBe(true);
    });
  });

  describe('the status writer', () => {
    testsOfOldKnowledge(() => ({ client, kind: Gadget, namespace }));
  });

  describe('subresources', () => {
    test('a status is replaced, patched and applied, and leaves the spec alone', async () => {
      const stored = await client.create(Gadget, Gadget({ metadata: { name: 'state', namespace }, spec: { size: 3 } }));
      const key = { namespace, name: 'state' };
      const status = client.status(Gadget);
      expect((await status.update(key, { metadata: stored.metadata, spec: { size: 9 }, status: { ready: 1 } })).status).toEqual({
        ready: 1,
      });
      expect((await status.patch(key, mergePatch({ status: { ready: 2 } }))).status).toEqual({ ready: 2 });
      const applied = await status.apply(key, { status: { ready: 3 } }, { force: true });
      expect(applied.status).toEqual({ ready: 3 });
      expect(applied.spec).toEqual({ size: 3 });
      expect(await status.get(key)).toEqual(applied);
    });

    test('a scale is read and written', async () => {
      await client.create(Gadget, Gadget({ metadata: { name: 'scaled', namespace }, spec: { size: 3 } }));
      const key = { namespace, name: 'scaled' };
      const scale = await client.scale(Gadget).get(key);
      expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 3 } });
      await client.scale(Gadget).update(key, { ...scale, spec: { replicas: 4 } });
      await client.scale(Gadget).patch(key, mergePatch({ spec: { replicas: 5 } }));
      expect((await client.get(Gadget, key)).spec).toEqual({ size: 5 });
    });

    test('an arbitrary one: a token of a service account', async () => {
      await client.create(ServiceAccount, ServiceAccount({ metadata: { name: 'robot', namespace } }));
      const tokens = client.subresource<{ status?: { token: string } }, typeof ServiceAccount>(ServiceAccount, 'token');
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
      expect((await tokens.create({ namespace, name: 'robot' }, body)).status?.token).toContain('.');
    });

    test('an eviction that no budget forbids deletes the Pod', async () => {
      await client.create(Pod, Pod({ metadata: { name: 'evicted', namespace }, spec: { containers: [{ name: 'a', image: 'a' }] } }));
      const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'evicted', namespace } };
      await client.subresource(Pod, 'eviction').create({ namespace, name: 'evicted' }, body);
      const gone = await client.get(Pod, { namespace, name: 'evicted' }).then(({ metadata }) => metadata.deletionTimestamp, isNotFound);
      expect(gone).toBeTruthy();
    });
  });

  describe('lists', () => {
    beforeAll(async () => {
      for (let index = 0; index < 7; index++)
        await client.create(Secret, { metadata: { name: `page-${index}`, namespace, labels: { suite: 'pages' } } });
    });

    test('pages hold each object once, with its identity (N10), at one moment', async () => {
      const options = { namespace, labels: { suite: 'pages' }, limit: 3 };
      const sizes: number[] = [];
      const names: string[] = [];
      const moments = new Set<string>();
      for await (const page of client.pages(Secret, options)) {
        sizes.push(page.items.length);
        moments.add(page.resourceVersion);
        for (const { apiVersion, kind, metadata } of page.items) names.push(`${apiVersion} ${kind} ${metadata.name}`);
        if (sizes.length === 1) await client.create(Secret, { metadata: { name: 'page-late', namespace, labels: { suite: 'pages' } } });
      }
      expect(sizes).toEqual([3, 3, 1]);
      expect(moments.size).toBe(1);
      expect(names).toEqual([0, 1, 2, 3, 4, 5, 6].map((index) => `v1 Secret page-${index}`));
      await client.delete(Secret, { namespace, name: 'page-late' });
    });

    test('items and listAll go through all pages', async () => {
      const options = { namespace, labels: { suite: 'pages' }, limit: 2 };
      const names: string[] = [];
      for await (const { metadata } of client.items(Secret, options)) names.push(metadata.name);
      expect(names).toHaveLength(7);
      const all = await client.listAll(Secret, options);
      expect(all.items.map(({ metadata }) => metadata.name)).toEqual(names);
      expect(all.resourceVersion).toMatch(/^\d+$/);
    });

    test('selectors select', async () => {
      const byField = await client.list(Secret, { namespace, fieldSelector: { 'metadata.name': 'page-3' } });
      expect(byField.items.map(({ metadata }) => metadata.name)).toEqual(['page-3']);
      const byObject = await client.list(Secret, {
        namespace,
        labelSelector: { matchExpressions: [{ key: 'suite', operator: 'DoesNotExist' }] },
      });
      expect(byObject.items.filter(({ metadata }) => metadata.name.startsWith('page-'))).toEqual([]);
      expect((await client.list(Secret, { labels: { suite: 'pages' } })).items).toHaveLength(7);
    });

    test('metadata alone has no data, but the identity of its kind', async () => {
      await client.create(ConfigMap, config('heavy', { a: 'x'.repeat(1000) }));
      const { items } = await client.list(metadataOf(ConfigMap), { namespace, fieldSelector: { 'metadata.name': 'heavy' } });
      expect(Object.keys(items[0] ?? {}).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
      expect(items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'heavy' } });
      expect(await client.get(metadataOf(ConfigMap), { namespace, name: 'heavy' })).toEqual(items[0]);
    });

    test('a damaged continue token is not a list', async () => {
      expect(isApiError(await refusal(client.list(Secret, { namespace, continue: 'nonsense' })))).toBe(true);
    });
  });

  describe('watches', () => {
    test('what was there comes first, then what happens, in the shape of lists (N9)', async () => {
      const labels = { watch: 'first' };
      const before = await client.create(ConfigMap, { metadata: { name: 'watched', namespace, labels }, data: { a: '1' } });
      const watch = await client.watch(ConfigMap, { namespace, labels });
      const changed = client.patch(ConfigMap, { namespace, name: 'watched' }, mergePatch({ data: { a: '2' } }));
      const seen: string[] = [];
      for await (const event of watch) {
        if (event.type === 'BOOKMARK') continue;
        if (seen.length === 0) expect(event.object).toEqual(before);
        seen.push(`${event.type} ${event.object.kind} ${event.object.data?.['a']}`);
        if (event.type === 'MODIFIED') await client.delete(ConfigMap, { namespace, name: 'watched' });
        if (event.type === 'DELETED') break;
      }
      await changed;
      expect(seen).toEqual(['ADDED ConfigMap 1', 'MODIFIED ConfigMap 2', 'DELETED ConfigMap 2']);
    });

    test('a watch resumes behind a resourceVersion, and ends by itself without an error', async () => {
      const first = await client.create(ConfigMap, { metadata: { name: 'resumed', namespace, labels: { watch: 'resume' } } });
      await client.patch(ConfigMap, { namespace, name: 'resumed' }, mergePatch({ data: { a: '1' } }));
      // Its second is for the end alone: the cache of the API server, which a watch is served from, has the change by then.
      await cluster.until<{ items: ConfigMap[] }>(
        `/api/v1/namespaces/${namespace}/configmaps?resourceVersion=0&labelSelector=watch%3Dresume`,
        ({ items }) => items.some(({ data }) => data?.['a'] === '1'),
      );
      const watch = await client.watch(ConfigMap, {
        namespace,
        labels: { watch: 'resume' },
        resourceVersion: first.metadata.resourceVersion,
        timeoutSeconds: 1,
      });
      const types: string[] = [];
      for await (const event of watch) types.push(event.type);
      expect(types.filter((type) => type !== 'BOOKMARK')).toEqual(['MODIFIED']);
    });

    test('initial events end with their bookmark', async () => {
      await client.create(ConfigMap, { metadata: { name: 'initial', namespace, labels: { watch: 'initial' } } });
      const watch = await client.watch(ConfigMap, {
        namespace,
        labels: { watch: 'initial' },
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
      });
      const types: string[] = [];
      for await (const event of watch) {
        types.push(event.type);
        if (event.type === 'BOOKMARK') {
          expect(event.initialEventsEnd).toBe(true);
          expect(event.resourceVersion).toMatch(/^\d+$/);
          break;
        }
      }
      expect(types).toEqual(['ADDED', 'BOOKMARK']);
    });

    test('a resourceVersion that is gone is an Expired error (H9)', async () => {
      // The server's history of a custom resource begins when its definition is there, long after the first revision.
      const watching = async (): Promise<void> => {
        for await (const event of await client.watch(Gadget, { namespace, resourceVersion: '1' })) expect(event).toBe('nothing');
      };
      expect(isExpired(await refusal(watching()))).toBe(true);
    });

    test('a refused watch is the same error as any refused request', async () => {
      const unserved = { ...Gadget, plural: 'nothings', kind: 'Nothing' };
      const error = await refusal(client.watch(unserved));
      expect(isNotFound(error) && [error.isServed, error.actor]).toEqual([false, 'admin']);
    });

    test('close ends a pending iteration without an error', async () => {
      const watch = await client.watch(ConfigMap, { namespace, labels: { watch: 'nothing' } });
      const ended = (async () => {
        for await (const event of watch) if (event.type !== 'BOOKMARK') throw new Error(event.type);
        return 'ended';
      })();
      watch.close();
      expect(await ended).toBe('ended');
    });
  });

  describe('refusals', () => {
    test('AlreadyExists and Conflict', async () => {
      const first = await client.create(ConfigMap, config('twice'));
      expect(isAlreadyExists(await refusal(client.create(ConfigMap, config('twice'))))).toBe(true);
      await client.update(ConfigMap, { ...first, data: { a: '1' } });
      expect(isConflict(await refusal(client.update(ConfigMap, { ...first, data: { a: '2' } })))).toBe(true);
    });

    test('Invalid names the fields', async () => {
      const error = await refusal(client.create(Gadget, Gadget({ metadata: { name: 'big', namespace }, spec: { size: 10 } })));
      if (!isInvalid(error)) throw error;
      expect(error.fields.map(({ field }) => field)).toEqual(['spec.size']);
      expect(error.actor).toBe('user');
    });

    test('Forbidden names the missing right', async () => {
      const guest = createClient({
        connection: connectionOf({
          server: cluster.url,
          ca: cluster.connection.ca,
          token: cluster.adminToken,
          impersonate: { user: 'guest', groups: ['g1', 'g2'] },
        }),
      });
      const error = await refusal(guest.list(Deployment, { namespace }));
      if (!isForbidden(error)) throw error;
      expect(error.missingRight).toEqual({
        user: 'guest',
        verb: 'list',
        group: 'apps',
        resource: 'deployments',
        namespace,
        name: undefined,
      });
      expect(error.message).toContain(
        `grant guest: verbs [list], resources [deployments], apiGroups ["apps"], in a Role of namespace ${namespace}`,
      );
      const all = await refusal(guest.get(Namespace, { name: 'default' }));
      expect(isForbidden(all) && all.missingRight).toMatchObject({ verb: 'get', resource: 'namespaces', name: 'default' });
      const path = await refusal(guest.request({ method: 'GET', path: '/metrics' }));
      expect(isForbidden(path) && path.missingRight).toEqual({ user: 'guest', verb: 'get', path: '/metrics' });
      guest.close();
    });

    test('Unauthorized', async () => {
      const stranger = createClient({ connection: connectionOf({ server: cluster.url, ca: cluster.connection.ca, token: 'unknown' }) });
      expect(isUnauthorized(await refusal(stranger.list(Pod)))).toBe(true);
      stranger.close();
    });

    test('MethodNotAllowed', async () => {
      expect(isMethodNotAllowed(await refusal(client.request({ method: 'DELETE', path: '/api/v1/componentstatuses/a' })))).toBe(true);
    });

    test('RequestTooLarge', async () => {
      const error = await refusal(client.create(ConfigMap, config('huge', { a: 'x'.repeat(4_000_000) })));
      expect(isRequestTooLarge(error)).toBe(true);
    });

    test('TooManyRequests by a disruption budget', async () => {
      const labels = { app: 'budgeted' };
      await client.create(
        Pod,
        Pod({ metadata: { name: 'budgeted', namespace, labels }, spec: { containers: [{ name: 'a', image: 'a' }] } }),
      );
      await client.patch(Pod, { namespace, name: 'budgeted' }, jsonPatch([{ op: 'add', path: '/metadata/labels/x', value: 'y' }]));
      await client
        .status(Pod)
        .patch(
          { namespace, name: 'budgeted' },
          mergePatch({ status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }),
        );
      await cluster.must('POST', `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'budget', namespace },
        spec: { minAvailable: 1, selector: { matchLabels: labels } },
      });
      const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'budgeted', namespace } };
      // Nobody has observed the budget, so the server asks to wait: longer than a reconcile should, so that the caller decides.
      const impatient = createClient({ connection: client.connection, retry: { maxRetryAfterMs: 1_000 } });
      const error = await refusal(impatient.subresource(Pod, 'eviction').create({ namespace, name: 'budgeted' }, body));
      impatient.close();
      expect(isTooManyRequests(error) && error.causes.length).toBeGreaterThan(0);
    });

    test('a Kubernetes version that has no such resource: NotFound, for the admin', async () => {
      const unserved = { ...Gadget, version: 'v9' };
      const error = await refusal(client.get(unserved, { namespace, name: 'a' }));
      expect(isNotFound(error) && [error.isServed, error.actor]).toEqual([false, 'admin']);
      const absent = await refusal(client.get(Gadget, { namespace, name: 'absent' }));
      expect(isNotFound(absent) && [absent.isServed, absent.actor]).toEqual([true, 'nobody']);
    });
  });
});
