import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports of Linux and macOS for sockets that ask for any, and below the node ports of Services. */
const PORTS = [20_000, 30_000] as const;

/** A free port of the loopback interface for a server that listens at it twice: between, no socket that asks for any port is given it. */
export async function keptPort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
