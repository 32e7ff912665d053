import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Clients that hold connections, and open another for each that is closed. In a thread of their own, as clients are: their work is none of the server's.
 *
 * It posts `held` when all are open, and goes on until the thread is ended.
 */
const { port, count, sends, chains, counters } = workerData;
const [OPENED, ACCEPTED] = [0, 1];
/**
 * Connections that wait to be accepted at most. The kernel keeps 511 of them (the default of `listen`); one that comes then tries again after a second. A probe
 * that does so takes longer than a second before the server can know of it.
 */
const MOST_WAITING = 400;
/** The oldest first. */
const sockets = new Set();

async function open() {
  for (;;) {
    const accepted = Atomics.load(counters, ACCEPTED);
    if (Atomics.load(counters, OPENED) - accepted < MOST_WAITING) break;
    await Atomics.waitAsync(counters, ACCEPTED, accepted).value;
  }
  const sent = sends[Atomics.add(counters, OPENED, 1) % sends.length];
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => undefined).resume();
  return new Promise((resolve) => {
    socket.once('connect', () => {
      socket.write(sent);
      resolve();
    });
    socket.once('close', () => {
      // One that its chain has closed is not among them any more: the chain opens another.
      if (sockets.delete(socket)) void open();
      resolve();
    });
  });
}

async function reconnect() {
  for (;;) {
    const [oldest] = sockets;
    if (oldest === undefined) return;
    sockets.delete(oldest);
    oldest.destroy();
    await open();
  }
}

await Promise.all(Array.from({ length: count }, open));
parentPort.postMessage('held');
for (let chain = 0; chain < chains; chain += 1) void reconnect();
