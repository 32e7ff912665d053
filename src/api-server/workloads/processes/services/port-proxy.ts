import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../../../clock/index.js';
import { BackendChoice } from './backend-choice.js';
import type { OpenPort } from './open-port.js';
import type { ServedPort } from './served-ports.js';

/**
 * Takes the connections of one port of a Service, and leads each to a backend, in turn.
 *
 * Guarantees: a connection stays with its backend, whatever becomes of the Service, until one side ends it; each direction ends on its own.
 */
export class PortProxy implements OpenPort {
  readonly #choice: BackendChoice;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(served: ServedPort, clock: Clock) {
    this.#choice = new BackendChoice(served, clock);
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#lead(client));
  }

  /** @throws the error of `listen`: the port is taken, or not for this user */
  static open(served: ServedPort, clock: Clock): Promise<PortProxy> {
    const proxy = new PortProxy(served, clock);
    const server = proxy.#server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(served.port, served.address, () => {
        server.off('error', reject);
        resolve(proxy);
      });
    });
  }

  follow(served: ServedPort): void {
    this.#choice.follow(served);
  }

  refuse(onEnd: () => void): void {
    this.#server.close(onEnd);
  }

  cut(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #lead(client: Socket): void {
    const { host, port } = this.#choice.of(client.remoteAddress ?? '');
    const backend = connect({ host, port, allowHalfOpen: true, noDelay: true });
    const both = [client, backend];
    for (const [index, socket] of both.entries()) {
      this.#sockets.add(socket);
      const other = both[1 - index] as Socket;
      socket.once('close', () => {
        this.#sockets.delete(socket);
        // Both have said their last word, or one broke: nothing more can come from the other.
        if (!other.destroyed && !other.writableEnded) other.resetAndDestroy();
      });
      // `close` follows.
      socket.on('error', () => undefined);
      socket.pipe(other);
    }
  }
}
