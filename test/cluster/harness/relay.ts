import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between an operator and its API server, and cuts all connections when asked: as load balancers and rolling updates do. */
export class Relay {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  #isBlocked = false;

  private constructor(server: Server, sockets: Set<Socket>, port: number) {
    this.#server = server;
    this.#sockets = sockets;
    this.port = port;
  }

  /** @param target asked for each connection; `undefined` refuses it */
  static open(target: URL | (() => Promise<URL | undefined>)): Promise<Relay> {
    const sockets = new Set<Socket>();
    let relay: Relay;
    const lead = (from: Socket, place: URL): void => {
      const to = connect(Number(place.port), place.hostname);
      for (const [socket, other] of [
        [from, to],
        [to, from],
      ] as const) {
        sockets.add(socket);
        socket.setNoDelay(true);
        socket.pipe(other);
        socket.on('error', () => other.destroy());
        socket.on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
      }
    };
    const server = createServer((from) => {
      // Until the target is known nobody else listens for an error of the socket.
      from.on('error', () => from.destroy());
      Promise.resolve(typeof target === 'function' ? target() : target).then(
        (place) => (relay.#isBlocked || place === undefined || from.destroyed ? from.destroy() : lead(from, place)),
        () => from.destroy(),
      );
    });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        relay = new Relay(server, sockets, (server.address() as { port: number }).port);
        resolve(relay);
      });
    });
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** As {@link cut}, and whoever connects is cut off too, until {@link unblock}. */
  block(): void {
    this.#isBlocked = true;
    this.cut();
  }

  unblock(): void {
    this.#isBlocked = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
