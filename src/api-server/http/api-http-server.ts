import { createServer as createPlainServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { createServer as createHttp2Server, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { inTurn, SerialMessage, Turns } from '@keelson/kubernetes/listening';
import { CarriedConnection, type CarriedReceiver, type CarriedRequest } from './carried.js';
import { Dispatcher } from './dispatch.js';
import { Http2Exchange, type Http2Head } from './http2-exchange.js';
import type { HttpParts } from './parts.js';
import { serveRequest } from './serve-request.js';
import { receivedRequest } from './served-request.js';
import { assignTo, type Upgrade } from './upgrade.js';

/** PEM. */
export interface TlsMaterial {
  /** The serving certificate, and those between it and its authority. */
  readonly certificate: string;
  readonly key: string;
  /** Authorities of client certificates. A client without a certificate is let in: authentication decides. */
  readonly clientAuthorities: string;
}

export interface ListenOptions {
  /** Default 127.0.0.1: the server is for this machine. */
  readonly host?: string;
  /** Default 0: any that is free. */
  readonly port?: number;
  /** Default: plain HTTP. */
  readonly tls?: TlsMaterial;
}

export interface ListeningAddress {
  readonly host: string;
  readonly port: number;
  /** `https://127.0.0.1:38471` */
  readonly url: string;
}

/** As Go's server: 32 seconds for the head of a request, as many header bytes as Go takes. A body may take as long as the request may. */
const HEADERS_TIMEOUT_MS = 32_000;
const MAX_HEADER_BYTES = 1024 * 1024;
/** The longest that watches may take to end when the server closes; a client that does not read must not hold it up. */
const CLOSE_GRACE_MS = 500;
/** Parts of that time, one after the other: of a time in which the event loop was blocked, and nothing was sent or heard, one part alone passes. */
const CLOSE_GRACE_PARTS = 25;

/**
 * The HTTP server of the in-process API: HTTP/1.1, plain or with TLS, and HTTP/2 for clients that choose it in their TLS handshake, as on a kube-apiserver.
 *
 * Requests that are no HTTP are answered by Node's parser, without a body: 400, 408 (head too slow), 431 (head too large); `CONNECT` is cut off. All others go
 * through {@link serveRequest}.
 */
export class ApiHttpServer {
  readonly #parts: HttpParts;
  readonly #dispatcher: Dispatcher;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #turns = new Turns();
  readonly #carried = new Set<CarriedConnection>();
  #server: Server | undefined;
  #isClosing = false;
  #requests = 0;
  /** Requests whose answer has not ended, watches among them. */
  #underWay = 0;

  constructor(parts: HttpParts) {
    this.#parts = parts;
    this.#dispatcher = new Dispatcher(parts);
  }

  /** @throws Error of Node when the port is taken */
  listen({ host = '127.0.0.1', port = 0, tls }: ListenOptions = {}): Promise<ListeningAddress> {
    const server = tls === undefined ? createPlainServer(SERVER_OPTIONS) : createSecureServer({ ...SERVER_OPTIONS, ...tlsOptions(tls) });
    this.#server = server;
    server.on('request', (request, response) => {
      inTurn(request.socket, response, () => {
        if (this.#isClosing) response.setHeader('Connection', 'close');
        this.#enter(response);
        this.#serve(request, response);
      });
    });
    server.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Without a listener, an error of the connection would end the process; `close` follows it.
      socket.on('error', () => undefined);
      const response = new ServerResponse(message);
      inTurn(message.socket, response, () => {
        assignTo(socket, response, message);
        this.#enter(response);
        this.#serve(message, response, { socket, head });
      });
    });
    if (tls !== undefined) divert(server, this.#http2());
    server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => this.#keep(socket));
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        const { port: actual } = server.address() as AddressInfo;
        const shown = host.includes(':') ? `[${host}]` : host;
        resolve({ host, port: actual, url: `${tls === undefined ? 'http' : 'https'}://${shown}:${actual}` });
      });
    });
  }

  /** No request is under way, and watches have sent all that there is. */
  get isQuiet(): boolean {
    const watches = [...this.#dispatcher.watches];
    return this.#underWay === watches.length && watches.every(({ isIdle }) => isIdle);
  }

  /**
   * Takes a request that comes without a socket. Authentication, refusals and faults are as for one that comes through a socket.
   *
   * @returns the way to break off
   */
  carry(request: CarriedRequest, receiver: CarriedReceiver): { abandon(): void } {
    const connection = new CarriedConnection(request, receiver);
    const { response } = connection;
    this.#enter(response);
    this.#carried.add(connection);
    response.once('close', () => this.#carried.delete(connection));
    setImmediate(() => {
      if (this.#isClosing) connection.cut();
      else this.#serve(connection.request, response);
    });
    return connection;
  }

  /** It listens nowhere: it is given the connections whose clients have chosen HTTP/2. */
  #http2(): Http2Server {
    const server = createHttp2Server(HTTP2_OPTIONS);
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
      // Without a listener, an error of the connection would end the process; `close` follows it.
      session.on('error', () => undefined);
      if (this.#isClosing) session.close();
    });
    const onStream = (...[stream, headers, , rawHeaders]: Http2Head): void => {
      const { request, response } = new Http2Exchange(stream, headers, rawHeaders);
      this.#enter(response);
      // Streams are many at once, as the protocol has it; one that its client resets before its turn costs no more.
      this.#turns.add(() => {
        if (!response.destroyed) this.#serve(request, response);
      });
    };
    return server.on('stream', onStream);
  }

  #enter(response: ServerResponse): void {
    this.#underWay += 1;
    response.once('close', () => {
      this.#underWay -= 1;
    });
  }

  #serve(message: IncomingMessage, response: ServerResponse, upgrade?: Upgrade): void {
    this.#requests += 1;
    const request = receivedRequest({ message, response, number: this.#requests, ...(upgrade && { upgrade }) }, this.#parts);
    void serveRequest(request, this.#parts, this.#dispatcher.dispatch);
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Takes no more connections, ends watches in good order, then cuts what is left. May be called again. */
  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const streams = [...this.#dispatcher.watches];
    for (const stream of streams) stream.finish();
    await Promise.race([Promise.all(streams.map(({ ended }) => ended)), graceTime()]);
    // The last writes are on their way to the clients: idle connections first.
    server.closeIdleConnections();
    for (const session of this.#sessions) session.close();
    await Promise.race([closed, this.#sockets.size === 0 ? closed : graceTime()]);
    for (const socket of this.#sockets) socket.destroy();
    for (const connection of this.#carried) connection.cut();
    await closed;
  }
}

const SERVER_OPTIONS = {
  // A client keeps a connection for as long as it likes: one that the server closes first is a race that loses requests.
  keepAliveTimeout: 0,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: 0,
  maxHeaderSize: MAX_HEADER_BYTES,
  highWaterMark: 64 * 1024,
  noDelay: true,
  IncomingMessage: SerialMessage,
} as const;

/** Streams at once, and bytes that may be under way, as a kube-apiserver has them. Source: apiserver `pkg/server/secure_serving.go`. */
const HTTP2_OPTIONS = {
  settings: { maxConcurrentStreams: 100, initialWindowSize: 256 * 1024, maxFrameSize: 256 * 1024, maxHeaderListSize: MAX_HEADER_BYTES },
  maxHeaderListPairs: 2_000,
} as const;

function tlsOptions({ certificate, key, clientAuthorities }: TlsMaterial): Record<string, unknown> {
  const protocols = { ALPNProtocols: ['h2', 'http/1.1'], minVersion: 'TLSv1.2' };
  return { cert: certificate, key, ca: clientAuthorities, requestCert: true, rejectUnauthorized: false, ...protocols };
}

/** Gives the connections that have agreed on HTTP/2 to a server that speaks it. All others stay with the listeners that Node's HTTPS server has itself. */
function divert(server: Server, http2: Http2Server): void {
  const stay = server.listeners('secureConnection') as ((socket: TLSSocket) => void)[];
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol !== 'h2') for (const listener of stay) listener.call(server, socket);
    else http2.emit('connection', socket);
  });
}

async function graceTime(): Promise<void> {
  for (let part = 0; part < CLOSE_GRACE_PARTS; part += 1)
    await new Promise<void>((resolve) => {
      setTimeout(resolve, CLOSE_GRACE_MS / CLOSE_GRACE_PARTS).unref();
    });
}
