import { connect, createServer, type Server, type Socket } from 'node:net';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import { DevError } from '../../errors.js';
import type { WebhookAddress } from './webhook-address.js';

/** More than the operator keeps open: it closes unused ones, and this bound is for an operator that does not get to it, as in a debugger. */
const MOST_CONNECTIONS = 1_100;

/**
 * Lets API servers reach the webhooks of the operator's process, which itself listens at 127.0.0.1 alone: probes and metrics stay there.
 *
 * Passes bytes on as they are: TLS is between the API server and the operator. While no process listens, connections are closed, and so are those beyond a number.
 */
export class WebhookGate {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(targetPort: number, most: number) {
    this.#server = createServer((outer) => this.#pass(outer, connect({ host: '127.0.0.1', port: targetPort })));
    this.#server.maxConnections = most;
  }

  /** @throws DevError for a port that is taken */
  static async open(
    { url, port, listenAddress }: WebhookAddress,
    targetPort: number,
    most: number = MOST_CONNECTIONS,
  ): Promise<WebhookGate> {
    const gate = new WebhookGate(targetPort, most);
    await new Promise<void>((resolve, reject) => {
      gate.#server.once('error', (error) =>
        reject(new DevError(`--webhook-url ${url}: this machine cannot listen there: ${messageOf(error)}`, { cause: error })),
      );
      gate.#server.listen({ port, host: listenAddress }, resolve);
    });
    return gate;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #pass(outer: Socket, inner: Socket): void {
    for (const [socket, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      this.#sockets.add(socket);
      // The end of one side is the end of the other; an error is followed by `close`.
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
