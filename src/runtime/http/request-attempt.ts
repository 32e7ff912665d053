import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../clock/index.js';
import {
  CertificateRefusedError,
  ConnectionError,
  CredentialsError,
  DeadlineExceededError,
  type DeadlinePhase,
  MalformedResponseError,
  textOf,
} from './errors.js';
import type { RequestScope } from './request-scope.js';

/** How long each part of an attempt may take, in milliseconds. A watch has no deadline as a whole: only silence ends it. */
export interface Deadlines {
  /** @defaultValue 10_000 — TCP and TLS; a server that is there answers within one round trip or two */
  readonly connectMs: number;
  /** @defaultValue 65_000 — the API server gives up after 60 s itself, and its answer says more than our deadline */
  readonly headersMs: number;
  /** Longest silence between two parts of a body. @defaultValue 30_000 */
  readonly bodyIdleMs: number;
  /**
   * From the headers to the end of an answer that is not a stream.
   * @defaultValue 300_000 — a server that sends a byte now and then is never silent; the largest answer that is taken needs less than 4 Mbit/s
   */
  readonly bodyMs: number;
}

export const DEADLINES: Deadlines = Object.freeze({ connectMs: 10_000, headersMs: 65_000, bodyIdleMs: 30_000, bodyMs: 300_000 });

/** Where requests go, taken apart once. */
export interface ServerAddress {
  readonly protocol: string;
  /** With the port, where one is named. */
  readonly host: string;
  /** An IPv6 address without brackets. */
  readonly hostname: string;
  readonly port: string;
  /** The prefix of every path, as behind a proxy; without a slash at its end. */
  readonly prefix: string;
}

export function serverAddressOf(server: string): ServerAddress {
  const { protocol, host, hostname, port, pathname } = new URL(server);
  return { protocol, host, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port, prefix: pathname.replace(/\/+$/, '') };
}

/** One attempt, ready to be sent. */
export interface RequestAttempt {
  /** The request in words, for messages. */
  readonly request: string;
  /** Where the address and the credentials come from, for messages. */
  readonly origin: string;
  readonly method: string;
  readonly server: ServerAddress;
  /** With its query, and with the path that the server's address has. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Node sends a text in one piece with the headers, and bytes in a second. */
  readonly body: string | Buffer | undefined;
  readonly agent: Agent;
  readonly deadlines: Deadlines;
  readonly clock: Clock;
  readonly scope: RequestScope;
  /** Called when the connection stands and before the first byte of the request leaves; it may end the scope. */
  readonly beforeSend: () => void;
}

/**
 * Sends one request and waits until its answer begins.
 *
 * Flow: 1. connect, or take a kept-alive connection, under `connectMs`. 2. ask once more whether it may be sent, and send. 3. wait for the headers under
 * `headersMs`.
 * Guarantees: it settles once; after a rejection the socket is destroyed. Nothing is retried and no redirect is followed. Nothing leaves after the scope has
 * ended, also when it ends while the connection is being made.
 * Errors: ConnectionError, CertificateRefusedError, CredentialsError, MalformedResponseError, DeadlineExceededError, or what ended the scope.
 */
export function sendRequest(attempt: RequestAttempt): Promise<IncomingMessage> {
  const { scope, clock, deadlines } = attempt;
  return new Promise((resolve, reject) => {
    const request = opened(attempt);
    let connected = false;
    let stopTimer = (): void => {};
    const stopListening = scope.onEnd((reason) => request.destroy(reason));
    const await_ = (phase: DeadlinePhase, afterMs: number): void => {
      stopTimer();
      stopTimer = clock.schedule(afterMs, () => request.destroy(new DeadlineExceededError(attempt.request, phase, afterMs)));
    };
    const settle = (): void => {
      stopTimer();
      stopListening();
    };
    await_('connect', deadlines.connectMs);
    request.on('socket', (socket) => {
      whenConnected(socket, attempt.server.protocol === 'https:', () => {
        // Bytes wait until listeners have been called: a listener that ends the scope here keeps them from leaving.
        attempt.beforeSend();
        if (scope.ended !== undefined) return;
        connected = true;
        await_('headers', deadlines.headersMs);
      });
    });
    request.on('response', (response) => {
      settle();
      resolve(response);
    });
    // Without a listener Node would end the connection and say nothing.
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      settle();
      reject(
        new MalformedResponseError(attempt.request, `the answer is ${statusCode}, a change to another protocol, which was not asked for`),
      );
    });
    request.on('error', (error) => {
      settle();
      reject(meaningOf(error, attempt, { sent: connected, reusedSocket: request.reusedSocket }));
    });
    request.end(attempt.body);
  });
}

/** Characters that may stand in the first line of a request as they are. */
const PLAIN_PATH = /^[!-~]*$/;

/** @throws CredentialsError for what Node refuses before it connects: a certificate or a key that is not PEM, a token or a user that no header may hold */
function opened(attempt: RequestAttempt): ClientRequest {
  try {
    return open(attempt);
  } catch (error) {
    const advice = `check the certificates, the token and the user of ${attempt.origin}`;
    throw new CredentialsError(`${attempt.request}: it cannot be sent: ${textOf(error)}; ${advice}`, { cause: error });
  }
}

/** Certificates are the agent's. */
function open({ method, server: { protocol, hostname, port }, path, headers, agent }: RequestAttempt): ClientRequest {
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  return send({
    protocol,
    hostname,
    port,
    path: PLAIN_PATH.test(path) ? path : encoded(path),
    method,
    agent,
    headers: headers as Record<string, string | string[]>,
  });
}

function encoded(path: string): string {
  const { pathname, search } = new URL(path, 'http://server');
  return pathname + search;
}

/** Calls back when bytes of the request can leave: after the TLS handshake, not after TCP alone. */
function whenConnected(socket: Socket, isTls: boolean, callback: () => void): void {
  const handshaking = isTls && (socket as { secureConnecting?: boolean }).secureConnecting === true;
  if (socket.connecting || handshaking) socket.once(isTls ? 'secureConnect' : 'connect', callback);
  else callback();
}

/** Error codes of OpenSSL and Node for certificates; others mean a broken connection. */
const CERTIFICATE_CODES =
  /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|ERR_SSL_.*(ALERT|CERT)|ERR_OSSL_)/;

function meaningOf(error: Error, { request, origin, scope }: RequestAttempt, facts: { sent: boolean; reusedSocket: boolean }): Error {
  if (scope.ended !== undefined) return scope.ended;
  if (error instanceof DeadlineExceededError) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (CERTIFICATE_CODES.test(code)) return new CertificateRefusedError(request, origin, error);
  // Plain HTTP spoken to a TLS port, or the reverse: it will not mend itself either.
  if (code.startsWith('EPROTO') || code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return new CertificateRefusedError(request, origin, new Error(textOf(error), { cause: error }));
  return new ConnectionError(request, { ...facts, cause: error });
}
