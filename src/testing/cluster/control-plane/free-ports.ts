import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { TestClusterError } from '../errors.js';

/**
 * Below the ports that Linux and macOS give to sockets which ask for any, and below the node ports of Services. A process that comes later, or is started again,
 * would find that another socket has been given its port meanwhile.
 */
const PORTS = [20_000, 30_000] as const;

const TRIES = 100;

/**
 * Ports of the loopback interface at which no process listens; different ones, since all are held until all are known.
 *
 * @throws TestClusterError when a hundred ports in a row are taken
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers: Server[] = [];
  try {
    while (servers.length < count) servers.push(await listening());
    return servers.map((server) => (server.address() as { readonly port: number }).port);
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

async function listening(): Promise<Server> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const server = await listeningAt(randomInt(...PORTS));
    if (server !== undefined) return server;
  }
  throw new TestClusterError(`${TRIES} ports from ${PORTS[0]} to ${PORTS[1] - 1} are taken`);
}

/** Windows keeps ranges of ports for itself, and refuses those by EACCES. */
const TAKEN: ReadonlySet<string | undefined> = new Set(['EADDRINUSE', 'EACCES']);

/** @returns `undefined` where the port is taken */
function listeningAt(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => (TAKEN.has(error.code) ? resolve(undefined) : reject(error)));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
