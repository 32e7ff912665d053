import type { Socket } from 'node:net';

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

/** By how many MiB the process grew at most, meanwhile. */
export async function growth(act: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  try {
    await act();
    return (Math.max(peak, process.memoryUsage.rss()) - before) / MEBIBYTE;
  } finally {
    clearInterval(timer);
  }
}
