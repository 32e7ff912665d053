import type { ApiEvent, JsonObject } from '../../../src/api-server/contract/index.js';
import type { FakeWatch } from './fake-api.js';
import { HandTimer } from './hand-timer.js';
import { type RawConnection, TestServer } from './harness.js';

const C = '/api/v1/namespaces/default/configmaps';
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';

const object = (name: string, more: JsonObject = {}): JsonObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, resourceVersion: '7' },
  ...more,
});
const added = (name: string, more?: JsonObject): ApiEvent => ({ type: 'ADDED', object: object(name, more) });
const bookmark: ApiEvent = {
  type: 'BOOKMARK',
  object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } } },
};

let server: TestServer;
let timer: HandTimer;
beforeEach(async () => {
  timer = new HandTimer();
  server = await TestServer.start({ timer });
});
afterEach(() => server.close());

async function open(query = '', accept = ''): Promise<{ readonly client: RawConnection; readonly watch: FakeWatch }> {
  const header = accept === '' ? '' : `Accept: ${accept}\r\n`;
  const client = server.raw().write(`GET ${C}?watch=1${query} HTTP/1.1\r\nHost: x\r\n${header}\r\n`);
  await client.until(({ received }) => received.includes('\r\n\r\n'));
  return { client, watch: server.api.watches.at(-1) as FakeWatch };
}

/** Frames so far: the chunks' sizes stand on lines of their own. */
function frames({ received }: RawConnection): string[] {
  return received
    .slice(received.indexOf('\r\n\r\n') + 4)
    .split('\n')
    .filter((line) => line.startsWith('{'));
}

test('the head comes at once, events as they happen', async () => {
  const { client, watch } = await open();
  expect(client.received).toContain('HTTP/1.1 200 OK\r\n');
  expect(client.received).toContain('Content-Type: application/json\r\n');
  expect(client.received).toContain('Transfer-Encoding: chunked\r\n');
  expect(frames(client)).toEqual([]);
  watch.push(added('a'));
  await client.until((connection) => frames(connection).length === 1);
  watch.push({ type: 'MODIFIED', object: object('a') }, Promise.resolve<ApiEvent>({ type: 'DELETED', object: object('b') }), bookmark);
  await client.until((connection) => frames(connection).length === 4);
  expect(frames(client)[0]).toBe(
    '{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7"}}}',
  );
  expect(frames(client).map((frame) => JSON.parse(frame).type)).toEqual(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);
});

test('only the first Table of a watch has columns, and bookmarks are rows', async () => {
  const { client, watch } = await open('', TABLE);
  watch.push(added('a'), added('b'), bookmark);
  await client.until((connection) => frames(connection).length === 3);
  const tables = frames(client).map((frame) => JSON.parse(frame).object);
  expect(tables.map(({ columnDefinitions }) => columnDefinitions?.length ?? null)).toEqual([1, null, null]);
  expect(tables[1]).toMatchObject({ kind: 'Table', metadata: { resourceVersion: '7' }, rows: [{ cells: ['b'] }] });
  expect(tables[2].rows[0].object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
});

test('metadata alone is watched, the end of the initial events included', async () => {
  const { client, watch } = await open('', 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1');
  watch.push(added('a', { data: { k: 'v' } }), bookmark);
  await client.until((connection) => frames(connection).length === 2);
  expect(JSON.parse(frames(client)[0] as string).object).toEqual({
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { name: 'a', resourceVersion: '7' },
  });
});

test('metadata of an object is made once for all its watches', async () => {
  let reads = 0;
  const counted = (name: string): ApiEvent => ({
    type: 'ADDED',
    object: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      get metadata() {
        reads += 1;
        return { name, resourceVersion: '7' };
      },
    },
  });
  const readsBy = async (count: number): Promise<number> => {
    const opened: Awaited<ReturnType<typeof open>>[] = [];
    for (let index = 0; index < count; index += 1)
      opened.push(await open('', 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'));
    reads = 0;
    const event = counted(`of ${count}`);
    for (const { watch } of opened) watch.push(event);
    for (const { client } of opened) await client.until((connection) => frames(connection).length === 1);
    return reads;
  };
  const alone = await readsBy(1);
  expect(alone).toBeGreaterThan(0);
  expect(await readsBy(20)).toBe(alone);
});

test('a write that many watches see goes out in many turns of the event loop', async () => {
  const opened: Awaited<ReturnType<typeof open>>[] = [];
  for (let index = 0; index < 60; index += 1) opened.push(await open());
  // Each look at the clock takes a millisecond.
  let nowMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
    nowMs += 1;
    return nowMs;
  });
  const event = added('a');
  for (const { watch } of opened) watch.push(event);
  const served = () => opened.filter(({ watch }) => watch.taken === 1).length;
  const counts: number[] = [];
  for (let turn = 0; served() < opened.length && turn < 1_000; turn += 1) {
    const before = served();
    await new Promise<void>((resolve) => setImmediate(resolve));
    counts.push(served() - before);
  }
  clock.mockRestore();
  expect(served()).toBe(60);
  expect(Math.max(...counts)).toBeLessThanOrEqual(4);
});

test('a watch as a list of metadata ends at its first event', async () => {
  const { client, watch } = await open('', 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1');
  watch.push(added('a'));
  await client.until(({ received }) => received.endsWith('0\r\n\r\n'));
  expect(frames(client)).toEqual([]);
  expect(watch.isClosed).toBe(true);
});

test('a stream of YAML is refused, and the watch closed', async () => {
  const answer = await server.send('GET', `${C}?watch=1`, { headers: { accept: 'application/yaml' } });
  expect(answer.status).toBe(406);
  expect(answer.text).toContain('application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch');
  expect(server.api.watches[0]?.isClosed).toBe(true);
});

test('timeoutSeconds ends the watch in good order: what waits is sent, with a last bookmark', async () => {
  const { client, watch } = await open('&timeoutSeconds=5');
  timer.advance(4_999);
  expect(client.received.endsWith('0\r\n\r\n')).toBe(false);
  watch.push(added('a'), bookmark);
  timer.advance(1);
  await client.until(({ received }) => received.endsWith('0\r\n\r\n'));
  expect(frames(client)).toHaveLength(2);
  expect(watch.isClosed).toBe(true);
  // The connection lives on.
  client.received = '';
  client.write(`GET ${C} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await client.until(({ received }) => received.includes('ConfigMapList'));
});

test('a watch without a limit ends between 30 and 60 minutes', async () => {
  const { client } = await open();
  timer.advance(1_799_000);
  await server.send('GET', C);
  expect(client.received.endsWith('0\r\n\r\n')).toBe(false);
  timer.advance(1_802_000);
  await client.until(({ received }) => received.endsWith('0\r\n\r\n'));
});

test('the time limit of requests is not for watches', async () => {
  const { client } = await open('&timeout=1ns');
  timer.advance(120_000);
  await server.send('GET', C);
  expect(client.isClosed).toBe(false);
});

test('an ERROR is a frame, and the end of the watch the end of the answer', async () => {
  const { client, watch } = await open();
  watch.push({ type: 'ERROR', status: { status: 'Failure', code: 410, reason: 'Expired', message: 'too old resource version: 1 (5)' } });
  watch.finish();
  await client.until(({ received }) => received.endsWith('0\r\n\r\n'));
  expect(frames(client)).toEqual([
    '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 1 (5)","reason":"Expired","code":410}}',
  ]);
});

test('a client that goes away closes its watch', async () => {
  const { client, watch } = await open();
  client.socket.destroy();
  await new Promise<void>((resolve) => {
    const look = (): void => (watch.isClosed ? resolve() : void setImmediate(look));
    look();
  });
});

test('a client that does not read is not written to: events stay where they are', async () => {
  const { client, watch } = await open();
  client.socket.pause();
  const big = 'x'.repeat(200_000);
  for (let index = 0; index < 80; index += 1) watch.push(added(`n${index}`, { data: { big } }));
  // Answers of the same server pass: the loop is free, and the watch stands.
  for (let index = 0; index < 20; index += 1) await server.send('GET', C);
  const taken = watch.taken;
  expect(taken).toBeLessThan(80);
  for (let index = 0; index < 20; index += 1) await server.send('GET', C);
  expect(watch.taken).toBeLessThanOrEqual(taken + 1);
  watch.finish();
  const chunks: Buffer[] = [];
  client.socket.removeAllListeners('data').on('data', (chunk: Buffer) => chunks.push(chunk));
  client.socket.resume();
  await new Promise<void>((resolve) => {
    client.socket.on('data', (chunk: Buffer) => {
      if (chunk.subarray(-5).toString() === '0\r\n\r\n') resolve();
    });
  });
  expect(Buffer.concat(chunks).toString().split('{"type":"ADDED"')).toHaveLength(80 + 1);
});

test('selectors and options arrive as they were sent, a name in the path as a selector', async () => {
  await open('&labelSelector=a%3Db&resourceVersion=5&allowWatchBookmarks=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan');
  expect(server.api.calls.at(-1)).toMatchObject({
    verb: 'watch',
    target: { namespace: 'default', name: '' },
    options: {
      labelSelector: 'a=b',
      resourceVersion: '5',
      allowWatchBookmarks: true,
      sendInitialEvents: false,
      resourceVersionMatch: 'NotOlderThan',
    },
  });
  const client = server.raw().write('GET /api/v1/watch/namespaces/default/configmaps/a HTTP/1.1\r\nHost: x\r\n\r\n');
  await client.until(({ received }) => received.includes('\r\n\r\n'));
  expect(server.api.calls.at(-1)?.options).toEqual({ fieldSelector: 'metadata.name=a' });
});

test('an event that is a bug cuts the connection, and the server lives', async () => {
  const { client, watch } = await open();
  watch.push(Promise.reject(new Error('broken conversion')));
  await client.closed();
  expect(client.received.endsWith('0\r\n\r\n')).toBe(false);
  expect(server.bugs).toEqual([new Error('broken conversion')]);
  expect((await server.send('GET', C)).status).toBe(200);
});

test('a server that closes ends its watches in good order', async () => {
  const { client, watch } = await open();
  watch.push(added('a'));
  await client.until((connection) => frames(connection).length === 1);
  await server.close();
  await client.closed();
  expect(client.received.endsWith('0\r\n\r\n')).toBe(true);
  expect(watch.isClosed).toBe(true);
});
