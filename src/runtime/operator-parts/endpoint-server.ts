import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { inTurn, JoinedMessage } from '@keelson/kubernetes/listening';
import type { EndpointModel, Logger } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import { EndpointServerError } from './errors.js';

export interface EndpointServerOptions {
  readonly endpoint: EndpointModel;
  /** 0: any that is free. */
  readonly port: number;
  /** @defaultValue all addresses */
  readonly host?: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** The context of the handler beside the request. */
  readonly contextOf: (signal: AbortSignal) => object;
}

/** A client that sends its headers or its body a byte at a time holds a connection no longer than this. */
const LIMITS = { connections: 256, headerBytes: 16_384, headersMs: 10_000, requestMs: 300_000, idleMs: 60_000 } as const;
/** How long an answer under way may take when the process ends. */
const STOP_MS = 1_000;
/** `Request` refuses these methods. */
const REFUSED_METHODS: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

/**
 * Serves one endpoint of the author's over HTTP, with web-standard requests and responses.
 *
 * Guarantees: bodies are streamed both ways; an error of the handler is answered by 500, without its text, and logged; the context's signal is aborted when the
 * client has gone or the process ends.
 */
export class EndpointServer {
  readonly #options: EndpointServerOptions;
  readonly #server: Server;
  readonly #stop = new AbortController();

  constructor(options: EndpointServerOptions) {
    this.#options = options;
    this.#server = createServer(
      {
        maxHeaderSize: LIMITS.headerBytes,
        headersTimeout: LIMITS.headersMs,
        requestTimeout: LIMITS.requestMs,
        connectionsCheckingInterval: LIMITS.headersMs / 2,
        keepAliveTimeout: LIMITS.idleMs,
        IncomingMessage: JoinedMessage,
      },
      (request, response) => inTurn(request.socket, response, () => void this.#serve(request, response)),
    );
    this.#server.maxConnections = LIMITS.connections;
    // Each request under way listens, and they are as many as the connections.
    setMaxListeners(LIMITS.connections, this.#stop.signal);
  }

  get name(): string {
    return this.#options.endpoint.name;
  }

  /** @throws EndpointServerError when the port cannot be had */
  start(): Promise<{ readonly port: number }> {
    const { port, host, log } = this.#options;
    return new Promise((resolve, reject) => {
      const onError = (error: Error): void =>
        reject(
          new EndpointServerError(`endpoints.${this.name}: port ${port} cannot be listened on: ${error.message}; choose another`, {
            cause: error,
          }),
        );
      this.#server.once('error', onError);
      this.#server.listen({ port, host }, () => {
        this.#server.off('error', onError);
        this.#server.on('error', (error) => log.error('the server of an endpoint has a problem', { endpoint: this.name, error }));
        resolve({ port: (this.#server.address() as AddressInfo).port });
      });
    });
  }

  /** Takes no more connections, and after a second ends those that are open. It may be called twice, and before {@link start}. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('the process ends'));
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const cancel = this.#options.clock.schedule(STOP_MS, () => this.#server.closeAllConnections());
    await closed;
    cancel();
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { endpoint, log, contextOf } = this.#options;
    const gone = new AbortController();
    const end = (): void => gone.abort(this.#stop.signal.reason ?? new Error('the client has gone'));
    outgoing.once('close', () => {
      // From Node 22 on an answer is closed before the failure of its body reaches us: the client has not gone then.
      if (outgoing.errored === null) end();
    });
    this.#stop.signal.addEventListener('abort', end, { once: true });
    try {
      const request = requestOf(incoming, gone.signal);
      if (request === undefined) return refuse(outgoing, 400, 'the request cannot be read\n');
      const handle = endpoint.handle as (request: Request, context: object) => unknown;
      const response: unknown = await handle(request, contextOf(gone.signal));
      if (!(response instanceof Response))
        throw new TypeError(`endpoints.${endpoint.name}.handle must return a Response, got ${typeof response}`);
      await send(response, outgoing, incoming.method === 'HEAD');
    } catch (error) {
      if (!gone.signal.aborted) log.error('a request to an endpoint failed', { endpoint: endpoint.name, method: incoming.method, error });
      if (outgoing.headersSent) outgoing.destroy();
      else refuse(outgoing, 500, 'internal error; the log of the operator has more\n');
    } finally {
      this.#stop.signal.removeEventListener('abort', end);
    }
  }
}

/** @returns `undefined` for what `Request` cannot stand for */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/' } = incoming;
  if (REFUSED_METHODS.has(method)) return undefined;
  // The host that a client names is not to be trusted; a path that begins with two slashes must not become one.
  const address = `http://localhost${url.startsWith('/') ? url : `/${url}`}`;
  if (!URL.canParse(address)) return undefined;
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) for (const value of values ?? []) headers.append(name, value);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? { body: Readable.toWeb(incoming) as unknown as ReadableStream, duplex: 'half' as const } : {};
  return new Request(address, { method, headers, signal, ...body });
}

async function send(response: Response, outgoing: ServerResponse, isHead: boolean): Promise<void> {
  outgoing.statusCode = response.status;
  if (response.statusText !== '') outgoing.statusMessage = response.statusText;
  outgoing.setHeaders(response.headers);
  if (response.body === null || isHead) {
    await response.body?.cancel();
    outgoing.end();
    return;
  }
  await pipeline(Readable.fromWeb(response.body as unknown as NodeStream), outgoing);
}

function refuse(outgoing: ServerResponse, status: number, text: string): void {
  outgoing.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', connection: 'close' });
  outgoing.end(text);
}
