import { growth, MEBIBYTE, writeCrumbs } from '../../kubernetes/listening/crumbs.js';
import { TestServer } from './harness.js';

const C = '/api/v1/namespaces/default/configmaps';

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.close());

// These are answered by Node's parser: no Exchange sees them, so they have no Audit-Id.
test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['a header without a name', `GET ${C} HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n`, 400],
  ['two lengths', `POST ${C} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{`, 400],
  ['a length and chunks', `POST ${C} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n{`, 400],
  ['no Host', `GET ${C} HTTP/1.1\r\n\r\n`, 400],
  ['a head of more than 1 MiB', `GET ${C} HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(1024 * 1024)}\r\n\r\n`, 431],
])('%s is answered by Node', async (_what, bytes, code) => {
  const client = server.raw().write(bytes);
  await client.until(({ received }) => received.includes('\r\n\r\n'));
  expect(client.received).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
  expect(client.received).not.toContain('Audit-Id');
  expect((await server.send('GET', C)).status).toBe(200);
});

test('a body in single bytes takes memory by its bytes', async () => {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'x'.repeat(MEBIBYTE) } });
  const client = server
    .raw()
    .write(`POST ${C} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const grown = await growth(async () => {
    await writeCrumbs(client.socket, body);
    await client.until(({ received }) => received.includes('\r\n\r\n'));
  });
  expect(client.received).toMatch(/^HTTP\/1.1 201 /);
  // A buffer of each were some 190 MiB.
  expect(grown).toBeLessThan(50);
});

test('a path with a broken escape is answered with 400', async () => {
  const client = server.raw().write('GET /api/v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n');
  await client.until(({ received }) => received.endsWith('400 Bad Request'));
  expect(client.received).toContain('Audit-Id: ');
});

test('requests sent one after the other are answered on one connection, and requests sent at once end it', async () => {
  const client = server.raw();
  for (const name of ['n1', 'n2', 'n3']) {
    client.write(`GET ${C}/${name} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await client.until(({ received }) => received.includes(`"name":"${name}"`) && received.trimEnd().endsWith('}'));
  }
  client.write(`GET ${C}/n4 HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(2));
  await client.closed();
  expect(client.received).not.toContain('n4');
});

test('a body that comes in single bytes is put together', async () => {
  const body = '{"metadata":{"name":"slow"}}';
  const client = server
    .raw()
    .write(`POST ${C} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`);
  for (const byte of body) {
    client.write(byte);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await client.until(({ received }) => received.includes('201 Created'));
  expect(server.api.calls[0]?.body?.value).toEqual({ metadata: { name: 'slow' } });
});

test('a chunked body is read', async () => {
  const client = server.raw().write(`POST ${C} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
  client.write('4\r\n{"me\r\n').write('1b\r\ntadata":{"name":"chunked"}}\r\n').write('0\r\n\r\n');
  await client.until(({ received }) => received.includes('HTTP/1.1 '));
  expect(client.received).toContain('HTTP/1.1 201 Created');
});

test('a client that closes its half still gets its answer', async () => {
  const client = server.raw().write(`GET ${C} HTTP/1.1\r\nHost: x\r\n\r\n`);
  client.socket.end();
  await client.closed();
  expect(client.received).toContain('ConfigMapList');
});

test('a client that breaks off in its body is nobody’s bug', async () => {
  const client = server.raw().write(`POST ${C} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"metadata"`);
  await new Promise((resolve) => setImmediate(resolve));
  client.socket.destroy();
  expect((await server.send('GET', C)).status).toBe(200);
  expect(server.bugs).toEqual([]);
  expect(server.api.calls.map(({ verb }) => verb)).toEqual(['list']);
});

test('a refusal before the body is read leaves the connection good for the next request', async () => {
  const client = server.raw();
  client.write(`POST ${C} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n`);
  await client.until(({ received }) => received.includes('HTTP/1.1 415') && received.trimEnd().endsWith('}'));
  client.write(`abcdeGET ${C} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await client.until(({ received }) => received.includes('ConfigMapList'));
});

test.each([
  ['', () => undefined],
  [', though nothing can be heard for longer than the time that it has for that', () => blockEventLoop(700)],
])('closing answers what is under way, cuts idle connections, and may be done twice%s', async (_, meanwhile) => {
  const idle = server.raw().write(`GET ${C} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await idle.until(({ received }) => received.includes('ConfigMapList'));
  let release: () => void = () => undefined;
  const called = new Promise<void>((resolve) => {
    server.api.before = () => {
      resolve();
      return new Promise((done) => {
        release = done;
      });
    };
  });
  const busy = server.raw().write(`GET ${C} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await called;
  const closed = server.close();
  setImmediate(meanwhile);
  await idle.closed();
  release();
  await Promise.all([closed, busy.closed()]);
  expect(busy.received).toContain('ConfigMapList');
  await server.close();
});

function blockEventLoop(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}
