import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Answers each request by the next step of a script; the last step stays. */
export class ScriptedServer {
  readonly requests: SeenRequest[] = [];
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #script: Answer[] = [];
  #port = 0;

  private constructor(make: (listener: RequestListener) => Server) {
    this.#server = make((request, response) => this.#answer(request, response));
    // Idle connections stay: the client decides in these tests.
    this.#server.keepAliveTimeout = 0;
    this.#server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static start(tls?: ServerOptions): Promise<ScriptedServer> {
    const server = new ScriptedServer((listener) => (tls === undefined ? createServer(listener) : createTlsServer(tls, listener)));
    return new Promise((resolve) => {
      server.#server.listen(0, '127.0.0.1', () => {
        server.#port = (server.#server.address() as AddressInfo).port;
        resolve(server);
      });
    });
  }

  /** It stays known after the server has stopped. */
  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  script(...answers: Answer[]): void {
    this.#script = answers;
  }

  /** Resolves when the server sees its connections gone. */
  async drained(): Promise<void> {
    while (this.#sockets.size > 0)
      await Promise.race([...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  }

  cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  stop(): Promise<void> {
    this.cutConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      this.requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      const step = this.#script.length > 1 ? this.#script.shift() : this.#script[0];
      step?.(response, request);
    });
  }
}

export function json(body: unknown, options: { status?: number; headers?: Record<string, string | string[]> } = {}): Answer {
  return (response) =>
    response.writeHead(options.status ?? 200, { 'content-type': 'application/json', ...options.headers }).end(JSON.stringify(body));
}

export const reset: Answer = (response) => void response.socket?.resetAndDestroy();
export const silence: Answer = () => {};
