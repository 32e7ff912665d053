import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { KeyPair } from '@keelson/kubernetes/certificates';
import { ConnectionGuard, inTurn } from '@keelson/kubernetes/listening';
import type { Logger, OperatorModel } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import type { Route } from './call.js';
import { NoReview, textOf, WebhookServerError } from './errors.js';
import { type AdmissionHandles, checkHandles } from './handles.js';
import { LogAllowance } from './log-allowance.js';
import type { WebhookObserver } from './observer.js';
import { type ExchangeParts, exchange, failure } from './review-exchange.js';
import { ReviewMemory, type ReviewMemoryOptions } from './review-memory.js';
import { ReviewMessage } from './review-message.js';
import { routesOf } from './routes.js';
import { sendBody } from './send-body.js';
import type { ServingSource } from './serving-source.js';

export interface WebhookServerOptions {
  readonly operator: Pick<OperatorModel, 'webhooks' | 'customResources'>;
  /** 0: any that is free. */
  readonly port: number;
  /** @defaultValue all addresses of the machine, as a pod needs it */
  readonly host?: string | undefined;
  readonly certificate: ServingSource;
  /** PEM: only clients with a certificate of this authority are answered. @defaultValue none — API servers show a certificate only if they are configured to */
  readonly clientAuthority?: string | undefined;
  /** Handles of the webhooks. @defaultValue none: no webhook declares `watches` */
  readonly handles?: AdmissionHandles | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly observer?: WebhookObserver | undefined;
  /** Memory that reviews may take together; others wait. @defaultValue a part of V8's heap limit */
  readonly memory?: ReviewMemoryOptions | undefined;
  /**
   * How long {@link WebhookServer.stop} goes on accepting connections, in milliseconds: API servers learn a moment later that this pod is not to be asked
   * any more. @defaultValue 2_000
   */
  readonly lingerMs?: number | undefined;
  /** How long it then waits for answers that are under way, in milliseconds. @defaultValue 30_000 — no API server waits longer */
  readonly drainMs?: number | undefined;
}

/** Go's clients keep an idle connection for 90 s: the server must not be the one to end it, or a request may meet its end. */
const KEEP_ALIVE_MS = 120_000;
/** For a handshake, for the head of a request, and for a client to take its answer. */
const PATIENCE_MS = 10_000;

/**
 * Serves the webhooks and conversions of an operator over HTTPS.
 *
 * Flow: `start` → requests → `stop`: connections end with their next answer, after `lingerMs` none is accepted, answers under way are waited for.
 * Guarantees: a certificate that changes is shown to the next connection, and no request is lost to it; a certificate that TLS refuses leaves the last one in
 * use. Requests are bounded in size, and all together in memory. No leader is needed: every replica serves.
 * Errors: {@link WebhookServerError} when it cannot be started. Faults of a request are answered and logged.
 */
export class WebhookServer {
  readonly #options: WebhookServerOptions;
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #parts: ExchangeParts;
  readonly #sockets = new Set<Socket>();
  /** Connections that have not asked anything yet. Node takes them for busy, and would wait for their first request. */
  readonly #fresh = new Set<Socket>();
  #server: Server | undefined;
  #clientAuthority: string | undefined;
  #unsubscribe: () => void = () => undefined;
  #stopping: Promise<void> | undefined;

  /** @throws WebhookServerError when two webhooks share a path, or one reads and there are no handles */
  constructor(options: WebhookServerOptions) {
    const { clock, log, memory } = options;
    this.#options = options;
    this.#clientAuthority = options.clientAuthority;
    checkHandles(options.operator.webhooks, options.handles);
    this.#routes = routesOf(options.operator, options.handles);
    this.#parts = {
      clock,
      log,
      memory: new ReviewMemory(memory),
      complaints: new LogAllowance({ clock, log }),
      observer: safeObserver(options),
    };
  }

  /** Whether it accepts requests, and goes on doing so. */
  get isReady(): boolean {
    return this.#server?.listening === true && this.#stopping === undefined;
  }

  /** @throws WebhookServerError without a certificate that can be used, and when the port is taken */
  async start(): Promise<{ readonly port: number }> {
    if (this.#server !== undefined) throw new WebhookServerError('the webhook server has been started before; make a new one');
    const { certificate, host, port, log } = this.#options;
    const pair = certificate.current;
    if (pair === undefined) throw new WebhookServerError('there is no certificate yet to serve webhooks with; wait until it is ready');
    const server = this.#created(pair);
    this.#server = server;
    this.#unsubscribe = certificate.onChange((changed) => this.#show(changed));
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) =>
        reject(new WebhookServerError(`webhooks cannot be served at port ${port}: ${error.message}`, { cause: error })),
      );
      server.listen({ port, host }, resolve);
    });
    server.on('error', (error) => log.error('the webhook server reports an error', { error }));
    const { port: listening } = server.address() as AddressInfo;
    log.info('serving webhooks', { port: listening, paths: [...this.#routes.keys()] });
    return { port: listening };
  }

  /** Resolves when the last answer is given and no connection is left. May be called again: it is one end. */
  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }

  /**
   * Answers only clients with a certificate of this authority (PEM) from now on. Before {@link start}, or in place of another: a server that asks for no certificates
   * when it starts does not begin to.
   */
  setClientAuthority(authority: string): void {
    this.#clientAuthority = authority;
    const { current } = this.#options.certificate;
    if (current !== undefined) this.#show(current);
  }

  #created(pair: KeyPair): Server {
    const http = {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: PATIENCE_MS,
      connectionsCheckingInterval: PATIENCE_MS / 5,
      handshakeTimeout: PATIENCE_MS,
    };
    const client = this.#clientAuthority === undefined ? {} : { requestCert: true, rejectUnauthorized: true };
    let server: Server;
    try {
      server = createServer({ ...http, ...client, ...this.#secured(pair), IncomingMessage: ReviewMessage });
    } catch (error) {
      throw new WebhookServerError(`the certificate cannot be used to serve webhooks: ${textOf(error)}`, { cause: error });
    }
    server.on('request', (request, response) => inTurn(request.socket, response, () => void this.#serve(request, response)));
    // Probes and scans that know no TLS are not errors of ours.
    server.on('tlsClientError', (error) => this.#options.log.debug('a handshake failed', { error: error.message }));
    server.on('secureConnection', (socket: Socket) => {
      this.#fresh.add(socket);
      socket.once('close', () => this.#fresh.delete(socket));
    });
    new ConnectionGuard().watch(server);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    return server;
  }

  #secured({ certificate, privateKey }: KeyPair): SecureContextOptions {
    const clientAuthority = this.#clientAuthority;
    return { cert: certificate, key: privateKey, minVersion: 'TLSv1.2', ...(clientAuthority === undefined ? {} : { ca: clientAuthority }) };
  }

  #show(pair: KeyPair): void {
    try {
      this.#server?.setSecureContext(this.#secured(pair));
    } catch (error) {
      this.#options.log.error('a new certificate cannot be used; the last one stays in use', { error: textOf(error) });
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { log } = this.#options;
    this.#fresh.delete(request.socket);
    // Readers and writers see the error of a broken socket; without a listener it would end the process.
    for (const end of [request, response]) end.on('error', (error: Error) => log.debug('a connection broke', { error: error.message }));
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const route = this.#routes.get(path);
    const answer =
      route === undefined
        ? failure(new NoReview(404, 'no webhook is served at this path'))
        : await exchange(route, { request, response }, this.#parts);
    if (response.destroyed) return;
    // A connection with an unread body cannot be reused.
    const ends = this.#stopping !== undefined || !request.complete;
    const body = Buffer.from(answer.text);
    response.writeHead(answer.status, {
      'content-type': answer.type,
      'content-length': body.length,
      ...answer.headers,
      ...(ends ? { connection: 'close' } : {}),
    });
    sendBody(response, body);
    // A client that does not read its answer would hold the memory of others' reviews.
    const cancel = this.#options.clock.schedule(PATIENCE_MS, () => request.socket.destroy());
    response.once('close', cancel);
  }

  async #end(): Promise<void> {
    const { lingerMs = 2_000, drainMs = 30_000, clock, log } = this.#options;
    const server = this.#server;
    if (server?.listening !== true) return;
    if (lingerMs > 0) await new Promise<void>((resolve) => void clock.schedule(lingerMs, resolve));
    this.#unsubscribe();
    const cancel = clock.schedule(drainMs, () => {
      log.warn('webhook requests were cut off at shutdown', { connections: this.#sockets.size });
      for (const socket of this.#sockets) socket.destroy();
    });
    // Ends idle connections too.
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    for (const socket of this.#fresh) socket.destroy();
    await closed;
    cancel();
  }
}

/** An observer that has every method and never throws: metrics must not stop what they measure. */
function safeObserver({ observer, log }: WebhookServerOptions): Required<WebhookObserver> {
  const guarded = (tell: () => void): void => {
    try {
      tell();
    } catch (error) {
      log.error('the observer of webhooks failed', { error });
    }
  };
  return {
    started: (path) => guarded(() => observer?.started?.(path)),
    finished: (path, code, seconds) => guarded(() => observer?.finished?.(path, code, seconds)),
    panicked: (path) => guarded(() => observer?.panicked?.(path)),
  };
}
