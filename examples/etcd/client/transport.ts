import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { EtcdTls } from './api.js';
import { EtcdError } from './errors.js';

export interface Exchange {
  /** A client URL, without a path. */
  readonly endpoint: string;
  readonly path: string;
  /** Sent as JSON by POST. @defaultValue a GET */
  readonly body?: object | undefined;
  readonly tls?: EtcdTls | undefined;
  /** The caller's: its reason is thrown as it is. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the connection. */
  readonly connectMs: number;
  /** Milliseconds until the answer has begun. */
  readonly answerMs: number;
  /** The answer goes on and on: etcd gets no deadline for the call. @defaultValue false: it gets `answerMs` */
  readonly isStream?: boolean | undefined;
  /** A change: once sent, it may have happened. */
  readonly isChange: boolean;
}

/** An answer that has begun; its body is still to be read. */
export interface Answer {
  readonly status: number;
  readonly body: IncomingMessage;
  readonly close: () => void;
}

/**
 * Sends a request over a connection of its own. A kept one may have been closed by a server that restarted, and then nothing says whether a change was done.
 *
 * @throws EtcdError `Unavailable` if nothing was sent, `Timeout` if it was and no answer came
 */
export function begin(exchange: Exchange): Promise<Answer> {
  const { endpoint, path, body, tls, signal, connectMs, answerMs, isStream = false, isChange } = exchange;
  signal?.throwIfAborted();
  const url = urlOf(endpoint, path);
  return new Promise((resolve, reject) => {
    let isSent = false;
    const fail = (problem: string, cause?: unknown): void => {
      const sent = isSent;
      reject(
        new EtcdError(sent ? 'Timeout' : 'Unavailable', `${endpoint}: ${problem}`, { endpoint, mayHaveHappened: sent && isChange, cause }),
      );
      request.destroy();
    };
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: sent === undefined ? 'GET' : 'POST',
      agent: false,
      headers: {
        ...(sent === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(sent) }),
        ...(isStream ? {} : { 'Grpc-Timeout': `${Math.max(1, Math.floor(answerMs))}m` }),
      },
      ...(url.protocol === 'https:' ? { ca: tls?.ca, cert: tls?.cert, key: tls?.key } : {}),
    });
    const abort = (): void => {
      const reason: unknown = signal?.reason;
      reject(reason instanceof Error ? reason : new Error('the call was aborted', { cause: reason }));
      request.destroy();
    };
    const connectTimer = setTimeout(() => fail(`no connection within ${connectMs} ms`), connectMs);
    const answerTimer = setTimeout(() => fail(`no answer within ${Math.floor(answerMs)} ms`), answerMs);
    const stopTimers = (): void => {
      clearTimeout(connectTimer);
      clearTimeout(answerTimer);
    };
    signal?.addEventListener('abort', abort, { once: true });
    const close = (): void => {
      stopTimers();
      signal?.removeEventListener('abort', abort);
      request.destroy();
    };
    request.once('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        isSent = true;
        clearTimeout(connectTimer);
      });
    });
    request.once('response', (response) => {
      stopTimers();
      resolve({ status: response.statusCode ?? 0, body: response, close });
    });
    request.on('error', (error) => {
      stopTimers();
      signal?.removeEventListener('abort', abort);
      fail(error.message || (error as NodeJS.ErrnoException).code || 'the connection broke', error);
    });
    request.end(sent);
  });
}

/**
 * The chunks of a body, each within a time: a server that hangs amid an answer is given up.
 *
 * @throws EtcdError `Timeout`
 */
export async function* chunksOf({ body, close }: Answer, idleMs: number, { endpoint, isChange, signal }: Exchange): AsyncGenerator<Buffer> {
  const lost = (problem: string, cause?: unknown) =>
    new EtcdError('Timeout', `${endpoint}: ${problem}`, { endpoint, mayHaveHappened: isChange, cause });
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const timer = setTimeout(() => body.destroy(lost(`the answer stopped for ${Math.floor(idleMs)} ms`)), idleMs);
      const next = await chunks.next().finally(() => clearTimeout(timer));
      if (next.done === true) break;
      yield next.value;
    }
    // A connection that is cut ends some bodies without an error.
    if (!body.complete) throw lost('the answer was cut off');
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof EtcdError ? error : lost('the answer was cut off', error);
  } finally {
    close();
  }
}

function urlOf(endpoint: string, path: string): URL {
  if (!/^https?:/.test(endpoint) || !URL.canParse(endpoint))
    throw new TypeError(`'${endpoint}' is not an endpoint of etcd: expected a URL as http://10.0.0.1:2379`);
  return new URL(path, endpoint);
}
