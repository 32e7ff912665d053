import type { IncomingMessage } from 'node:http';
import { JoinedBytes } from '@keelson/kubernetes/apimachinery';
import { requestEntityTooLarge } from '../status/index.js';

/**
 * All of a request's body. A `Content-Encoding` is not looked at, as the server does not.
 *
 * @throws StatusError 413; the rest of the body is then read and thrown away. Error when the client breaks off.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const body = new JoinedBytes();
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      if (body.length + chunk.length > limit) {
        stop();
        request.resume();
        reject(requestEntityTooLarge(`limit is ${limit}`));
      } else body.add(chunk);
    };
    const onEnd = (): void => {
      stop();
      const pieces = body.take();
      resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
    };
    const onClose = (): void => {
      stop();
      reject(new ClientGone());
    };
    const stop = (): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** Whether a body is announced. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The connection broke: there is no client to answer. */
export class ClientGone extends Error {
  readonly isClientGone = true;

  constructor() {
    super('the client has gone before its request was complete');
  }

  static isClientGone(value: unknown): boolean {
    return typeof value === 'object' && value !== null && 'isClientGone' in value;
  }
}
