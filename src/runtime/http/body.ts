import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { JoinedBytes } from '@keelson/kubernetes/apimachinery';
import type { Clock } from '../clock/index.js';
import { ConnectionError, DeadlineExceededError, MalformedResponseError, ResponseTooLargeError } from './errors.js';
import type { RequestScope } from './request-scope.js';

export interface BodyOptions {
  /** The request in words, for messages. */
  readonly request: string;
  readonly clock: Clock;
  readonly scope: RequestScope;
  /** Longest silence that is waited through, in milliseconds. */
  readonly idleMs: number;
}

/** Bounds of a body that is read whole. */
export interface WholeBodyOptions extends BodyOptions {
  readonly maxBytes: number;
  /** How long all of it may take, in milliseconds. */
  readonly totalMs: number;
}

/**
 * The parts of a body as they come.
 *
 * Guarantees: the consumer sets the pace (TCP holds the server back), and only time spent waiting for the server counts as silence; however the iteration
 * ends, the response is destroyed.
 * Errors: DeadlineExceededError of phase `body`; ConnectionError when the connection breaks before the body's end; what ended the scope.
 */
export async function* bodyChunks(
  response: IncomingMessage,
  { request, clock, scope, idleMs }: BodyOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const stopListening = scope.onEnd((reason) => response.destroy(reason));
  const parts = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    while (true) {
      const stopTimer = clock.schedule(idleMs, () => response.destroy(new DeadlineExceededError(request, 'body', idleMs)));
      const part = await parts.next().finally(stopTimer);
      if (part.done === true) break;
      yield part.value;
    }
    // A destroyed stream may look ended.
    scope.throwIfEnded();
  } catch (error) {
    if (scope.ended !== undefined) throw scope.ended;
    if (error instanceof DeadlineExceededError) throw error;
    throw new ConnectionError(request, { sent: true, reusedSocket: false, cause: error });
  } finally {
    stopListening();
    if (!response.readableEnded) response.destroy();
  }
}

const unzip = promisify(gunzip);

/** As {@link bodyChunks}, all at once: a small answer comes in one part, for which an iteration would cost more than all else. */
function collected(response: IncomingMessage, { request, clock, scope, idleMs, maxBytes, totalMs }: WholeBodyOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = new JoinedBytes();
    let stopTimer = (): void => {};
    const awaitNext = (): void => {
      stopTimer();
      stopTimer = clock.schedule(idleMs, () => fail(new DeadlineExceededError(request, 'body', idleMs)));
    };
    const stopTotal = clock.schedule(totalMs, () => fail(new DeadlineExceededError(request, 'answer', totalMs)));
    const settle = (): void => {
      stopTimer();
      stopTotal();
      stopListening();
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
      response.destroy();
    };
    let stopListening = (): void => {};
    stopListening = scope.onEnd(fail);
    if (scope.ended !== undefined) return;
    awaitNext();
    response.on('data', (part: Buffer) => {
      if (body.length + part.length > maxBytes) return fail(new ResponseTooLargeError(request, maxBytes));
      body.add(part);
      awaitNext();
    });
    response.on('end', () => {
      settle();
      const pieces = body.take();
      resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
    });
    // After an end or a failure of ours it says nothing new.
    response.on('error', (error) => fail(new ConnectionError(request, { sent: true, reusedSocket: false, cause: error })));
    response.on('close', () => {
      if (!response.complete)
        fail(new ConnectionError(request, { sent: true, reusedSocket: false, cause: new Error('the answer breaks off') }));
    });
  });
}

function encodingOf(response: IncomingMessage): string {
  return response.headers['content-encoding'] ?? 'identity';
}

/** @throws MalformedResponseError for a stream that is zipped: it would be read as if it were text */
export function refuseZipped(response: IncomingMessage, request: string): void {
  const encoding = encodingOf(response);
  if (encoding === 'identity') return;
  response.destroy();
  throw new MalformedResponseError(request, `the stream is encoded as ${JSON.stringify(encoding)}, which was not asked for`);
}

/**
 * The whole body, unzipped.
 *
 * @param maxBytes bounds both forms: a few zipped kilobytes can unfold into gigabytes
 * Errors: those of {@link bodyChunks}, DeadlineExceededError of phase `answer`, ResponseTooLargeError, MalformedResponseError for what is not a gzip.
 */
export async function readBody(response: IncomingMessage, options: WholeBodyOptions): Promise<Buffer> {
  const { request, maxBytes } = options;
  const body = await collected(response, options);
  const encoding = encodingOf(response);
  if (encoding === 'identity' || body.length === 0) return body;
  if (encoding !== 'gzip')
    throw new MalformedResponseError(request, `the answer is encoded as ${JSON.stringify(encoding)}; only gzip was offered`);
  try {
    return await unzip(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new ResponseTooLargeError(request, maxBytes);
    throw new MalformedResponseError(request, 'the answer says that it is gzip and is not', { cause: error });
  }
}
