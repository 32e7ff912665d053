import { Deployment } from 'keelson/kinds/apps/v1';
import { ConfigMap, Namespace, Pod } from 'keelson/kinds/core/v1';
import {
  type ApiClient,
  type CallOptions,
  createClient,
  jsonPatch,
  mergePatch,
  metadataOf,
  type PatchBody,
  RequestError,
  strategicPatch,
} from '../../../src/runtime/client/index.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { json, reset, silence } from '../http/scripted-server.js';
import { failure, lastRequest, type ScriptedClient, scriptedClient } from './scripted-client.js';

let scripted: ScriptedClient;
beforeEach(async () => {
  scripted = await scriptedClient(json({ metadata: { name: 'a' }, items: [] }));
});
afterEach(() => scripted.stop());

const key = { namespace: 'n', name: 'a' };
const done = json({ kind: 'Status', status: 'Success' });

describe('reads', () => {
  test('of an object ask for the newest, or for what the server has at hand', async () => {
    await scripted.client.get(ConfigMap, key);
    expect(lastRequest(scripted)).toMatchObject({ line: 'GET /api/v1/namespaces/n/configmaps/a', query: {}, body: undefined });
    await scripted.client.get(ConfigMap, key, { resourceVersion: '0' });
    expect(lastRequest(scripted).query).toEqual({ resourceVersion: '0' });
  });

  test('of a page give its objects with their identity, its moment and where the next one begins', async () => {
    scripted.server.script(
      json({ metadata: { resourceVersion: '5', continue: 'next', remainingItemCount: 3 }, items: [{ metadata: { name: 'a' } }] }),
    );
    const page = await scripted.client.list(ConfigMap, {
      namespace: 'n',
      limit: 1,
      continue: 'here',
      resourceVersion: '4',
      resourceVersionMatch: 'Exact',
    });
    expect(lastRequest(scripted)).toMatchObject({
      line: 'GET /api/v1/namespaces/n/configmaps',
      query: { limit: '1', continue: 'here', resourceVersion: '4', resourceVersionMatch: 'Exact' },
    });
    expect(page).toEqual({
      items: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }],
      resourceVersion: '5',
      continue: 'next',
      remainingItemCount: 3,
    });
  });

  test('of the last page say that nothing follows', async () => {
    scripted.server.script(json({ metadata: { resourceVersion: '5', continue: '', remainingItemCount: 'many' }, items: [] }));
    expect(await scripted.client.list(ConfigMap)).toEqual({
      items: [],
      resourceVersion: '5',
      continue: undefined,
      remainingItemCount: undefined,
    });
    expect(lastRequest(scripted)).toMatchObject({ line: 'GET /api/v1/configmaps', query: {} });
  });

  test('of all pages ask for 500 objects each, and give the moment that they show', async () => {
    scripted.server.script(
      json({ metadata: { resourceVersion: '5', continue: 't' }, items: [] }),
      json({ metadata: { resourceVersion: '5' }, items: [{ metadata: { name: 'a' } }] }),
    );
    expect(await scripted.client.listAll(metadataOf(Deployment))).toEqual({
      items: [{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } }],
      resourceVersion: '5',
      continue: undefined,
      remainingItemCount: undefined,
    });
    expect(scripted.server.requests.map(({ url }) => url)).toEqual([
      '/apis/apps/v1/deployments?limit=500',
      '/apis/apps/v1/deployments?limit=500&continue=t',
    ]);
  });

  test('a list that fails otherwise than by its age is not begun anew', async () => {
    scripted.server.script(json({ kind: 'Status', code: 403, reason: 'Forbidden' }, { status: 403 }));
    expect(await failure(scripted.client.listAll(ConfigMap))).toMatchObject({ code: 'KEELSON_API_FORBIDDEN' });
    expect(scripted.server.requests).toHaveLength(1);
  });

  test('of metadata alone name the kind in place of its envelope', async () => {
    scripted.server.script(json({ apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: { name: 'a' } }));
    expect(await scripted.client.get(metadataOf(Pod), key)).toEqual({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } });
  });
});

describe('a selection', () => {
  test.each([
    [{ labels: { a: 'b', c: 'd' } }, { labelSelector: 'a=b,c=d' }],
    [{ labelSelector: 'a in (b),!c' }, { labelSelector: 'a in (b),!c' }],
    [
      { labelSelector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'Exists' as const }] } },
      { labelSelector: 'a=b,c' },
    ],
    [{ labels: { a: 'b' }, labelSelector: 'c!=d' }, { labelSelector: 'a=b,c!=d' }],
    [{ labels: {}, labelSelector: '', fieldSelector: '' }, {}],
    [{ labelSelector: {}, fieldSelector: {} }, {}],
    [{ fieldSelector: 'spec.nodeName!=a' }, { fieldSelector: 'spec.nodeName!=a' }],
    [{ fieldSelector: { 'metadata.name': 'a=b', 'spec.nodeName': '' } }, { fieldSelector: 'metadata.name=a\\=b,spec.nodeName=' }],
  ])('of %j', async (selection, query) => {
    await scripted.client.list(Pod, selection);
    expect(lastRequest(scripted).query).toEqual(query);
    scripted.server.script(done);
    await scripted.client.deleteCollection(Pod, { namespace: 'n', ...selection });
    expect(lastRequest(scripted)).toMatchObject({ line: 'DELETE /api/v1/namespaces/n/pods', query });
  });
});

describe('a deletion', () => {
  test('without conditions names none', async () => {
    scripted.server.script(done);
    await scripted.client.delete(Namespace, { name: 'a' });
    expect(lastRequest(scripted)).toMatchObject({ line: 'DELETE /api/v1/namespaces/a', query: {} });
    expect(lastRequest(scripted).body).toEqual({ apiVersion: 'v1', kind: 'DeleteOptions' });
  });

  test('may be bound to a version alone', async () => {
    scripted.server.script(done);
    await scripted.client.delete(ConfigMap, key, { resourceVersion: '5' });
    expect(lastRequest(scripted).body).toEqual({ apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { resourceVersion: '5' } });
  });

  test('gives the object that waits for its finalizers', async () => {
    const metadata = { name: 'a', deletionTimestamp: '2030-01-01T00:00:00Z', finalizers: ['example.com/f'] };
    scripted.server.script(json({ apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata }));
    expect(await scripted.client.delete(metadataOf(ConfigMap), key)).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    expect(lastRequest(scripted).accept).toBe('application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1');
  });

  test('of a collection says how, and is a dry run by the client’s default', async () => {
    scripted.server.script(done);
    await scripted.client.with({ dryRun: true }).deleteCollection(ConfigMap, { propagationPolicy: 'Orphan', gracePeriodSeconds: 5 });
    expect(lastRequest(scripted)).toMatchObject({ line: 'DELETE /api/v1/configmaps', query: {} });
    expect(lastRequest(scripted).body).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Orphan',
      gracePeriodSeconds: 5,
      dryRun: ['All'],
    });
  });
});

describe('a client’s defaults', () => {
  const writes: readonly (readonly [string, (client: ApiClient, options?: object) => Promise<unknown>])[] = [
    ['create', (client, options) => client.create(ConfigMap, { metadata: key }, options)],
    ['update', (client, options) => client.update(ConfigMap, { metadata: key }, options)],
    ['patch', (client, options) => client.patch(ConfigMap, key, mergePatch({}), options)],
    ['apply', (client, options) => client.apply(ConfigMap, { metadata: key }, options)],
    ['create of a subresource', (client, options) => client.subresource(Pod, 'eviction').create(key, {}, options)],
    ['update of a subresource', (client, options) => client.scale(Deployment).update(key, {}, options)],
    ['patch of a subresource', (client, options) => client.status(Deployment).patch(key, mergePatch({}), options)],
    ['apply of a subresource', (client, options) => client.status(Deployment).apply(key, {}, options)],
  ];

  test.each(writes)('hold for %s, and are overruled by its options', async (_, write) => {
    const connection = connectionOf({ server: scripted.server.url, clock: scripted.clock });
    const client = createClient({ connection, clock: scripted.clock, fieldManager: 'tool', fieldValidation: 'Strict', dryRun: true });
    await write(client);
    expect(lastRequest(scripted).query).toEqual({ fieldManager: 'tool', fieldValidation: 'Strict', dryRun: 'All' });
    await write(client, { fieldManager: 'other', fieldValidation: 'Ignore', dryRun: false });
    expect(lastRequest(scripted).query).toEqual({ fieldManager: 'other', fieldValidation: 'Ignore' });
    await write(client.with({ fieldValidation: 'Warn' }));
    expect(lastRequest(scripted).query).toEqual({ fieldManager: 'tool', fieldValidation: 'Warn', dryRun: 'All' });
    client.close();
  });
});

describe('a patch', () => {
  test.each<[PatchBody, string]>([
    [jsonPatch([{ op: 'remove', path: '/data/a' }]), 'application/json-patch+json'],
    [mergePatch({ data: { a: null } }), 'application/merge-patch+json'],
    [strategicPatch({ data: { a: 'b' } }), 'application/strategic-merge-patch+json'],
  ])('%j goes as %s', async (patch, type) => {
    await scripted.client.patch(ConfigMap, key, patch as never);
    expect(lastRequest(scripted)).toMatchObject({ line: 'PATCH /api/v1/namespaces/n/configmaps/a', body: patch.body, type });
    await scripted.client.scale(Deployment).patch(key, patch);
    expect(lastRequest(scripted)).toMatchObject({ line: 'PATCH /apis/apps/v1/namespaces/n/deployments/a/scale', body: patch.body, type });
  });
});

describe('a subresource', () => {
  test('is read as an object is', async () => {
    scripted.server.script(json({ kind: 'Scale', spec: { replicas: 2 } }));
    expect(await scripted.client.scale(Deployment).get(key, { resourceVersion: '0' })).toEqual({ kind: 'Scale', spec: { replicas: 2 } });
    expect(lastRequest(scripted)).toMatchObject({
      line: 'GET /apis/apps/v1/namespaces/n/deployments/a/scale',
      query: { resourceVersion: '0' },
      body: undefined,
    });
  });

  test('that is named by its text gets the body as it is', async () => {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } };
    scripted.server.script(done);
    await scripted.client.subresource(Pod, 'eviction').create(key, eviction);
    expect(lastRequest(scripted)).toMatchObject({ line: 'POST /api/v1/namespaces/n/pods/a/eviction', type: 'application/json' });
    expect(lastRequest(scripted).body).toEqual(eviction);
  });

  test('keeps the metadata of its body, and its own name and kind', async () => {
    const body = { kind: 'Other', metadata: { name: 'other', resourceVersion: '5' }, status: { replicas: 1 } };
    await scripted.client.status(Deployment).update(key, body as never);
    expect(lastRequest(scripted).body).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a', namespace: 'n', resourceVersion: '5' },
      status: { replicas: 1 },
    });
  });

  test('of an object of the cluster names no namespace', async () => {
    await scripted.client.status(Namespace).update({ name: 'a' }, { status: { phase: 'Active' } });
    expect(lastRequest(scripted).body).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'a' },
      status: { phase: 'Active' },
    });
  });

  test('is applied with a manager, by force if that is said', async () => {
    await scripted.client.status(Deployment).apply(key, { status: { replicas: 1 } }, { force: true });
    expect(lastRequest(scripted)).toMatchObject({ query: { fieldManager: 'me', force: 'true' }, type: 'application/apply-patch+yaml' });
    await scripted.client.status(Deployment).apply(key, { status: { replicas: 1 } }, { force: false });
    expect(lastRequest(scripted).query).toEqual({ fieldManager: 'me' });
    const sent = scripted.server.requests.length;
    const nameless = scripted.client.with({ fieldManager: undefined }).status(Deployment);
    const error = await failure(nameless.apply(key, { status: { replicas: 1 } }));
    expect(error).toBeInstanceOf(RequestError);
    expect((error as Error).message).toBe('PATCH /apis/apps/v1/namespaces/n/deployments/a/status: server-side apply needs a fieldManager');
    expect(scripted.server.requests).toHaveLength(sent);
  });

  test.each<[string, (client: ApiClient) => Promise<unknown>, boolean]>([
    ['apply', (client) => client.status(Deployment).apply(key, {}), true],
    ['update', (client) => client.scale(Deployment).update(key, {}), true],
    ['merge patch', (client) => client.scale(Deployment).patch(key, mergePatch({})), true],
    ['JSON patch', (client) => client.scale(Deployment).patch(key, jsonPatch([])), false],
    ['JSON patch as a dry run', (client) => client.scale(Deployment).patch(key, jsonPatch([]), { dryRun: true }), true],
    ['create', (client) => client.subresource(Pod, 'eviction').create(key, {}), false],
    ['create as a dry run', (client) => client.subresource(Pod, 'eviction').create(key, {}, { dryRun: true }), true],
  ])('after a lost answer: %s', async (_, call, isRepeated) => {
    scripted.server.script(reset, done);
    const outcome = call(scripted.client).then(
      () => 'done',
      (error: unknown) => error,
    );
    await Promise.race([outcome, scripted.clock.timer((delayMs) => delayMs === 50)]);
    scripted.clock.advance(50);
    expect((await outcome) === 'done').toBe(isRepeated);
    expect(scripted.server.requests).toHaveLength(isRepeated ? 2 : 1);
  });
});

describe('every call', () => {
  const calls: readonly (readonly [string, (client: ApiClient, options: CallOptions) => Promise<unknown>])[] = [
    ['get', (client, options) => client.get(ConfigMap, key, options)],
    ['list', (client, options) => client.list(ConfigMap, options)],
    ['listAll', (client, options) => client.listAll(ConfigMap, options)],
    ['create', (client, options) => client.create(ConfigMap, { metadata: key }, options)],
    ['update', (client, options) => client.update(ConfigMap, { metadata: key }, options)],
    ['patch', (client, options) => client.patch(ConfigMap, key, mergePatch({}), options)],
    ['apply', (client, options) => client.apply(ConfigMap, { metadata: key }, options)],
    ['delete', (client, options) => client.delete(ConfigMap, key, options)],
    ['deleteCollection', (client, options) => client.deleteCollection(ConfigMap, options)],
    ['watch', (client, options) => client.watch(ConfigMap, options)],
    ['get of a subresource', (client, options) => client.scale(Deployment).get(key, options)],
    ['create of a subresource', (client, options) => client.subresource(Pod, 'eviction').create(key, {}, options)],
    ['update of a subresource', (client, options) => client.scale(Deployment).update(key, {}, options)],
    ['patch of a subresource', (client, options) => client.scale(Deployment).patch(key, mergePatch({}), options)],
    ['apply of a subresource', (client, options) => client.status(Deployment).apply(key, {}, options)],
    ['request', (client, options) => client.request({ method: 'GET', path: '/version', ...options })],
    ['discover', (client, options) => client.discover({ apiVersion: 'v1', kind: 'ConfigMap' }, options)],
  ];

  test.each(calls)('%s: it can be cancelled, has a deadline, and hears its warnings', async (_, call) => {
    const cancelled = await failure(call(scripted.client, { signal: AbortSignal.abort() }));
    expect(cancelled).toMatchObject({ code: 'KEELSON_REQUEST_CANCELLED' });
    expect(scripted.server.requests).toHaveLength(0);

    scripted.server.script(json({ metadata: { name: 'a' }, items: [], resources: [] }, { headers: { warning: '299 - "it is old"' } }));
    const warnings: string[] = [];
    // Discovery fails as this server has no ConfigMaps.
    await call(scripted.client, { onWarning: ({ text }) => void warnings.push(text) }).catch((error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
    });
    expect(warnings).toEqual(['it is old']);

    scripted.server.script(silence);
    const late = failure(call(scripted.client, { deadlineMs: 1_234 }));
    await scripted.clock.timer((delayMs) => delayMs === 1_234);
    scripted.clock.advance(1_234);
    expect(await late).toMatchObject({ code: 'KEELSON_DEADLINE_EXCEEDED' });
  });

  test('fails after the client is closed, also with other defaults', async () => {
    scripted.client.with({ dryRun: true }).close();
    expect(await failure(scripted.client.get(ConfigMap, key))).toMatchObject({ code: 'KEELSON_CLIENT_CLOSED' });
    expect(scripted.client.connection).toBe(scripted.client.transport.connection);
  });
});

describe('any other request', () => {
  test('gets text as text, and JSON parsed', async () => {
    scripted.server.script((response) => response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('ok'));
    expect(await scripted.client.request({ method: 'GET', path: '/livez', query: { verbose: true } })).toBe('ok');
    expect(lastRequest(scripted)).toMatchObject({ line: 'GET /livez', query: { verbose: 'true' }, type: undefined });
    scripted.server.script((response) => response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end('[1]'));
    expect(await scripted.client.request({ method: 'GET', path: '/version' })).toEqual([1]);
    scripted.server.script((response) => response.writeHead(200).end());
    expect(await scripted.client.request({ method: 'GET', path: '/logs' })).toBe('');
  });

  test('sends a text or bytes as they are, under the given type', async () => {
    for (const body of ['{"a" :1}', Buffer.from('{"a" :1}')]) {
      await scripted.client.request({ method: 'POST', path: '/x', body, contentType: 'application/yaml' });
      expect(scripted.server.requests.at(-1)?.body).toBe('{"a" :1}');
      expect(lastRequest(scripted).type).toBe('application/yaml');
    }
    await scripted.client.request({ method: 'POST', path: '/x', body: { a: 1 } });
    expect(scripted.server.requests.at(-1)?.body).toBe('{"a":1}');
  });

  test('may ask for a web page, and is otherwise told of one', async () => {
    scripted.server.script((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    expect(await scripted.client.request({ method: 'GET', path: '/ui', accept: 'text/html' })).toBe('<html>');
    expect(lastRequest(scripted).accept).toBe('text/html');
    for (const accept of [undefined, 'application/json;as=Table'])
      expect(await failure(scripted.client.request({ method: 'GET', path: '/ui', accept }))).toMatchObject({
        message: 'GET /ui: the answer is a web page: is this the address of an API server?',
      });
  });

  test('is refused from status 300 on', async () => {
    scripted.server.script(json({ a: 1 }, { status: 299 }));
    expect(await scripted.client.request({ method: 'GET', path: '/x' })).toEqual({ a: 1 });
    scripted.server.script(json({ a: 1 }, { status: 300 }));
    expect(await failure(scripted.client.request({ method: 'GET', path: '/x' }))).toMatchObject({
      code: 'KEELSON_API_UNEXPECTED_STATUS',
      httpStatus: 300,
    });
  });

  test('is repeated as its method allows, or as it says', async () => {
    const attempts = async (request: Parameters<ApiClient['request']>[0]): Promise<number> => {
      const before = scripted.server.requests.length;
      scripted.server.script(reset, done);
      const outcome = scripted.client.request(request).catch((error: unknown) => error);
      await Promise.race([outcome, scripted.clock.timer((delayMs) => delayMs === 50)]);
      scripted.clock.advance(50);
      await outcome;
      return scripted.server.requests.length - before;
    };
    expect(await attempts({ method: 'POST', path: '/x' })).toBe(1);
    expect(await attempts({ method: 'POST', path: '/x', idempotent: true })).toBe(2);
    expect(await attempts({ method: 'PUT', path: '/x', idempotent: false })).toBe(1);
  });
});

test.each([
  [json('a text'), 'a text of 6 characters'],
  [json(''), 'empty'],
  [json(null), 'null'],
  [json([1, 2]), 'a list of 2'],
  [json(5), 'a number'],
])('an answer that is not an object is described, not quoted (%#)', async (answer, description) => {
  scripted.server.script(answer);
  expect(await failure(scripted.client.get(ConfigMap, key))).toMatchObject({
    message: `GET /api/v1/namespaces/n/configmaps/a: the answer is not an API object, but ${description}`,
  });
});
