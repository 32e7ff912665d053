import { type ClientHttp2Session, connect } from 'node:http2';
import type { Content, Endpoint, Exchanged, Wire } from './connection.js';

/** What a server is sent on one connection at once. A kube-apiserver lets a client have so many streams, and ours too. */
export const STREAMS = 100;

/** One HTTP/2 connection, with as many requests at once as there are callers. */
export class Http2Connection implements Wire {
  readonly #session: ClientHttp2Session;
  readonly #authorization: string;

  private constructor(session: ClientHttp2Session, token: string) {
    this.#session = session;
    this.#authorization = `Bearer ${token}`;
  }

  static open({ url, ca, token }: Endpoint): Promise<Http2Connection> {
    return new Promise((resolve, reject) => {
      const session = connect(url, { ...(ca !== undefined && { ca }) });
      session.once('error', reject);
      session.once('connect', () => resolve(new Http2Connection(session, token)));
    });
  }

  request(method: string, path: string, { body = '', contentType = 'application/json' }: Content = {}): Promise<Exchanged> {
    const head = { ':method': method, ':path': path, authorization: this.#authorization };
    const content = body === '' ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const stream = this.#session.request({ ...head, ...content }, { endStream: body === '' });
      if (body !== '') stream.end(body);
      const chunks: Buffer[] = [];
      let status = 0;
      stream.on('response', (headers) => {
        status = Number(headers[':status']);
      });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => resolve({ status, body: Buffer.concat(chunks) })).on('error', reject);
    });
  }

  /** Settles with the head of the answer. */
  watch(path: string, onChunk: (chunk: Buffer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request({ ':path': path, authorization: this.#authorization });
      stream.on('data', onChunk).once('error', reject);
      stream.once('response', ({ ':status': status }) =>
        status === 200 ? resolve() : reject(new Error(`a watch was answered with ${status}`)),
      );
    });
  }

  close(): void {
    this.#session.destroy();
  }
}
