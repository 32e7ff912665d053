import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from '@keelson/kubernetes/certificates';
import { ConnectionGuard, inTurn, SerialMessage } from '@keelson/kubernetes/listening';
import type { Logger } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import { TelemetryServerError } from './errors.js';

export interface HttpListenerOptions {
  /** The name of the server in messages: `metrics`. */
  readonly what: string;
  /** 0: any that is free. */
  readonly port: number;
  /** @defaultValue all addresses */
  readonly host?: string | undefined;
  /** HTTPS with this certificate. @defaultValue plain HTTP */
  readonly certificate?: KeyPair | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** An error that it throws is answered by 500 and logged. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** Probes and scrapes are few and small, and their heads come at once. */
const LIMITS = { headerBytes: 16_384, requestMs: 5_000, idleMs: 60_000 } as const;
/** How long an answer under way may take when the process ends. */
const STOP_MS = 1_000;

/** A small HTTP server for `GET` without bodies: bounded in connections, in headers, and in the time that a request takes to come in. */
export class HttpListener {
  readonly #options: HttpListenerOptions;
  readonly #server: Server | SecureServer;

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    const settings = {
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: LIMITS.requestMs,
      requestTimeout: LIMITS.requestMs,
      connectionsCheckingInterval: LIMITS.requestMs / 5,
      keepAliveTimeout: LIMITS.idleMs,
      IncomingMessage: SerialMessage,
    };
    const listener = (request: IncomingMessage, response: ServerResponse): void =>
      inTurn(request.socket, response, () => void this.#serve(request, response));
    const { certificate } = options;
    this.#server =
      certificate === undefined
        ? createServer(settings, listener)
        : createSecureServer({ ...settings, handshakeTimeout: LIMITS.requestMs, ...tlsOf(certificate) }, listener);
    // Idle and silent connections must not block probes, or the kubelet restarts the pod.
    new ConnectionGuard().watch(this.#server);
  }

  /** @throws TelemetryServerError when the port cannot be had */
  start(): Promise<{ readonly port: number }> {
    const { port, host, what, log } = this.#options;
    return new Promise((resolve, reject) => {
      const onError = (error: Error): void =>
        reject(
          new TelemetryServerError(`${what}: port ${port} cannot be listened on: ${error.message}; choose another, or 0`, { cause: error }),
        );
      this.#server.once('error', onError);
      this.#server.listen({ port, host }, () => {
        this.#server.off('error', onError);
        this.#server.on('error', (error) => log.error(`the server of ${what} has a problem`, { error }));
        resolve({ port: (this.#server.address() as AddressInfo).port });
      });
    });
  }

  /** New connections get this certificate; those that are open go on. */
  setCertificate(certificate: KeyPair): void {
    if ('setSecureContext' in this.#server) this.#server.setSecureContext(tlsOf(certificate));
  }

  /** Takes no more connections, ends idle ones, and after a second all. It may be called twice, and before {@link start}. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const cancel = this.#options.clock.schedule(STOP_MS, () => this.#server.closeAllConnections());
    await closed;
    cancel();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {}); // the client has gone: no answer is owed
    // A body is not read; the connection ends with the answer, so that the rest of it is not taken for a request.
    if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined)
      response.setHeader('connection', 'close');
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('allow', 'GET, HEAD');
        answer(response, 405, 'only GET and HEAD are served here\n');
        return;
      }
      await this.#options.handle(request, response);
    } catch (error) {
      this.#options.log.error(`a request for ${this.#options.what} failed`, { path: pathOf(request), error });
      if (response.headersSent) response.destroy();
      else answer(response, 500, 'internal error; the log says which\n');
    }
  }
}

export function answer(response: ServerResponse, status: number, text: string, contentType = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(text);
}

export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
}

export function queryOf(request: IncomingMessage): URLSearchParams {
  const { url = '' } = request;
  const mark = url.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
}

function tlsOf({ certificate, privateKey }: KeyPair): { readonly cert: string; readonly key: string; readonly minVersion: 'TLSv1.2' } {
  return { cert: certificate, key: privateKey, minVersion: 'TLSv1.2' };
}
