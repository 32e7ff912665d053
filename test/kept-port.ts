import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports of Linux and macOS for sockets that ask for any, and below the node ports of Services. */
const PORTS = [20_000, 30_000] as const;

const TRIES = 100;

/**
 * A free port of the loopback interface for a server that listens at it twice: between, no socket that asks for any port is given it.
 *
 * @throws Error when a hundred ports in a row are taken
 */
export async function keptPort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(...PORTS);
    if (await isFree(port)) return port;
  }
  throw new Error(`${TRIES} ports from ${PORTS[0]} to ${PORTS[1] - 1} are taken`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
