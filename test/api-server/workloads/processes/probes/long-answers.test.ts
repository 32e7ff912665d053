import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { ask } from '../../../../../src/api-server/workloads/processes/probes/index.js';
import { growth, MEBIBYTE } from '../../../../kubernetes/listening/crumbs.js';

let server: Http2Server;
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
});

function* answer(): Generator<Buffer> {
  for (const byte of [0, 0, 0, 0, 2, 0x08, 0x01]) yield Buffer.of(byte);
  for (let sent = 0; sent < 100; sent += 1) yield Buffer.alloc(MEBIBYTE);
}

/** A service that says that it serves, and goes on for 100 MiB. */
async function talkative(): Promise<number> {
  server = createServer().on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' })).on('error', () => undefined);
    Readable.from(answer()).pipe(stream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

test('a gRPC probe keeps the status alone of an answer that goes on', async () => {
  const port = await talkative();
  const asked = { container: { name: 'main' }, address: '127.0.0.1', run: () => Promise.reject(new Error('no command is asked for')) };
  const grown = await growth(async () => expect(await ask({ grpc: { port } }, asked, 25_000)).toEqual({ isSuccess: true, text: '' }));
  expect(grown).toBeLessThan(70);
});
