import { createServer, type Server } from 'node:net';
import { ProcessesError } from '../errors.js';

/** Networks that are tried: 127.0.x.x to 127.15.x.x are left to others (systemd-resolved listens on 127.0.0.53). */
const FIRST = 16;
const LAST = 250;
/** The kubelet's: the port at which a network shows that it is taken. */
const PORT = 10_250;

/** A network of loopback addresses that no other server on this machine uses for its Pods. */
export class LoopbackNetwork {
  /** The first two numbers, for example `127.16`. */
  readonly prefix: string;
  readonly #mark: Server;

  private constructor(prefix: string, mark: Server) {
    this.prefix = prefix;
    this.#mark = mark;
  }

  /**
   * Takes the first network that is free. It is given back when the process ends, in whatever way.
   *
   * @throws ProcessesError where the machine has no addresses but 127.0.0.1
   */
  static async take(first: number = FIRST + Math.floor(Math.random() * (LAST - FIRST))): Promise<LoopbackNetwork> {
    for (let step = 0; step <= LAST - FIRST; step += 1) {
      const number = FIRST + ((first - FIRST + step) % (LAST - FIRST + 1));
      const mark = await listening(`127.${number}.0.1`);
      if (mark !== undefined) return new LoopbackNetwork(`127.${number}`, mark);
    }
    throw new ProcessesError('Pods as processes: all networks from 127.16.0.0/16 to 127.250.0.0/16 are taken by other servers');
  }

  async release(): Promise<void> {
    await new Promise<void>((resolve) => this.#mark.close(() => resolve()));
  }
}

/** Undefined: another server has it. */
function listening(address: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else
        reject(
          new ProcessesError(
            `Pods as processes: programs cannot listen on ${address} (${error.code}): each Pod needs an address of its own in 127.0.0.0/8, as Linux has them; ` +
              'on other systems run the tests in a Linux container or leave out workloads.containers',
            { cause: error },
          ),
        );
    });
    server.listen(PORT, address, () => resolve(server));
  });
}
