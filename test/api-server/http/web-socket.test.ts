import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ApiEvent, JsonObject } from '../../../src/api-server/contract/index.js';
import type { RequestFacts } from '../../../src/api-server/http/index.js';
import { eventually } from '../../eventually.js';
import type { FakeWatch } from './fake-api.js';
import { HandTimer } from './hand-timer.js';
import { TestServer } from './harness.js';

const C = '/api/v1/namespaces/default/configmaps';
const ORIGIN = 'http://localhost';
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const HANDSHAKE = [
  'Connection: keep-alive, Upgrade',
  'Upgrade: WebSocket',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${KEY}`,
  `Origin: ${ORIGIN}`,
];

const object = (name: string): JsonObject => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, resourceVersion: '7' } });
const added = (name: string): ApiEvent => ({ type: 'ADDED', object: object(name) });

let server: TestServer;
let timer: HandTimer;
let facts: RequestFacts[];
beforeEach(async () => {
  timer = new HandTimer();
  facts = [];
  server = await TestServer.start({
    timer,
    gatekeeper: {
      authenticate(shown) {
        facts.push(shown);
        return { username: 'alice', groups: [] };
      },
      authorize: () => undefined,
    },
  });
});
afterEach(() => server.close());

const addressOf = (path: string): string => `ws://${server.address.host}:${server.address.port}${path}`;

async function watch(query = '', protocols: readonly string[] = []): Promise<{ client: WebSocket; messages: string[]; events: FakeWatch }> {
  const client = new WebSocket(addressOf(`${C}?watch=1${query}`), [...protocols], { origin: ORIGIN });
  const messages: string[] = [];
  client.on('message', (data, isBinary) => messages.push(`${isBinary ? 'binary' : 'text'} ${String(data)}`));
  await once(client, 'open');
  return { client, messages, events: server.api.watches.at(-1) as FakeWatch };
}

async function raw(lines: readonly string[], path = `${C}?watch=1`): Promise<string> {
  const connection = server.raw().write([`GET ${path} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n'));
  await connection.closed();
  return connection.received;
}

test('each event is a text message, newline included, also those of one burst', async () => {
  const { client, messages, events } = await watch();
  events.push(added('a'), added('b'));
  await eventually(() => messages.length === 2);
  expect(messages[0]).toBe(
    'text {"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7"}}}\n',
  );
  expect(messages[1]).toContain('"name":"b"');
  client.close();
});

test('the time limit closes it in good order, and it counts as answered', async () => {
  const { client } = await watch('&timeoutSeconds=5');
  await eventually(() => server.server.isQuiet);
  timer.advance(5000);
  const [code] = await once(client, 'close');
  expect(code).toBe(1000);
  await eventually(() => server.server.isQuiet);
});

test('a client that goes ends the watch', async () => {
  const { client, events } = await watch();
  client.terminate();
  await eventually(() => events.isClosed);
});

test('what a client sends is ignored, and its pings are answered', async () => {
  const { client, messages, events } = await watch();
  client.send('hello');
  client.ping('x');
  await once(client, 'pong');
  events.push(added('a'));
  await eventually(() => messages.length === 1);
  client.close();
});

test('a server that closes ends it', async () => {
  const { client } = await watch();
  const closed = once(client, 'close');
  await server.close();
  expect((await closed)[0]).toBe(1000);
  server = await TestServer.start();
});

test.each([
  ['one protocol is taken, whatever it is', ['base64.binary.k8s.io'], 'base64.binary.k8s.io'],
  ['no protocol', [], ''],
])('%s', async (_, protocols, taken) => {
  const { client } = await watch('', protocols);
  expect(client.protocol).toBe(taken);
  client.close();
});

test('a token may come as a protocol, and is not answered', async () => {
  const token = Buffer.from('secret').toString('base64url');
  const { client } = await watch('', [`base64url.bearer.authorization.k8s.io.${token}`, 'x']);
  expect(client.protocol).toBe('x');
  expect(facts[0]?.protocolToken).toEqual({ token: 'secret' });
  client.close();
});

test.each([
  ['a token without another protocol', ['base64url.bearer.authorization.k8s.io.eA'], 'missing additional subprotocol'],
  [
    'a token that is not a base64url',
    ['base64url.bearer.authorization.k8s.io.a/b', 'x'],
    'invalid base64.bearer.authorization token encoding',
  ],
  [
    'two tokens',
    ['base64url.bearer.authorization.k8s.io.eA', 'base64url.bearer.authorization.k8s.io.eQ'],
    'multiple base64.bearer.authorization tokens specified',
  ],
])('%s is a problem for authentication', async (_, protocols, problem) => {
  const connection = server
    .raw()
    .write([`GET ${C}?watch=1 HTTP/1.1`, 'Host: x', ...HANDSHAKE, `Sec-WebSocket-Protocol: ${protocols.join(', ')}`, '', ''].join('\r\n'));
  await eventually(() => facts.length === 1);
  expect(facts[0]?.protocolToken).toEqual({ problem });
  connection.socket.destroy();
});

/** The answers of a kube-apiserver, byte by byte: the suite of a cluster compares. */
test.each([
  ['without a key', HANDSHAKE.filter((line) => !line.includes('Key')), 'HTTP/1.1 400 Bad Request\r\n\r\nmismatch challenge/response'],
  [
    'of another version',
    HANDSHAKE.map((line) => line.replace('13', '8')),
    'HTTP/1.1 400 Bad Request\r\nSec-WebSocket-Version: 13\r\n\r\nmissing or bad WebSocket Version',
  ],
  ['without an origin', HANDSHAKE.filter((line) => !line.includes('Origin')), 'HTTP/1.1 403 Forbidden\r\n\r\n'],
  ['with two protocols', [...HANDSHAKE, 'Sec-WebSocket-Protocol: a, b'], 'HTTP/1.1 400 Bad Request\r\n\r\n'],
])('a handshake %s is refused', async (_, lines, answer) => {
  expect(await raw(lines)).toBe(answer);
  await eventually(() => (server.api.watches.at(-1) as FakeWatch).isClosed);
});

test('what is refused before the handshake is refused in HTTP', async () => {
  const answer = await raw(HANDSHAKE, `${C}?watch=1&timeoutSeconds=x`);
  expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
  expect(answer).toContain('Audit-Id: ');
  expect(answer).toContain('"kind":"Status"');
});

test.each([
  ['a WebSocket for something else', HANDSHAKE],
  ['another protocol', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']],
])('a request for %s is answered in HTTP', async (_, lines) => {
  expect(await raw(lines, C)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  await eventually(() => server.server.isQuiet);
});

test('a client that goes in the middle of a handshake leaves nothing behind', async () => {
  for (let n = 0; n < 20; n += 1) {
    const connection = server.raw().write([`GET ${C}?watch=1 HTTP/1.1`, 'Host: x', ...HANDSHAKE, '', ''].join('\r\n'));
    await once(connection.socket, 'connect');
    connection.socket.destroy();
  }
  await eventually(() => server.server.isQuiet && server.api.watches.every(({ isClosed }) => isClosed));
  expect(server.bugs).toEqual([]);
});
