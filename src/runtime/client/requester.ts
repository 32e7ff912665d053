import { type HttpAnswer, type HttpMethod, type HttpStream, MalformedResponseError, retryAfterMs, type Transport } from '../http/index.js';
import type { ApiError } from './api-error.js';
import { errorOf, foreignStatus } from './error-of.js';
import type { CallOptions } from './options.js';
import { type Query, queryText } from './selection.js';
import { statusOf } from './status.js';

/** One request in the API's terms. */
export interface ApiRequest extends CallOptions {
  /** The HTTP method. */
  readonly method: HttpMethod;
  /** Without a query, for example `/apis/apps/v1/deployments`. */
  readonly path: string;
  /** Parameters by name; those that are `undefined` are left out. @defaultValue none */
  readonly query?: Query | undefined;
  /** Sent as JSON; a string or a Buffer as it is. */
  readonly body?: unknown;
  /** Media type of the body. @defaultValue `application/json` */
  readonly contentType?: string | undefined;
  /** Media types of the answer, as the `Accept` header. @defaultValue `application/json` */
  readonly accept?: string | undefined;
  /** Whether twice has the same effect as once. @defaultValue true for all methods but POST and PATCH */
  readonly idempotent?: boolean | undefined;
}

/** How much of a refusal's body is read when it comes in place of a stream. */
const MAX_REFUSAL_BYTES = 1024 * 1024;
/** How long it is waited for. */
const REFUSAL_MS = 30_000;

/** Sends requests, reads JSON, and throws what the server refuses. */
export class Requester {
  readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** The answer's JSON; its text if it is not JSON. @throws ApiError for a status of 300 and more, and the transport's errors */
  async send(request: ApiRequest): Promise<unknown> {
    const answer = await this.transport.request(httpRequestOf(request));
    if (answer.status >= 300) throw this.#refusal(request, answer);
    return bodyOf(request, answer);
  }

  /** As {@link send}, for an answer that must be an object. */
  async object(request: ApiRequest): Promise<Record<string, unknown>> {
    const body = await this.send(request);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
    throw new MalformedResponseError(nameOf(request), `the answer is not an API object, but ${descriptionOf(body)}`);
  }

  /** As {@link send}, but the body comes as it comes. */
  async stream(request: ApiRequest & { readonly silentMs: number }): Promise<HttpStream> {
    const stream = await this.transport.stream({ ...httpRequestOf(request), deadlines: { bodyIdleMs: request.silentMs } });
    if (stream.status < 300) {
      if (!isWebPage(stream.headers)) return stream;
      stream.close();
      throw webPage(request);
    }
    throw this.#refusal(request, { status: stream.status, headers: stream.headers, body: await this.#beginningOf(stream) });
  }

  /** The body of a refusal within bounds: the deadlines of a stream are not made for it. */
  async #beginningOf(stream: HttpStream): Promise<Buffer> {
    const parts: Buffer[] = [];
    let bytes = 0;
    const stopTimer = this.transport.clock.schedule(REFUSAL_MS, () => stream.close());
    try {
      for await (const chunk of stream.chunks) {
        parts.push(chunk);
        bytes += chunk.length;
        if (bytes > MAX_REFUSAL_BYTES) break;
      }
    } finally {
      stopTimer();
    }
    return Buffer.concat(parts);
  }

  #refusal(request: ApiRequest, answer: Pick<HttpAnswer, 'status' | 'headers' | 'body'>): ApiError {
    const text = answer.body.toString('utf8');
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      // Not every refusal comes from the API server: what it is instead is shown as it came.
    }
    const status = statusOf(parsed) ?? foreignStatus(answer.status, text, answer.headers.location);
    return errorOf({
      request: nameOf(request),
      status,
      httpStatus: answer.status,
      retryAfterMs: retryAfterMs(answer.headers['retry-after'], this.transport.clock.wallMs()),
    });
  }
}

export function nameOf({ method, path }: Pick<ApiRequest, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

function httpRequestOf(request: ApiRequest): Parameters<Transport['request']>[0] {
  const { method, path, query = {}, body, contentType = 'application/json', accept, idempotent, signal, deadlineMs, onWarning } = request;
  const content = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const headers: Record<string, string> = {
    ...(accept === undefined ? {} : { accept }),
    ...(content === undefined ? {} : { 'content-type': contentType }),
  };
  return { method, path: path + queryText(query), headers, body: content, idempotent, signal, deadlineMs, onWarning };
}

function bodyOf(request: ApiRequest, { headers, body }: HttpAnswer): unknown {
  const text = body.toString('utf8');
  if (headers['content-type']?.startsWith('application/json') !== true) {
    const wantsJson = request.accept === undefined || request.accept.startsWith('application/json');
    // The API server answers health checks and logs as text; for a resource, HTML means that another server answered.
    if (wantsJson && isWebPage(headers)) throw webPage(request);
    return text;
  }
  try {
    return JSON.parse(text);
  } catch {
    // Without the parser's error: that quotes the answer, which may be a Secret.
    throw new MalformedResponseError(nameOf(request), `the answer says that it is JSON and is not (${body.length} bytes)`);
  }
}

function isWebPage(headers: HttpAnswer['headers']): boolean {
  return headers['content-type']?.startsWith('text/html') === true;
}

function webPage(request: ApiRequest): MalformedResponseError {
  return new MalformedResponseError(nameOf(request), 'the answer is a web page: is this the address of an API server?');
}

/** In words, and never what is in it: it may be a part of a Secret. */
function descriptionOf(body: unknown): string {
  if (typeof body === 'string') return body === '' ? 'empty' : `a text of ${body.length} characters`;
  if (body === null) return 'null';
  return Array.isArray(body) ? `a list of ${body.length}` : `a ${typeof body}`;
}
