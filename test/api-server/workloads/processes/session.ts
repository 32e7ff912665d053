import { WebSocket } from 'ws';
import type { Machine } from './machine.js';

export const STDIN = 0;
export const RESIZE = 4;
const ERROR = 3;
const CLOSE = 255;

/** A client on a terminal, as `kubectl exec -it` and `kubectl attach -it` are. */
export class Session {
  output = '';
  status: Record<string, unknown> | undefined;
  readonly #machine: Machine;
  readonly #socket: WebSocket;
  readonly #refusal: Promise<string>;

  /** @param path after the Pods, with the query: `a/attach?stdout=true` */
  constructor(machine: Machine, path: string) {
    this.#machine = machine;
    const { server } = machine.world;
    const url = `${server.url}/api/v1/namespaces/default/pods/${path}`;
    this.#socket = new WebSocket(url.replace('http', 'ws'), ['v5.channel.k8s.io'], {
      headers: { Authorization: `Bearer ${server.tokenFor()}` },
    });
    this.#socket.on('message', (data: Buffer) => {
      if (data[0] === ERROR) this.status = JSON.parse(data.toString('utf8', 1)) as Record<string, unknown>;
      else this.output += data.toString('utf8', 1);
    });
    this.#refusal = new Promise((resolve) => {
      this.#socket.on('unexpected-response', (_request, response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        response.on('end', () => resolve((JSON.parse(text) as { readonly message: string }).message));
      });
    });
  }

  send(channel: number, text: string): void {
    this.#socket.send(Buffer.from([channel, ...Buffer.from(text)]));
  }

  endInput(): void {
    this.#socket.send(Buffer.from([CLOSE, STDIN]));
  }

  async opened(): Promise<void> {
    await this.#machine.until(() => this.#socket.readyState === WebSocket.OPEN);
  }

  refusal(): Promise<string> {
    return this.#refusal;
  }

  leave(): void {
    this.#socket.terminate();
  }
}
