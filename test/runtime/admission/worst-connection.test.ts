import type { TLSSocket } from 'node:tls';
import { LIMIT, MEBIBYTE, WebhookProcess } from './webhook-process.js';

const HEAD = 'POST /convert?timeout=30s HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;
/** A byte in six: as a piece of its own it takes some 350 bytes of memory. */
const CRUMBS = '1\r\n \r\n'.repeat(1_000);

let server: WebhookProcess;
beforeAll(async () => {
  server = await WebhookProcess.start();
});
afterAll(() => server.end());

/** Writes until the server has had enough. @returns what it has taken of it */
async function write(socket: TLSSocket, text: string, times: number): Promise<number> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let written = 0;
  for (; written < times && !socket.destroyed; written += 1) {
    if (!socket.write(text)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    socket.removeAllListeners('drain');
  }
  return written;
}

const peak = async (): Promise<number> => (await server.memory()).peakBytes / MEBIBYTE;

test('a body that comes in single bytes does not end the process, and is given up early', async () => {
  const socket = await server.connection();
  socket.write(CHUNKED);
  expect(await write(socket, CRUMBS, 2_000)).toBeLessThan(2_000);
  await server.answersOthers();
  expect(await peak()).toBeLessThan(LIMIT / MEBIBYTE);
});

test('nor do hundreds of connections whose bodies wait for room in single bytes', async () => {
  const sockets = await Promise.all(Array.from({ length: 300 }, () => server.connection()));
  // Without an end: each holds its room until it is found to be slow.
  for (const socket of sockets) socket.write(`${HEAD}content-length: 65536\r\n\r\n${' '.repeat(60_000)}`);
  const others = await Promise.all(Array.from({ length: 300 }, () => server.connection()));
  for (const socket of others) socket.write(CHUNKED + CRUMBS.repeat(10));
  await server.answersOthers();
  for (const socket of [...sockets, ...others]) socket.destroy();
  expect(await peak()).toBeLessThan(LIMIT / MEBIBYTE);
});
