import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export const MEBIBYTE = 1024 * 1024;

/** Writes a text in chunks of one byte, and the end of the body. The whole of it is on its way when this resolves, unless the other side has closed. */
export async function writeCrumbs(socket: Socket, text: string): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (let at = 0; at < text.length && !socket.destroyed; at += 10_000) {
    const crumbs = [...text.slice(at, at + 10_000)].map((character) => `1\r\n${character}\r\n`).join('');
    if (!socket.write(crumbs)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    socket.removeAllListeners('drain');
  }
  if (!socket.destroyed) socket.write('0\r\n\r\n');
}

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** More than this is looked at after a collection: the rest may be garbage. */
const WORTH_COLLECTING = 5 * MEBIBYTE;

/** By how many MiB what the process holds in memory grew at most, meanwhile. Garbage does not count: when it is collected depends on what ran before. */
export async function growth(act: () => Promise<unknown>): Promise<number> {
  gc();
  const before = used();
  let most = before;
  const look = (): void => {
    if (used() < most + WORTH_COLLECTING) return;
    gc();
    most = Math.max(most, used());
  };
  const timer = setInterval(look, 5);
  try {
    await act();
    look();
    return (most - before) / MEBIBYTE;
  } finally {
    clearInterval(timer);
  }
}

/** On the heap, and in buffers beside it. */
function used(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
