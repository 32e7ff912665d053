import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type AccessSource, connectionOf, type HttpRequest, Transport, type TransportOptions } from '../../../src/runtime/http/index.js';
import { growth, MEBIBYTE, writeCrumbs } from '../../kubernetes/listening/crumbs.js';
import { FakeClock } from '../clock/fake-clock.js';
import { json, ScriptedServer } from './scripted-server.js';

let server: ScriptedServer;
let clock: FakeClock;
const transports: Transport[] = [];
const raw: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];

beforeEach(async () => {
  server = await ScriptedServer.start();
  clock = new FakeClock();
});
afterEach(async () => {
  for (const transport of transports.splice(0)) transport.close();
  for (const { server: listening, sockets } of raw.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => listening.close(resolve));
  }
  await server.stop();
});

function transport(url = server.url, options: Partial<TransportOptions> = {}): Transport {
  const connection = connectionOf({ server: url, clock, origin: 'the test' });
  const made = new Transport({ connection, clock, random: () => 0.5, retry: { maxAttempts: 1 }, ...options });
  transports.push(made);
  return made;
}

/** A server that writes these bytes to whoever connects. */
async function writing(write: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => write(socket));
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  raw.push({ server: listening, sockets });
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

const get: HttpRequest = { method: 'GET', path: '/a' };

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`it did not fail: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}

/** Lets what is on its way over the sockets arrive. */
async function arrive(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise((resolve) => setImmediate(resolve));
}

test('a body that drips is not waited for without end, although it is never silent', async () => {
  let drip = (): void => {};
  server.script((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    drip = () => void response.write(' ');
    drip();
  });
  const failed = failure(transport().request(get));
  // The silence is counted anew from each drop that has arrived.
  let drops = 1;
  const haveArrived = (): boolean => clock.timesSet(30_000) > drops;
  await arrive(haveArrived);
  for (let passedMs = 0; passedMs < 300_000; passedMs += 25_000) {
    drip();
    drops += 1;
    await arrive(haveArrived);
    clock.advance(25_000);
  }
  expect(await failed).toMatchObject({ code: 'KEELSON_DEADLINE_EXCEEDED', phase: 'answer', afterMs: 300_000 });
  expect(clock.pending).toBe(0);
});

test('interim answers, as many as may come, are not answer', async () => {
  const url = await writing((socket) => {
    for (let index = 0; index < 1_000; index += 1) socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
  });
  expect((await transport(url).request(get)).status).toBe(200);
  const endless = await writing((socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)));
  const failed = failure(transport(endless).request(get));
  await clock.timer((delayMs) => delayMs === 65_000);
  clock.advance(65_000);
  expect(await failed).toMatchObject({ phase: 'headers' });
});

test.each([
  ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['headers without an end', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(10_000)}`],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x'],
])('%s is a broken connection that says so', async (_, bytes) => {
  const url = await writing((socket) => void socket.write(bytes));
  expect(await failure(transport(url).request(get))).toMatchObject({
    code: 'KEELSON_CONNECTION_FAILED',
    message: expect.stringMatching(/^GET \/a: .+: .+/),
  });
});

test('a change to another protocol is told at once, and ends the connection', async () => {
  let isClosed = false;
  const url = await writing((socket) => {
    socket.on('close', () => {
      isClosed = true;
    });
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  });
  expect(await failure(transport(url).request(get))).toMatchObject({
    code: 'KEELSON_RESPONSE_MALFORMED',
    message: 'GET /a: the answer is 101, a change to another protocol, which was not asked for',
  });
  await arrive(() => isClosed);
  expect(clock.pending).toBe(0);
});

test('a 401 whose body never ends is left, and the next attempt goes on', async () => {
  let isClosed = false;
  server.script((response) => {
    response.writeHead(401).write('x');
    response.on('close', () => {
      isClosed = true;
    });
  }, json({}));
  const access: AccessSource = { current: () => Promise.resolve({ headers: {}, tls: {} }), refused: () => true };
  const client = transport(undefined, { connection: { server: server.url, namespace: 'a', access, origin: 'the test' } });
  expect((await client.request(get)).status).toBe(200);
  await arrive(() => isClosed);
});

test('credentials that never come have a deadline, and name where they should come from', async () => {
  const access: AccessSource = { current: () => new Promise(() => {}), refused: () => false };
  const client = transport(undefined, { connection: { server: server.url, namespace: 'a', access, origin: 'kubeconfig x, user u' } });
  const failed = failure(client.request(get));
  await clock.timer((delayMs) => delayMs === 60_000);
  clock.advance(60_000);
  expect(await failed).toMatchObject({
    code: 'KEELSON_CREDENTIALS_UNAVAILABLE',
    message: expect.stringContaining('kubeconfig x, user u: no credentials within 60000 ms'),
  });
  expect(clock.pending).toBe(0);
});

test('a stream that is zipped unasked is refused, and closed', async () => {
  server.script((response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('{}')));
  expect(await failure(transport().stream(get))).toMatchObject({
    code: 'KEELSON_RESPONSE_MALFORMED',
    message: 'GET /a: the stream is encoded as "gzip", which was not asked for',
  });
  await server.drained();
});

test('an answer in single bytes takes memory by its bytes', async () => {
  const text = `{"a":"${'x'.repeat(MEBIBYTE)}"}`;
  const url = await writing((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
    void writeCrumbs(socket, text);
  });
  const grown = await growth(async () => expect((await transport(url).request(get)).body.toString() === text).toBe(true));
  // A buffer of each were some 190 MiB.
  expect(grown).toBeLessThan(50);
});

test('a stream that nobody iterates ends with its signal (H64)', async () => {
  server.script((response) => void response.writeHead(200).write('{}'));
  const ending = new AbortController();
  await transport().stream({ ...get, signal: ending.signal });
  ending.abort();
  await server.drained();
});

test.each([
  ['a token with a line break', { token: 'se\ncret' }],
  ['a certificate that is none', { certificate: 'se cret', key: 'se cret' }],
])('%s is told without being shown', async (_, parts) => {
  const connection = connectionOf({ server: 'https://127.0.0.1:1', origin: 'kubeconfig x, user u', ...parts });
  const error = await failure(transport(undefined, { connection }).request(get));
  expect(error).toMatchObject({ code: 'KEELSON_CREDENTIALS_UNAVAILABLE', message: expect.stringContaining('of kubeconfig x, user u') });
  expect(`${(error as Error).stack} ${String((error as Error).cause)}`).not.toMatch(/se\s*cret/);
  expect(clock.pending).toBe(0);
});

test.each([
  ['https://admin:s3cret@host:1', 'holds a user name or a password'],
  ['admin:s3cret@host', 'has the wrong protocol'],
  ['//admin:s3cret@host', 'is no URL'],
  ['https://host/?token=s3cret', 'has a query'],
])('the address %s is refused, and what is secret in it is not shown', (address, message) => {
  const make = (): unknown => connectionOf({ server: address, origin: 'the test' });
  expect(make).toThrow(message);
  expect(make).not.toThrow('s3cret');
});
