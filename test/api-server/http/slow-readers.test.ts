import { connect as connectHttp2 } from 'node:http2';
import type { Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { ServerCertificates } from '../../../src/api-server/access/certificates/index.js';
import { sharedGzip } from '../../../src/api-server/http/shared-gzip.js';
import { eventually } from '../../eventually.js';
import { growth, MEBIBYTE } from '../../kubernetes/listening/crumbs.js';
import { connected, requestOf } from '../../kubernetes/listening/raw-client.js';
import { TestServer } from './harness.js';

const READERS = 40;
const document = Buffer.alloc(8 * MEBIBYTE, 'keelson ');
const certificates = new ServerCertificates();

let server: TestServer;
let asked: number;
let body: string | Uint8Array;
const sockets: Socket[] = [];

beforeEach(() => {
  asked = 0;
  body = document;
  const handler = () => {
    asked += 1;
    return { status: 200, headers: { 'Content-Type': 'text/plain' }, body };
  };
  server = new TestServer({ documents: { find: () => handler } });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

/** Clients that ask for the document, and read no byte of it. */
async function ask(isSecure: boolean, headers = ''): Promise<void> {
  const { serving, authority } = certificates;
  const tls = { certificate: serving.certificate, key: serving.privateKey, clientAuthorities: authority };
  server.address = await server.server.listen(isSecure ? { tls } : {});
  for (let count = 0; count < READERS; count += 1) {
    const socket = await connected({ port: server.address.port, isSecure });
    sockets.push(socket);
    socket.write(requestOf('/openapi/v2', headers));
  }
  await eventually(() => asked === READERS);
  // The parts that connections take at once are on their way.
  for (let turn = 0; turn < 500; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test.each([
  ['bytes', 'plain', false, document],
  ['bytes', 'TLS', true, document],
  ['text', 'plain', false, document.toString()],
  ['text', 'TLS', true, document.toString()],
])('clients that do not read a document share its %s (%s)', async (_what, _how, isSecure, given) => {
  body = given;
  // Each a copy were 320 MiB.
  expect(await growth(() => ask(isSecure))).toBeLessThan(80);
  expect(server.server.isQuiet).toBe(false);
});

test('a document is compressed once for all its readers', async () => {
  expect(await growth(() => ask(false, 'Accept-Encoding: gzip\r\n'))).toBeLessThan(40);
  expect(sharedGzip(document)).toBe(sharedGzip(document));
  expect(gunzipSync(await sharedGzip(document)).equals(document)).toBe(true);
});

test.each([
  ['bytes', Buffer.from('keelson ü😀'.repeat(50_000))],
  ['text', 'keelson ü😀'.repeat(50_000)],
  ['text that is cut within a character', `a${'😀'.repeat(100_000)}`],
])('a large document arrives whole: %s, compressed and not', async (_, given) => {
  body = given;
  server.address = await server.server.listen();
  const plain = await fetch(`${server.address.url}/a`, { headers: { 'accept-encoding': 'identity' } });
  expect(plain.headers.get('content-length')).toBe(String(Buffer.byteLength(given)));
  expect(await plain.text()).toBe(String(given));
  const packed = await fetch(`${server.address.url}/a`);
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(await packed.text()).toBe(String(given));
  expect(
    (await fetch(`${server.address.url}/a`, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })).headers.get('content-length'),
  ).toBe(String(Buffer.byteLength(given)));
});

test('a large document arrives whole over HTTP/2', async () => {
  const { serving, authority } = certificates;
  server.address = await server.server.listen({
    tls: { certificate: serving.certificate, key: serving.privateKey, clientAuthorities: authority },
  });
  const session = connectHttp2(server.address.url, { ca: authority });
  const stream = session.request({ ':path': '/a' });
  let length = 0;
  for await (const chunk of stream) length += (chunk as Buffer).length;
  session.close();
  expect(length).toBe(document.length);
});
