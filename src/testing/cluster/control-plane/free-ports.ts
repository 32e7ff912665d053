import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:net';
import { TestClusterError } from '../errors.js';

/**
 * Below the ports that Linux and macOS give to sockets which ask for any, and below the node ports of Services. A process that comes later, or is started again,
 * would find that another socket has been given its port meanwhile.
 */
const PORTS = [20_000, 30_000] as const;

const TRIES = 100;

const HOST = '127.0.0.1';

/** Windows keeps ranges of ports for itself, and refuses those by EACCES. */
const TAKEN: ReadonlySet<string | undefined> = new Set(['EADDRINUSE', 'EACCES']);

/**
 * Ports that were handed out, by the UDP socket of the same number. TCP knows nothing of it; another process of keelson that comes upon the port does, also before a
 * server listens there, and while one is started again. However this process ends, the system closes the sockets.
 */
const held = new Map<number, Socket>();

/**
 * Ports of the loopback interface at which no process listens. They are this process's until {@link releasePorts}: no other call is given them, in no process.
 *
 * @throws TestClusterError when a hundred ports in a row are taken
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  try {
    while (ports.length < count) ports.push(await freePort());
    return ports;
  } catch (error) {
    releasePorts(ports);
    throw error;
  }
}

/** To be called when no server listens there any more. */
export function releasePorts(ports: readonly number[]): void {
  for (const port of ports) {
    held.get(port)?.close();
    held.delete(port);
  }
}

async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(...PORTS);
    const socket = await bound(port);
    if (socket === undefined) continue;
    held.set(port, socket);
    if (await isFree(port)) return port;
    releasePorts([port]);
  }
  throw new TestClusterError(`${TRIES} ports from ${PORTS[0]} to ${PORTS[1] - 1} are taken`);
}

/** @returns `undefined` where another socket has the port */
function bound(port: number): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      if (TAKEN.has(error.code)) resolve(undefined);
      else reject(error);
    });
    socket.bind({ port, address: HOST, exclusive: true }, () => {
      socket.unref();
      resolve(socket);
    });
  });
}

/** Whether no server listens there. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => (TAKEN.has(error.code) ? resolve(false) : reject(error)));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}
