import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a client and a server, and can let everything hang: connections are accepted, and nothing comes back. */
export class TcpGate {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #target: number | undefined;
  #hangs: boolean;
  /** Connections that were taken while everything hung. */
  hung = 0;

  private constructor(target: number | undefined) {
    this.#target = target;
    this.#hangs = target === undefined;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** @param target port of the server; none: it hangs from the beginning */
  static async start(target?: number): Promise<TcpGate> {
    const gate = new TcpGate(target);
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  hang(): void {
    this.#hangs = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    this.#keep(socket);
    if (this.#hangs || this.#target === undefined) {
      this.hung += 1;
      return;
    }
    const server = connect(this.#target, '127.0.0.1');
    this.#keep(server);
    socket.pipe(server).pipe(socket);
    socket.once('close', () => server.destroy());
    server.once('close', () => socket.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
  }
}
