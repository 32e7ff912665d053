import { getEventListeners } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  type AttemptReport,
  ClientClosedError,
  ConnectionError,
  connectionOf,
  type HttpRequest,
  MalformedResponseError,
  RequestCancelledError,
  ResponseTooLargeError,
  Transport,
  type TransportOptions,
} from '../../../src/runtime/http/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { json, reset, ScriptedServer, silence } from './scripted-server.js';

let server: ScriptedServer;
let clock: FakeClock;
const transports: Transport[] = [];

beforeEach(async () => {
  server = await ScriptedServer.start();
  clock = new FakeClock();
});
afterEach(async () => {
  for (const transport of transports.splice(0)) transport.close();
  await server.stop();
});

/** Pauses without chance: half of the bound. */
function transport(options: Partial<TransportOptions> = {}): Transport {
  const made = new Transport({ connection: connectionOf({ server: server.url, clock }), clock, random: () => 0.5, ...options });
  transports.push(made);
  return made;
}

const get: HttpRequest = { method: 'GET', path: '/a?b=c' };
const post: HttpRequest = { method: 'POST', path: '/a', body: '{}' };

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`it did not fail: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}

/** Lets the pending pause of a retry go by. */
async function passPause(ms: number): Promise<void> {
  await clock.timer((delayMs) => delayMs === ms);
  clock.advance(ms);
}

describe('an exchange', () => {
  test('a hundred requests in a row use one connection (N6)', async () => {
    server.script(json({}));
    const client = transport();
    for (let index = 0; index < 100; index++) await client.request(get);
    expect(server.connections).toBe(1);
    expect(clock.pending).toBe(0);
  });

  test('method, path, body and headers arrive', async () => {
    server.script(json({ ok: true }, { status: 201 }));
    const client = transport({ userAgent: 'me/1' });
    const { status, body } = await client.request({
      method: 'POST',
      path: '/x?y=%20',
      headers: { 'content-type': 'text/plain' },
      body: 'über',
    });
    expect([status, body.toString()]).toEqual([201, '{"ok":true}']);
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      url: '/x?y=%20',
      body: 'über',
      headers: { 'user-agent': 'me/1', accept: 'application/json', 'content-type': 'text/plain', 'content-length': '5' },
    });
  });

  test('characters of a header beyond ASCII are the same bytes with a body and without one', async () => {
    server.script(json({}));
    for (const headers of [{ 'x-name': 'Jürgen' }, { 'x-name': ['Jürgen', 'Zoë'] }] as const) {
      await transport().request({ ...get, headers });
      await transport().request({ ...post, headers });
      await transport().request({ ...post, body: Buffer.from('{}'), headers });
    }
    expect(server.requests.map(({ headers }) => headers['x-name'])).toEqual([...Array(3).fill('Jürgen'), ...Array(3).fill('Jürgen, Zoë')]);
  });

  test('a server behind a path is asked under that path', async () => {
    server.script(json({}));
    await transport({ connection: connectionOf({ server: `${server.url}/proxied/`, clock }) }).request(get);
    expect(server.requests[0]?.url).toBe('/proxied/a?b=c');
  });

  test('a redirect is an answer, not followed', async () => {
    server.script((response) => response.writeHead(302, { location: '/elsewhere' }).end());
    expect((await transport().request(get)).status).toBe(302);
    expect(server.requests).toHaveLength(1);
  });

  test('each attempt is reported', async () => {
    server.script(json({}, { status: 503 }), json({}));
    const reports: AttemptReport[] = [];
    const done = transport({ onAttempt: (report) => reports.push(report) }).request(get);
    await passPause(50);
    await done;
    expect(reports.map(({ outcome }) => outcome)).toEqual([503, 200]);
  });

  test('an attempt is reported with its verb, its host and how long it took', async () => {
    clock.advance(60_000);
    server.script((response) => {
      clock.advance(7);
      response.writeHead(200).end('{}');
    });
    const reports: AttemptReport[] = [];
    await transport({ onAttempt: (report) => reports.push(report) }).request(get);
    expect(reports).toEqual([{ method: 'GET', host: new URL(server.url).host, outcome: 200, durationMs: 7 }]);
  });
});

describe('zipped answers', () => {
  test('are unzipped', async () => {
    server.script((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":"ü"}')));
    expect((await transport().request(get)).body.toString()).toBe('{"a":"ü"}');
    expect(server.requests[0]?.headers['accept-encoding']).toBe('gzip');
  });

  test('an answer without a body is empty, whatever its head says of an encoding', async () => {
    server.script((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end());
    expect((await transport().request(get)).body).toHaveLength(0);
  });

  test('are not asked for where that is not wanted, nor for streams', async () => {
    server.script(json({}));
    await transport({ gzip: false }).request(get);
    (await transport().stream(get)).close();
    expect(server.requests.map(({ headers }) => headers['accept-encoding'])).toEqual(['identity', 'identity']);
  });

  test('a few bytes that unfold beyond the limit are refused', async () => {
    server.script((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))));
    expect(await failure(transport({ maxResponseBytes: 100_000 }).request(get))).toBeInstanceOf(ResponseTooLargeError);
  });

  test('what is not a gzip, and an encoding that was not offered, are told', async () => {
    server.script((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'));
    expect(await failure(transport().request(get))).toBeInstanceOf(MalformedResponseError);
    server.script((response) => response.writeHead(200, { 'content-encoding': 'br' }).end('plain'));
    expect(String(await failure(transport().request(get)))).toContain('"br"');
  });
});

describe('bounds', () => {
  test('a body beyond the limit is not read on', async () => {
    let closed: Promise<unknown> | undefined;
    server.script((response) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const error = await failure(transport({ maxResponseBytes: 1_000_000 }).request(get));
    expect(error).toMatchObject({ code: 'KEELSON_RESPONSE_TOO_LARGE', limitBytes: 1_000_000 });
    await closed;
  });

  test('H32: no more requests are under way than allowed, and the others follow in order', async () => {
    let underWay = 0;
    let most = 0;
    server.script((response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      // Later than all that could have been sent meanwhile.
      setImmediate(() =>
        setImmediate(() => {
          underWay -= 1;
          response.end('{}');
        }),
      );
    });
    const client = transport({ maxInFlight: 2 });
    const finished: number[] = [];
    await Promise.all(
      [0, 1, 2, 3, 4, 5].map((index) => client.request({ method: 'GET', path: `/${index}` }).then(() => finished.push(index))),
    );
    expect(most).toBe(2);
    expect(server.requests.map(({ url }) => url).sort()).toEqual(['/0', '/1', '/2', '/3', '/4', '/5']);
    expect(new Set(finished.slice(0, 2))).toEqual(new Set([0, 1]));
  });

  test('to wait for room is not to wait for a connection: it has no deadline of its own', async () => {
    let release = (): void => {};
    server.script((response) => (release = () => void response.end('{}')), json({}));
    const client = transport({ maxInFlight: 1, deadlines: { connectMs: 1_000 } });
    const both = [client.request(get), client.request(get)];
    await clock.timer((delayMs) => delayMs === 65_000);
    clock.advance(60_000);
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    release();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('a request that waits for room ends with its signal, and its place is not lost', async () => {
    let release = (): void => {};
    server.script((response) => (release = () => void response.end('{}')), json({}));
    const client = transport({ maxInFlight: 1 });
    const first = client.request(get);
    const controller = new AbortController();
    const waiting = failure(client.request({ ...get, signal: controller.signal }));
    const third = client.request(get);
    controller.abort(new Error('enough'));
    expect(await waiting).toBeInstanceOf(RequestCancelledError);
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    release();
    await first;
    await third;
    expect(server.requests).toHaveLength(2);
  });
});

describe('deadlines', () => {
  test('headers that do not come', async () => {
    server.script(silence);
    const failed = failure(transport().request(get));
    await clock.timer((delayMs) => delayMs === 65_000);
    clock.advance(65_000);
    expect(await failed).toMatchObject({ code: 'KEELSON_DEADLINE_EXCEEDED', phase: 'headers', afterMs: 65_000 });
    await server.drained();
    expect(clock.pending).toBe(0);
  });

  test('a body that stops; one that is slow but alive is waited for', async () => {
    server.script((response) => {
      response.write('{"a":');
    });
    const failed = failure(transport().request(get));
    for (let round = 0; round < 2; round++) {
      await clock.timer((delayMs) => delayMs === 30_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    clock.advance(30_000);
    expect(await failed).toMatchObject({ phase: 'body' });
    await server.drained();
  });

  test('a server that takes the connection and never finishes TLS: nothing has been sent', async () => {
    const mute = createServer(() => {});
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    const greeted = new Promise<Socket>((resolve) => mute.once('connection', resolve));
    const failed = failure(transport({ connection: connectionOf({ server: `https://127.0.0.1:${port}`, clock }) }).request(post));
    const socket = await greeted;
    clock.advance(10_000);
    expect(await failed).toMatchObject({ code: 'KEELSON_DEADLINE_EXCEEDED', phase: 'connect' });
    socket.destroy();
    await new Promise((resolve) => mute.close(resolve));
  });

  test('a total deadline holds over attempts and pauses', async () => {
    server.script(json({}, { status: 503, headers: { 'retry-after': '20' } }));
    const failed = failure(transport().request({ ...get, deadlineMs: 50_000 }));
    for (const pause of [20_050, 20_100]) await passPause(pause);
    await clock.timer((delayMs) => delayMs === 20_200);
    clock.advance(9_850);
    expect(await failed).toMatchObject({ phase: 'total', afterMs: 50_000 });
    expect(server.requests).toHaveLength(3);
    expect(clock.pending).toBe(0);
  });
});

describe('cancellation', () => {
  test('before, during headers, during the body and during a pause', async () => {
    const signalled = AbortSignal.abort(new Error('early'));
    const client = transport();
    expect(String(await failure(client.request({ ...get, signal: signalled })))).toContain('GET /a: cancelled: early');
    expect(server.requests).toHaveLength(0);
    for (const script of [silence, (response: Parameters<typeof silence>[0]) => void response.write('{'), json({}, { status: 503 })]) {
      server.script(script);
      const controller = new AbortController();
      const before = server.requests.length;
      const failed = failure(client.request({ ...get, signal: controller.signal }));
      while (server.requests.length === before) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(new Error('enough'));
      expect(await failed).toBeInstanceOf(RequestCancelledError);
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    }
    expect(clock.pending).toBe(0);
  });

  test('many requests under one long-lived signal leave nothing behind (H64)', async () => {
    server.script(json({}));
    const client = transport();
    const { signal } = new AbortController();
    for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 50 }, () => client.request({ ...get, signal })));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('requests that are under way together share one listener', async () => {
    server.script(silence);
    const client = transport();
    const controller = new AbortController();
    const failed = Array.from({ length: 30 }, () => failure(client.request({ ...get, signal: controller.signal })));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    controller.abort(new Error('enough'));
    for (const error of await Promise.all(failed)) expect(error).toBeInstanceOf(RequestCancelledError);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('close ends what is under way and frees the sockets; later requests are refused', async () => {
    server.script(silence);
    const client = transport();
    const failed = failure(client.request(get));
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    client.close();
    expect(await failed).toBeInstanceOf(ClientClosedError);
    await server.drained();
    expect(await failure(client.request(get))).toBeInstanceOf(ClientClosedError);
    client.close();
  });
});

describe('the moment before a request leaves', () => {
  test('H58 what is ended there does not leave: on a new connection, on one that is kept, and at a second try', async () => {
    server.script(json({}), json({}, { status: 429, headers: { 'retry-after': '1' } }), json({}));
    let term = new AbortController();
    let isOver = true;
    const client = transport({ beforeSend: () => isOver && term.abort(new Error('the term is over')) });
    const refused = async (): Promise<void> => {
      expect(await failure(client.request({ ...post, signal: term.signal }))).toBeInstanceOf(RequestCancelledError);
      term = new AbortController();
    };
    await refused();
    // It stood when it was asked: what waits for a handshake would leave in the next moment.
    expect([server.connections, server.requests]).toEqual([1, []]);
    isOver = false;
    await client.request(post);
    isOver = true;
    await refused();
    expect(server.requests).toHaveLength(1);
    isOver = false;
    const retried = failure(client.request({ ...post, signal: term.signal }));
    await clock.timer((delayMs) => delayMs === 1_050);
    isOver = true;
    clock.advance(1_050);
    expect(await retried).toBeInstanceOf(RequestCancelledError);
    expect(server.requests).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });
});

describe('retries', () => {
  test('429 and 503 wait as long as the server says, with any verb', async () => {
    server.script(
      json({}, { status: 429, headers: { 'retry-after': '7' } }),
      json({}, { status: 503, headers: { 'retry-after': '3' } }),
      json({}),
    );
    const done = transport().request(post);
    await passPause(7_050);
    await passPause(3_100);
    expect((await done).status).toBe(200);
    expect(server.requests).toHaveLength(3);
  });

  test('Retry-After as a date is a span from now', async () => {
    server.script(json({}, { status: 503, headers: { 'retry-after': new Date(clock.wallMs() + 5_000).toUTCString() } }), json({}));
    const done = transport().request(post);
    await passPause(5_050);
    expect((await done).status).toBe(200);
  });

  test('a wait beyond the limit is the caller’s to decide', async () => {
    server.script(json({}, { status: 429, headers: { 'retry-after': '31' } }));
    expect((await transport().request(get)).status).toBe(429);
    expect(server.requests).toHaveLength(1);
  });

  test('a 429 that says nothing about when is handed on at once', async () => {
    server.script(json({}, { status: 429 }));
    expect((await transport().request(get)).status).toBe(429);
  });

  test('5xx of a gateway: a read is repeated, a creation or a change is not', async () => {
    server.script(json({}, { status: 502 }), json({}));
    const done = transport().request(get);
    await passPause(50);
    expect((await done).status).toBe(200);
    for (const method of ['POST', 'PATCH'] as const) {
      server.script(json({}, { status: 504 }));
      expect((await transport().request({ ...post, method })).status).toBe(504);
      expect(server.requests.filter((request) => request.method === method)).toHaveLength(1);
    }
  });

  test('a reset: a read is repeated, a creation is not, whatever of the answer had come', async () => {
    const torn: Parameters<ScriptedServer['script']>[0] = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"a":', () => response.socket?.resetAndDestroy());
    };
    for (const broken of [reset, torn]) {
      server.script(broken, json({ fine: true }));
      const done = transport().request(get);
      await passPause(50);
      expect((await done).body.toString()).toBe('{"fine":true}');
      server.script(broken, json({}));
      expect(await failure(transport().request(post))).toMatchObject({ code: 'KEELSON_CONNECTION_FAILED', sent: true });
    }
  });

  test('a request that says that it is idempotent is repeated in spite of its verb', async () => {
    server.script(reset, json({}));
    const done = transport().request({ ...post, idempotent: true });
    await passPause(50);
    expect((await done).status).toBe(200);
  });

  test('a kept-alive connection that breaks under a request is replaced at once; a creation on it is not repeated (H67)', async () => {
    const client = transport();
    server.script(json({}), reset, json({}));
    await client.request(get);
    const done = client.request(get);
    await passPause(0);
    expect((await done).status).toBe(200);
    server.script(reset, json({}));
    expect(await failure(client.request(post))).toMatchObject({ sent: true, reusedSocket: true });
  });

  test('a refused connection is retried with any verb, with growing pauses, and then told', async () => {
    await server.stop();
    const client = transport({ retry: { maxAttempts: 4 } });
    const failed = failure(client.request(post));
    for (const pause of [50, 100, 200]) await passPause(pause);
    const error = await failed;
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ sent: false, actor: 'nobody', message: expect.stringContaining('ECONNREFUSED') });
  });

  test('attempts are bounded', async () => {
    server.script(json({}, { status: 503, headers: { 'retry-after': '1' } }));
    const done = transport({ retry: { maxAttempts: 3 } }).request(get);
    for (const pause of [1_050, 1_100]) await passPause(pause);
    expect((await done).status).toBe(503);
    expect(server.requests).toHaveLength(3);
  });

  test('a pause holds no room: others go on', async () => {
    server.script(json({}, { status: 503, headers: { 'retry-after': '5' } }), json({}));
    const client = transport({ maxInFlight: 1 });
    const slow = client.request(get);
    await clock.timer((delayMs) => delayMs === 5_050);
    expect((await client.request(get)).status).toBe(200);
    clock.advance(5_050);
    expect((await slow).status).toBe(200);
  });
});

describe('streams', () => {
  test('have a connection each, which ends with the loop', async () => {
    server.script((response) => void response.write('first\n'));
    const client = transport();
    const streams = await Promise.all([0, 1, 2].map(() => client.stream(get)));
    expect(server.connections).toBe(3);
    for (const { chunks } of streams) {
      for await (const chunk of chunks) {
        expect(chunk.toString()).toBe('first\n');
        break;
      }
    }
    await server.drained();
    expect(clock.pending).toBe(0);
  });

  test('a quiet stream outlives every other deadline (H12), and a dead one does not live for ever (H11)', async () => {
    let say = (_: string): void => {};
    server.script((response) => {
      say = (text) => void response.write(text);
      response.flushHeaders();
    });
    const { chunks } = await transport().stream({ ...get, deadlines: { bodyIdleMs: 295_000 } });
    const first = chunks.next();
    await clock.timer((delayMs) => delayMs === 295_000);
    clock.advance(290_000);
    say('alive');
    expect((await first).value?.toString()).toBe('alive');
    const second = failure(chunks.next());
    await clock.timer((delayMs) => delayMs === 295_000);
    clock.advance(294_000);
    clock.advance(1_000);
    expect(await second).toMatchObject({ code: 'KEELSON_DEADLINE_EXCEEDED', phase: 'body' });
    await server.drained();
  });

  test('time that the consumer takes is not silence', async () => {
    server.script((response) => void response.write('a'));
    const { chunks, close } = await transport().stream({ ...get, deadlines: { bodyIdleMs: 1_000 } });
    await chunks.next();
    clock.advance(60_000);
    expect(clock.pending).toBe(0);
    const next = chunks.next();
    close();
    expect((await next).done).toBe(true);
  });

  test('a torn stream is an error, an ended one is none', async () => {
    server.script((response) => void response.end('all'));
    const whole = await transport().stream(get);
    const parts: string[] = [];
    for await (const chunk of whole.chunks) parts.push(chunk.toString());
    expect(parts.join('')).toBe('all');
    server.script((response) => void response.write('some', () => response.socket?.resetAndDestroy()));
    const torn = await transport().stream(get);
    const read = async (): Promise<void> => {
      for await (const chunk of torn.chunks) expect(chunk.toString()).toBe('some');
    };
    expect(await failure(read())).toBeInstanceOf(ConnectionError);
  });

  test('ends with its signal, with close when nobody reads, and with the transport', async () => {
    server.script((response) => void response.write('a'));
    const client = transport();
    const controller = new AbortController();
    const signalled = await client.stream({ ...get, signal: controller.signal });
    await signalled.chunks.next();
    const pending = failure(signalled.chunks.next());
    controller.abort(new Error('enough'));
    expect(await pending).toBeInstanceOf(RequestCancelledError);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    (await client.stream(get)).close();
    await server.drained();
    const last = await client.stream(get);
    const reading = failure(
      (async () => {
        for await (const _ of last.chunks);
      })(),
    );
    client.close();
    expect(await reading).toBeInstanceOf(ClientClosedError);
    await server.drained();
  });

  test('does not count among the requests under way', async () => {
    server.script((response) => void response.write('a'), json({}));
    const client = transport({ maxInFlight: 1 });
    await client.stream(get);
    expect((await client.request(get)).status).toBe(200);
  });

  test('is retried until its headers are there', async () => {
    server.script(json({}, { status: 429, headers: { 'retry-after': '1' } }), reset, (response) => void response.write('a'));
    const opened = transport().stream(get);
    await passPause(1_050);
    await passPause(100);
    expect((await opened).status).toBe(200);
  });
});

describe('warnings', () => {
  test('reach the listener once and the caller each time, whatever characters they have', async () => {
    server.script(json({}, { headers: { warning: ['299 - "a, \\"b\\""', '299 - "c" "Mon, 01 Jan 2030 00:00:00 GMT", 299 - "d"'] } }));
    const texts: string[] = [];
    const own: string[] = [];
    const client = transport({ onWarning: ({ text, request }) => texts.push(`${request}: ${text}`) });
    const first = await client.request({ ...get, onWarning: ({ text }) => own.push(text) });
    await client.request({ ...get, onWarning: ({ text }) => own.push(text) });
    expect(first.warnings).toEqual(['a, "b"', 'c', 'd']);
    expect(texts).toEqual(['GET /a: a, "b"', 'GET /a: c', 'GET /a: d']);
    expect(own).toHaveLength(6);
  });

  test('texts that never repeat do not fill the memory, and the last ones are still known', async () => {
    let number = 0;
    server.script((response, request) =>
      json({}, { headers: { warning: `299 - "${request.url === '/same' ? 'same' : number++}"` } })(response, request),
    );
    let told = 0;
    const client = transport({ onWarning: () => (told += 1) });
    for (let index = 0; index < 1_100; index++) await client.request(get);
    await client.request({ ...get, path: '/same' });
    await client.request({ ...get, path: '/same' });
    expect(told).toBe(1_101);
  });
});

test('several transports in a process share nothing', async () => {
  server.script(json({}));
  const [one, other] = [transport(), transport()];
  await one.request(get);
  await other.request(get);
  one.close();
  expect((await other.request(get)).status).toBe(200);
  expect(server.connections).toBe(2);
});
