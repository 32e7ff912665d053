import { Deployment } from 'keelson/kinds/apps/v1';
import { ConfigMap, Namespace, Pod } from 'keelson/kinds/core/v1';
import type { KindInfo } from '../../../src/kubernetes/apimachinery/index.js';
import { isExpired, isNotFound, jsonPatch, keyOf, mergePatch, metadataOf, RequestError } from '../../../src/runtime/client/index.js';
import { json, reset } from '../http/scripted-server.js';
import { failure, lastRequest, type ScriptedClient, scriptedClient } from './scripted-client.js';

let scripted: ScriptedClient;
beforeEach(async () => {
  scripted = await scriptedClient(json({ metadata: { name: 'a' } }));
});
afterEach(() => scripted.stop());

const key = { namespace: 'n', name: 'a' };

describe('what goes over the wire', () => {
  test('a body has its identity, a write its manager', async () => {
    await scripted.client.create(ConfigMap, { metadata: key, data: { a: 'b' } }, { fieldValidation: 'Strict', dryRun: true });
    expect(lastRequest(scripted)).toEqual({
      line: 'POST /api/v1/namespaces/n/configmaps',
      query: { fieldManager: 'me', fieldValidation: 'Strict', dryRun: 'All' },
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: { a: 'b' } },
      type: 'application/json',
      accept: 'application/json',
    });
  });

  test('an apply', async () => {
    await scripted.client.apply(Namespace, { metadata: { name: 'a' } }, { force: true, fieldManager: 'other' });
    expect(lastRequest(scripted)).toEqual({
      line: 'PATCH /api/v1/namespaces/a',
      query: { fieldManager: 'other', force: 'true' },
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } },
      type: 'application/apply-patch+yaml',
      accept: 'application/json',
    });
  });

  test('a deletion with all that guards it', async () => {
    scripted.server.script(json({ kind: 'Status', status: 'Success' }));
    expect(
      await scripted.client.delete(Deployment, key, { uid: 'u', propagationPolicy: 'Foreground', gracePeriodSeconds: 0, dryRun: true }),
    ).toBeUndefined();
    expect(lastRequest(scripted)).toMatchObject({
      line: 'DELETE /apis/apps/v1/namespaces/n/deployments/a',
      body: { kind: 'DeleteOptions', preconditions: { uid: 'u' }, propagationPolicy: 'Foreground', gracePeriodSeconds: 0, dryRun: ['All'] },
    });
  });

  test('names are encoded', async () => {
    await scripted.client.get({ ...Namespace, plural: 'things' } as KindInfo<Namespace, 'Cluster'>, { name: 'system:a b?c' });
    expect(scripted.server.requests.at(-1)?.url).toBe('/api/v1/things/system%3Aa%20b%3Fc');
  });

  test('a client with other defaults shares the connections', async () => {
    await scripted.client.get(ConfigMap, key);
    await scripted.client.with({ fieldManager: 'other' }).update(ConfigMap, { metadata: key });
    expect(lastRequest(scripted)).toMatchObject({ line: 'PUT /api/v1/namespaces/n/configmaps/a', query: { fieldManager: 'other' } });
    expect(scripted.server.connections).toBe(1);
  });

  test('metadata alone is asked for as such', async () => {
    await scripted.client.get(metadataOf(Pod), key);
    expect(scripted.server.requests.at(-1)?.headers.accept).toBe('application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1');
    scripted.server.script(json({ items: null, metadata: { resourceVersion: '1' } }));
    expect((await scripted.client.list(metadataOf(Pod))).items).toEqual([]);
    expect(scripted.server.requests.at(-1)?.headers.accept).toBe('application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1');
  });

  test('the bodies of status and scale need no metadata', async () => {
    await scripted.client.scale(Deployment).update(key, { spec: { replicas: 3 } });
    expect(lastRequest(scripted)).toMatchObject({
      line: 'PUT /apis/apps/v1/namespaces/n/deployments/a/scale',
      body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: key, spec: { replicas: 3 } },
    });
    await scripted.client.status(Deployment).apply(key, { status: { replicas: 1 } });
    expect(lastRequest(scripted)).toMatchObject({
      line: 'PATCH /apis/apps/v1/namespaces/n/deployments/a/status',
      query: { fieldManager: 'me' },
      body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: key, status: { replicas: 1 } },
    });
  });
});

describe('what cannot become a request is refused before anything is sent', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['empty name', () => scripted.client.get(ConfigMap, { namespace: 'n', name: '' }), 'ConfigMap: the name "" is empty'],
    ['dots that would climb', () => scripted.client.delete(ConfigMap, { namespace: 'n', name: '..' }), `may not be '..'`],
    ['a slash', () => scripted.client.get(ConfigMap, { namespace: 'a/b', name: 'c' }), `the namespace "a/b" may not contain '/'`],
    [
      'no namespace',
      () => scripted.client.create(ConfigMap, { metadata: { name: 'a' } }),
      'ConfigMap "a": metadata.namespace is missing; configmaps are namespaced',
    ],
    [
      'a namespace too many',
      () => scripted.client.create(Namespace, { metadata: { name: 'a', namespace: 'b' } }),
      'Namespace is cluster-scoped',
    ],
    [
      'another kind',
      () => scripted.client.create(ConfigMap, { kind: 'Secret', metadata: key }),
      'ConfigMap "a": kind is "Secret", not "ConfigMap"',
    ],
    ['another version', () => scripted.client.update(ConfigMap, { apiVersion: 'v2', metadata: key }), 'apiVersion is "v2", not "v1"'],
    ['no name', () => scripted.client.update(ConfigMap, { metadata: { namespace: 'n', name: '' } }), 'metadata.name is missing'],
    [
      'no kind',
      () => scripted.client.create({ kind: 'ConfigMap', metadata: key } as never, undefined as never),
      'give the kind first: create(Kind',
    ],
    ['no metadata', () => scripted.client.update(ConfigMap, {} as never), 'ConfigMap: there is no object with metadata to be written'],
    ['no manager', () => scripted.client.with({ fieldManager: undefined }).apply(ConfigMap, { metadata: key }), 'needs a fieldManager'],
    [
      'a wrong selector',
      () => scripted.client.list(ConfigMap, { labels: { a: 'not a value' } }),
      'label selector {"matchLabels":{"a":"not a value"}}',
    ],
  ])('%s', async (_, call, message) => {
    const error = await failure(call());
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({ code: 'KEELSON_CLIENT_REQUEST', actor: 'author', message: expect.stringContaining(message) });
    expect(scripted.server.requests).toHaveLength(0);
  });
});

describe('pages', () => {
  const page = (names: string[], token?: string): ReturnType<typeof json> =>
    json({ metadata: { resourceVersion: '5', continue: token }, items: names.map((name) => ({ metadata: { name } })) });
  const expired = json({ kind: 'Status', code: 410, reason: 'Expired', metadata: { continue: 'later' } }, { status: 410 });
  const names = (items: readonly { metadata: { name: string } }[]): string[] => items.map(({ metadata }) => metadata.name);

  test('an empty first page with a token is not the end (H17)', async () => {
    scripted.server.script(page([], 't'), page(['a']));
    expect(names((await scripted.client.listAll(ConfigMap)).items)).toEqual(['a']);
  });

  test('the token goes on with the selectors, without a resourceVersion', async () => {
    scripted.server.script(page(['a'], 't'), page(['b']));
    await scripted.client.listAll(ConfigMap, { namespace: 'n', labels: { a: 'b' }, resourceVersion: '0', limit: 1 });
    expect(scripted.server.requests.map(({ url }) => Object.fromEntries(new URL(url, 'http://a').searchParams))).toEqual([
      { labelSelector: 'a=b', limit: '1', resourceVersion: '0' },
      { labelSelector: 'a=b', limit: '1', continue: 't' },
    ]);
  });

  test('pages that expire on the way begin anew, with nothing of the old list (H19)', async () => {
    scripted.server.script(page(['gone', 'a'], 't'), expired, page(['a'], 't'), page(['b']));
    expect(names((await scripted.client.listAll(ConfigMap)).items)).toEqual(['a', 'b']);
  });

  test('a list that always expires is given up, and single pages are not repeated in secret', async () => {
    scripted.server.script(page(['a'], 't'), expired, page(['a'], 't'), expired, page(['a'], 't'), expired);
    const error = await failure(scripted.client.listAll(ConfigMap));
    expect(isExpired(error) && error.inconsistentContinue).toBe('later');
    expect(scripted.server.requests).toHaveLength(6);
    scripted.server.script(page(['a'], 't'), expired);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { metadata } of scripted.client.items(ConfigMap)) seen.push(metadata.name);
    })();
    expect(isExpired(await failure(reading))).toBe(true);
    expect(seen).toEqual(['a']);
  });

  test('a page that is not asked for is not fetched', async () => {
    scripted.server.script(page(['a'], 't'), page(['b']));
    for await (const _ of scripted.client.items(ConfigMap)) break;
    expect(scripted.server.requests).toHaveLength(1);
  });
});

describe('retries', () => {
  const lost = async (call: () => Promise<unknown>): Promise<unknown> => {
    scripted.server.script(reset, json({ metadata: { name: 'a' } }));
    const outcome = call().catch((error: unknown) => error);
    await Promise.race([outcome, scripted.clock.timer((delayMs) => delayMs === 50)]);
    scripted.clock.advance(50);
    return outcome;
  };

  test.each<[string, () => Promise<unknown>, boolean]>([
    ['apply', () => scripted.client.apply(ConfigMap, { metadata: key }), true],
    ['update', () => scripted.client.update(ConfigMap, { metadata: key }), true],
    ['merge patch', () => scripted.client.patch(ConfigMap, key, mergePatch({ data: { a: 'b' } })), true],
    ['JSON patch', () => scripted.client.patch(ConfigMap, key, jsonPatch([])), false],
    ['create', () => scripted.client.create(ConfigMap, { metadata: key }), false],
    ['create as a dry run', () => scripted.client.create(ConfigMap, { metadata: key }, { dryRun: true }), true],
  ])('%s after a lost answer', async (_, call, isRepeated) => {
    const outcome = await lost(call);
    expect(outcome instanceof Error).toBe(!isRepeated);
    expect(scripted.server.requests).toHaveLength(isRepeated ? 2 : 1);
  });
});

describe('answers', () => {
  test('a web page in place of an API server is told as that', async () => {
    scripted.server.script((response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>login</html>'));
    expect(await failure(scripted.client.get(ConfigMap, key))).toMatchObject({ code: 'KEELSON_RESPONSE_MALFORMED', actor: 'admin' });
  });

  test('JSON that is none, and JSON that is not an object', async () => {
    scripted.server.script((response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'));
    expect(await failure(scripted.client.get(ConfigMap, key))).toMatchObject({ code: 'KEELSON_RESPONSE_MALFORMED' });
    scripted.server.script(json([1]));
    expect(await failure(scripted.client.get(ConfigMap, key))).toMatchObject({
      message: expect.stringContaining('not an API object, but a list of 1'),
    });
    scripted.server.script(json({ kind: 'ConfigMap', items: 1 }));
    expect(await failure(scripted.client.list(ConfigMap))).toMatchObject({
      message: expect.stringContaining('not a list of configmaps, but a "ConfigMap"'),
    });
  });

  test('a redirect is a refusal', async () => {
    scripted.server.script((response) => void response.writeHead(302, { location: '/login' }).end());
    expect(await failure(scripted.client.get(ConfigMap, key))).toMatchObject({ code: 'KEELSON_API_UNEXPECTED_STATUS', httpStatus: 302 });
  });

  test('keyOf is the key of what was read', async () => {
    scripted.server.script(json({ metadata: { name: 'a', namespace: 'n' } }));
    expect(keyOf(await scripted.client.get(ConfigMap, key))).toEqual(key);
    expect(keyOf({ metadata: { name: 'a' } })).toEqual({ name: 'a' });
  });

  test('a cancelled call is cancelled', async () => {
    expect(isNotFound(await failure(scripted.client.get(ConfigMap, key, { signal: AbortSignal.abort() })))).toBe(false);
    expect(await failure(scripted.client.get(ConfigMap, key, { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'KEELSON_REQUEST_CANCELLED',
    });
  });
});
