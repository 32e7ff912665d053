import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { ConfigMap } from 'keelson/kinds/core/v1';
import {
  type EventIdentity,
  isExpired,
  isNotFound,
  isTooManyRequests,
  metadataOf,
  type WatchEvent,
  type WatchStream,
} from '../../../src/runtime/client/index.js';
import { type Answer, json } from '../http/scripted-server.js';
import { failure, lastRequest, type ScriptedClient, scriptedClient } from './scripted-client.js';

let scripted: ScriptedClient;
beforeEach(async () => {
  scripted = await scriptedClient();
});
afterEach(() => scripted.stop());

const event = (type: string, name: string, data?: object): object => ({
  type,
  object: { metadata: { name, resourceVersion: '1' }, ...data },
});
const lines = (...events: object[]): string => events.map((item) => `${JSON.stringify(item)}\n`).join('');
const says =
  (text: string | Buffer): Answer =>
  (response) =>
    void response.end(text);

async function read(watch: WatchStream<unknown>): Promise<WatchEvent<unknown>[]> {
  const events: WatchEvent<unknown>[] = [];
  for await (const item of watch) events.push(item);
  return events;
}

/** Writes the parts one by one, each only when the one before has left. */
async function writeParts(response: ServerResponse, parts: readonly Buffer[]): Promise<void> {
  response.socket?.setNoDelay(true);
  for (const part of parts) await new Promise((resolve) => response.write(part, () => setImmediate(resolve)));
  response.end();
}

test('a watch asks for bookmarks, ends before load balancers do, and names what it selects (H14)', async () => {
  scripted.server.script(says(''));
  await read(
    await scripted.client.watch(ConfigMap, {
      namespace: 'a',
      labels: { b: 'c' },
      fieldSelector: { 'metadata.name': 'x,y' },
      resourceVersion: '7',
    }),
  );
  const url = new URL(scripted.server.requests[0]?.url ?? '', 'http://a');
  expect(url.pathname).toBe('/api/v1/namespaces/a/configmaps');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    watch: 'true',
    labelSelector: 'b=c',
    fieldSelector: 'metadata.name=x\\,y',
    allowWatchBookmarks: 'true',
    timeoutSeconds: '290',
    resourceVersion: '7',
  });
});

test('a watch may begin with what there is, end at another time, and go without bookmarks', async () => {
  scripted.server.script(says(''));
  const initial = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const;
  await read(await scripted.client.watch(ConfigMap, { ...initial, timeoutSeconds: 7, allowWatchBookmarks: false }));
  expect(lastRequest(scripted)).toMatchObject({
    line: 'GET /api/v1/configmaps',
    query: { watch: 'true', sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', timeoutSeconds: '7' },
  });
  expect(lastRequest(scripted).query).not.toHaveProperty('allowWatchBookmarks');
});

test('a watch of metadata alone asks for it, and names the kind in place of its envelope', async () => {
  const metadata = { name: 'a', resourceVersion: '1' };
  scripted.server.script(says(lines({ type: 'ADDED', object: { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata } })));
  expect(await read(await scripted.client.watch(metadataOf(ConfigMap)))).toEqual([
    { type: 'ADDED', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } },
  ]);
  expect(lastRequest(scripted).accept).toBe('application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1');
});

test('a bookmark is not the end of the initial events unless it says so', async () => {
  const bookmark = (annotations: object | undefined): object => ({
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion: '9', annotations } },
  });
  scripted.server.script(
    says(lines(bookmark(undefined), bookmark({ 'k8s.io/initial-events-end': 'false' }), bookmark({ 'k8s.io/initial-events-end': 'true' }))),
  );
  const ends = (await read(await scripted.client.watch(ConfigMap))).map((item) => item.type === 'BOOKMARK' && item.initialEventsEnd);
  expect(ends).toEqual([false, false, true]);
});

describe('objects that the reader knows', () => {
  const identified = (type: string, name: string): object => ({
    type,
    object: { metadata: { name, namespace: 'n', uid: `u-${name}`, resourceVersion: '7' } },
  });
  const sent = lines(identified('ADDED', 'a'), identified('MODIFIED', 'b'), identified('DELETED', 'b'));

  async function readKnown(hasAny: boolean): Promise<{ events: WatchEvent<unknown>[]; asked: EventIdentity[] }> {
    scripted.server.script(says(sent));
    const events: WatchEvent<unknown>[] = [];
    const asked: EventIdentity[] = [];
    const find = (identity: EventIdentity): never | undefined => {
      asked.push(identity);
      return identity.name === 'b' ? (OWN as never) : undefined;
    };
    for await (const batch of (await scripted.client.watch(ConfigMap)).batches({ hasAny, find })) events.push(...batch);
    return { events, asked };
  }
  const OWN = { own: true };

  test('come in the place of the parsed ones, but not for deletions', async () => {
    const { events, asked } = await readKnown(true);
    expect(events).toEqual([
      { type: 'ADDED', object: expect.objectContaining({ kind: 'ConfigMap' }) },
      { type: 'MODIFIED', object: OWN },
      { type: 'DELETED', object: expect.objectContaining({ kind: 'ConfigMap' }) },
    ]);
    expect(asked.map(({ type, name }) => [type, name])).toEqual([
      ['ADDED', 'a'],
      ['MODIFIED', 'b'],
    ]);
  });

  test('are not asked for while there are none', async () => {
    const { events, asked } = await readKnown(false);
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(events).not.toContainEqual({ type: 'MODIFIED', object: OWN });
    expect(asked).toEqual([]);
  });
});

test('a watch that is closed ends without an error, also while it waits', async () => {
  scripted.server.script((response) => void response.write(lines(event('ADDED', 'a'))));
  const watch = await scripted.client.watch(ConfigMap);
  const seen: string[] = [];
  for await (const { type } of watch) {
    seen.push(type);
    setImmediate(() => watch.close());
  }
  expect(seen).toEqual(['ADDED']);
  await scripted.server.drained();
});

test('events come in order, with the identity of their kind, and a bookmark is not an object', async () => {
  const bookmark = {
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } } },
  };
  scripted.server.script(says(`\n${lines(event('ADDED', 'a'), event('MODIFIED', 'a'), event('DELETED', 'a'), bookmark)}\n`));
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '1' } };
  expect(await read(await scripted.client.watch(ConfigMap))).toEqual([
    { type: 'ADDED', object },
    { type: 'MODIFIED', object },
    { type: 'DELETED', object },
    { type: 'BOOKMARK', resourceVersion: '9', initialEventsEnd: true },
  ]);
});

test('wherever the stream is cut into chunks, within characters too, the events are the same (H25)', async () => {
  const texts = fc.array(fc.record({ name: fc.string({ unit: 'grapheme' }), big: fc.boolean() }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(texts, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), async (items, cuts) => {
      const sent = items.map(({ name, big }) => event('ADDED', `${name}ü€😀`, { data: { a: big ? '😀'.repeat(30_000) : name } }));
      const bytes = Buffer.from(lines(...sent));
      const places = [0, ...cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b), bytes.length];
      const parts = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
      scripted.server.script(
        (response) =>
          void writeParts(
            response,
            parts.filter(({ length }) => length > 0),
          ),
      );
      const got = await read(await scripted.client.watch(ConfigMap));
      expect(got).toEqual(
        sent.map((item) => ({ type: 'ADDED', object: { apiVersion: 'v1', kind: 'ConfigMap', ...(item as { object: object }).object } })),
      );
    }),
    { numRuns: 40 },
  );
});

test('every single byte as a chunk of its own gives the same events (H25)', async () => {
  const bytes = Buffer.from(lines(event('ADDED', 'ü€😀'), event('DELETED', '日本')));
  scripted.server.script(
    (response) =>
      void writeParts(
        response,
        [...bytes].map((byte) => Buffer.from([byte])),
      ),
  );
  const names = (await read(await scripted.client.watch(ConfigMap))).map(
    (item) => (item as { object: { metadata: { name: string } } }).object.metadata.name,
  );
  expect(names).toEqual(['ü€😀', '日本']);
});

test('a batch is never empty, whatever arrives together', async () => {
  const gone = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } };
  const [line, refusal] = [lines(event('ADDED', 'a')), lines(gone)];
  let response: ServerResponse | undefined;
  scripted.server.script((begun) => {
    response = begun;
    begun.write(line.slice(0, 10));
  });
  const silentMs = 60_000;
  const watch = await scripted.client.watch(ConfigMap, { silentMs });
  const sizes: number[] = [];
  const reading = (async () => {
    for await (const events of watch.batches()) sizes.push(events.length);
  })();
  // Once for the beginning of the body, and again after what came of it.
  while (scripted.clock.timesSet(silentMs) < 2) await new Promise((resolve) => setImmediate(resolve));
  response?.write(line.slice(10));
  while (!sizes.includes(1)) await new Promise((resolve) => setImmediate(resolve));
  response?.end(refusal);
  expect(isExpired(await failure(reading))).toBe(true);
  expect(sizes).toEqual([1]);
});

test('batches hold what arrived together', async () => {
  scripted.server.script(says(lines(event('ADDED', 'a'), event('ADDED', 'b'))));
  const sizes: number[] = [];
  for await (const events of (await scripted.client.watch(ConfigMap)).batches()) sizes.push(events.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2);
});

test('an event beyond the limit ends the watch before it fills the memory', async () => {
  scripted.server.script((response) => void response.write(`{"type":"ADDED","object":{"a":"${'x'.repeat(100_000)}`));
  const watch = await scripted.client.watch(ConfigMap, { maxFrameBytes: 10_000 });
  expect(await failure(read(watch))).toMatchObject({ code: 'KEELSON_RESPONSE_TOO_LARGE', limitBytes: 10_000 });
  await scripted.server.drained();
});

test('an event of exactly the limit is read, one of a byte more is not', async () => {
  const line = lines(event('ADDED', 'ü'));
  const bytes = Buffer.byteLength(line) - 1;
  for (const end of ['\n', '']) {
    scripted.server.script(says(line + line.trimEnd() + end));
    const reading = read(await scripted.client.watch(ConfigMap, { maxFrameBytes: bytes - 1 }));
    expect(await failure(reading)).toMatchObject({ code: 'KEELSON_RESPONSE_TOO_LARGE' });
  }
  scripted.server.script(says(line + line));
  expect(await read(await scripted.client.watch(ConfigMap, { maxFrameBytes: bytes }))).toHaveLength(2);
});

test('an event may have 16 MiB by default', async () => {
  const text = (bytes: number): string => {
    const empty = lines(event('ADDED', 'a', { data: '' }));
    return lines(event('ADDED', 'a', { data: 'x'.repeat(bytes - (empty.length - 1)) }));
  };
  scripted.server.script(says(text(16_777_216)));
  expect(await read(await scripted.client.watch(ConfigMap))).toHaveLength(1);
  scripted.server.script(says(text(16_777_217)));
  expect(await failure(read(await scripted.client.watch(ConfigMap)))).toMatchObject({
    code: 'KEELSON_RESPONSE_TOO_LARGE',
    limitBytes: 16_777_216,
  });
});

test('a stream that ends within an event, cleanly or not, is a broken connection', async () => {
  scripted.server.script(says(`${lines(event('ADDED', 'a'))}{"type":"ADD`));
  const seen: string[] = [];
  const watch = await scripted.client.watch(ConfigMap);
  const reading = (async () => {
    for await (const { type } of watch) seen.push(type);
  })();
  expect(await failure(reading)).toMatchObject({ code: 'KEELSON_CONNECTION_FAILED', message: expect.stringContaining('within an event') });
  expect(seen).toEqual(['ADDED']);
  scripted.server.script((response) => void response.write('{"type":', () => response.socket?.resetAndDestroy()));
  expect(await failure(read(await scripted.client.watch(ConfigMap)))).toMatchObject({ code: 'KEELSON_CONNECTION_FAILED' });
});

describe('410 in both its forms (H9)', () => {
  const gone = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old resource version: 1 (7)' };

  test('as the answer', async () => {
    scripted.server.script(json(gone, { status: 410 }));
    expect(isExpired(await failure(scripted.client.watch(ConfigMap, { resourceVersion: '1' })))).toBe(true);
    await scripted.server.drained();
  });

  test('as an event, after those that came before it in the same chunk', async () => {
    scripted.server.script(says(lines(event('ADDED', 'a'), { type: 'ERROR', object: gone })));
    const watch = await scripted.client.watch(ConfigMap);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { type } of watch) seen.push(type);
    })();
    expect(isExpired(await failure(reading))).toBe(true);
    expect(seen).toEqual(['ADDED']);
  });
});

test('a refusal is never taken for an event (H22)', async () => {
  const status = {
    kind: 'Status',
    code: 429,
    reason: 'TooManyRequests',
    message: 'storage is (re)initializing',
    details: { retryAfterSeconds: 60 },
  };
  scripted.server.script(json(status, { status: 429, headers: { 'retry-after': '60' } }));
  const answered = await failure(scripted.client.watch(ConfigMap));
  expect(isTooManyRequests(answered) && answered.retryAfterMs).toBe(60_000);
  scripted.server.script(says(lines(status)));
  const streamed = await failure(read(await scripted.client.watch(ConfigMap)));
  expect(isTooManyRequests(streamed) && streamed.retryAfterMs).toBe(60_000);
});

test('a watch of what is not served is a NotFound for the admin', async () => {
  scripted.server.script((response) => void response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n'));
  const error = await failure(scripted.client.watch(ConfigMap));
  expect(isNotFound(error) && [error.isServed, error.actor, error.status.message]).toEqual([false, 'admin', '404 page not found']);
});

test.each(['<html>', '{"type":"ADDED"}', 'null', '{"type":"OTHER","object":{}}', '{"type":"ERROR","object":{}}'])(
  'what is not an event is told as that: %s',
  async (line) => {
    scripted.server.script(says(`${line}\n`));
    expect(await failure(read(await scripted.client.watch(ConfigMap)))).toMatchObject({ code: 'KEELSON_RESPONSE_MALFORMED' });
  },
);

test('silence beyond the server’s own limit ends the watch (H11), silence within it does not (H12)', async () => {
  scripted.server.script((response) => response.flushHeaders());
  const watch = await scripted.client.watch(ConfigMap);
  const failed = failure(read(watch));
  await scripted.clock.timer((delayMs) => delayMs === 295_000);
  scripted.clock.advance(294_999);
  expect(scripted.server.openSockets).toBe(1);
  scripted.clock.advance(1);
  expect(await failed).toMatchObject({ code: 'KEELSON_DEADLINE_EXCEEDED', phase: 'body' });
  expect(scripted.server.requests).toHaveLength(1);
});

test('how long silence may last follows the time of the watch, or is given', async () => {
  scripted.server.script((response) => response.flushHeaders());
  for (const [options, silentMs] of [
    [{ timeoutSeconds: 7 }, 12_000],
    [{ timeoutSeconds: 7, silentMs: 1_500 }, 1_500],
  ] as const) {
    const failed = failure(read(await scripted.client.watch(ConfigMap, options)));
    await scripted.clock.timer((delayMs) => delayMs === silentMs);
    scripted.clock.advance(silentMs);
    expect(await failed).toMatchObject({ code: 'KEELSON_DEADLINE_EXCEEDED', phase: 'body' });
  }
});

test('what a consumer throws reaches the consumer, and the connection is closed (H23)', async () => {
  scripted.server.script((response) => void response.write(lines(event('ADDED', 'a'))));
  const watch = await scripted.client.watch(ConfigMap);
  const reading = (async () => {
    for await (const { type } of watch) throw new Error(`handler of ${type}`);
  })();
  expect(String(await failure(reading))).toBe('Error: handler of ADDED');
  await scripted.server.drained();
});

test('a slow consumer gets the events one after the other, in order (H24)', async () => {
  scripted.server.script(says(lines(...Array.from({ length: 20 }, (_, index) => event('MODIFIED', String(index))))));
  let busy = 0;
  const names: string[] = [];
  for await (const item of await scripted.client.watch(ConfigMap)) {
    busy += 1;
    await new Promise((resolve) => setImmediate(resolve));
    expect(busy).toBe(1);
    busy -= 1;
    if (item.type !== 'BOOKMARK') names.push(item.object.metadata.name);
  }
  expect(names).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
});
