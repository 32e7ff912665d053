import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Clock, systemClock } from '../clock/index.js';
import { AbortListeners } from './abort-listeners.js';
import type { Access, TlsMaterial } from './access.js';
import { type Agents, destroyAgents, openAgents, retireAgents } from './agents.js';
import { type BodyOptions, bodyChunks, readBody, refuseZipped } from './body.js';
import type { Connection } from './connection.js';
import { ClientClosedError, ConnectionError, CredentialsError } from './errors.js';
import { InFlight } from './in-flight.js';
import { DEADLINES, type Deadlines, type RequestAttempt, type ServerAddress, sendRequest, serverAddressOf } from './request-attempt.js';
import { pause, RequestScope } from './request-scope.js';
import { retryAfterMs } from './retry-after.js';
import { type AttemptEnd, pauseBeforeRetry, RETRY_DEFAULTS, type RetryOptions } from './retry-policy.js';
import { type ServerWarning, WarningFilter, warningTexts } from './warnings.js';

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

const MAX_RESPONSE_BYTES = 128 * 1024 * 1024;
/** How long credentials are waited for: a plugin may have to ask a remote server. */
const CREDENTIALS_MS = 60_000;

/** One attempt that is over, for metrics. */
export interface AttemptReport {
  readonly method: HttpMethod;
  readonly host: string;
  /** The status, or the `code` of the error that stands for it. */
  readonly outcome: number | string;
  readonly durationMs: number;
}

/** How requests are sent: limits, deadlines, retries, observers. */
export interface TransportOptions {
  /** The API server, and the identity of the client. */
  readonly connection: Connection;
  /** The `User-Agent` header. @defaultValue `keelson`. The API server takes what stands before the first `/` for the field manager of writes that name none. */
  readonly userAgent?: string | undefined;
  /** Longest waits within one attempt, in milliseconds. @defaultValue 10 s to connect, 65 s for headers, 30 s between two parts of a body, 5 min for a body */
  readonly deadlines?: Partial<Deadlines> | undefined;
  /** When a request is sent again. @defaultValue 6 attempts, with pauses of 100 ms to 5 s; a `Retry-After` of up to 30 s is heeded */
  readonly retry?: Partial<RetryOptions> | undefined;
  /**
   * Requests under way at once, watches not counted.
   * @defaultValue 50 — a tenth of what an API server serves at once by default
   */
  readonly maxInFlight?: number | undefined;
  /** Size of one answer at most, in bytes; a longer one is a ResponseTooLargeError. @defaultValue 134_217_728 — 128 MiB: 500 objects of 256 KiB */
  readonly maxResponseBytes?: number | undefined;
  /** Whether large answers may come zipped. @defaultValue true */
  readonly gzip?: boolean | undefined;
  /** Gets each text of a `Warning` header once. @defaultValue ignores them */
  readonly onWarning?: ((warning: ServerWarning) => void) | undefined;
  /** Gets each attempt that has ended, for metrics. @defaultValue ignores them */
  readonly onAttempt?: ((report: AttemptReport) => void) | undefined;
  /**
   * Called in the moment before each attempt leaves. A request whose signal it aborts does not leave: timers that should have done so fire late in a process
   * that was stopped or blocked.
   * @defaultValue does nothing
   */
  readonly beforeSend?: (() => void) | undefined;
  /**
   * More headers of an attempt, in lower case, asked for when it is sent: those of the trace that it belongs to. They do not replace headers of the request.
   * @defaultValue none
   */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  /** Time of deadlines and pauses. @defaultValue the system's */
  readonly clock?: Clock | undefined;
  /** In [0, 1). @defaultValue Math.random */
  readonly random?: (() => number) | undefined;
}

export interface HttpRequest {
  readonly method: HttpMethod;
  /** With its query, for example `/api/v1/pods?limit=500`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly body?: string | Buffer | undefined;
  /** Whether twice has the same effect as once. @defaultValue true for all methods but POST and PATCH */
  readonly idempotent?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For all attempts and pauses together, and for a stream to its end, in milliseconds. @defaultValue none */
  readonly deadlineMs?: number | undefined;
  /** As the transport's, for this request. */
  readonly deadlines?: Partial<Deadlines> | undefined;
  readonly maxResponseBytes?: number | undefined;
  /** Gets every warning of this answer, seen before or not. */
  readonly onWarning?: ((warning: ServerWarning) => void) | undefined;
}

/** A complete answer, of whatever status. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly warnings: readonly string[];
}

/** An answer whose body is still coming. */
export interface HttpStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** To be iterated once. Ending the iteration closes the connection. */
  readonly chunks: AsyncGenerator<Buffer, void, undefined>;
  /** Ends the stream whether or not it is being iterated; a pending iteration ends without an error. */
  close(): void;
}

interface Begun {
  readonly response: IncomingMessage;
  readonly access: Access;
}

/** The outcome of an attempt, as far as another one depends on it. */
interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

type AgentName = 'shared' | 'single';

/**
 * Speaks HTTP with one API server: credentials, connections, deadlines, retries. It knows no kinds and judges no status.
 *
 * Flow: 1. wait for room. 2. credentials. 3. one attempt. 4. where the policy says so, a pause without holding the room, and again from 1.
 * Guarantees: no request is repeated that the server may have acted on, unless it is idempotent; every wait ends with the signal; several transports in a
 * process share nothing.
 * Errors: those of this folder's errors.ts. A status of 400 and more is an answer, not an error.
 */
export class Transport {
  readonly #connection: Connection;
  readonly #options: TransportOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #deadlines: Deadlines;
  readonly #retry: RetryOptions;
  readonly #inFlight: InFlight;
  readonly #warnings = new WarningFilter();
  readonly #signals = new AbortListeners();
  readonly #open = new Set<RequestScope>();
  readonly #userAgent: string;
  #address: ServerAddress | undefined;
  #agents: Agents | undefined;
  #closed = false;

  constructor(options: TransportOptions) {
    this.#connection = options.connection;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#deadlines = merged(DEADLINES, options.deadlines);
    this.#retry = merged(RETRY_DEFAULTS, options.retry);
    this.#inFlight = new InFlight(this.#maxInFlight);
    this.#userAgent = options.userAgent ?? `keelson (${process.platform}; ${process.arch}) node/${process.versions.node}`;
  }

  get connection(): Connection {
    return this.#connection;
  }

  get clock(): Clock {
    return this.#clock;
  }

  /** Sends a request and reads the whole answer. */
  async request(request: HttpRequest): Promise<HttpAnswer> {
    const scope = this.#enter(request);
    try {
      return await this.#attempts(request, scope, () => this.#roomFor(scope, () => this.#complete(request, scope)));
    } finally {
      this.#leave(scope);
    }
  }

  /**
   * Sends a request and leaves the body to be read as it comes, on a connection of its own that does not count as under way. `deadlines.bodyIdleMs` bounds
   * silence; up to the headers it is retried as in {@link request}.
   */
  async stream(request: HttpRequest): Promise<HttpStream> {
    const scope = this.#enter(request);
    const once = async (): Promise<Answered & Begun> => {
      const begun = await this.#begin(request, scope, 'single');
      return { ...begun, status: begun.response.statusCode ?? 0, headers: begun.response.headers };
    };
    try {
      const { response } = await this.#attempts(request, scope, once, ({ response }) => response.destroy());
      return this.#streamOf(request, scope, response);
    } catch (error) {
      this.#leave(scope);
      throw error;
    }
  }

  /** Ends all that is under way and closes every connection. It may be called twice. */
  close(): void {
    this.#closed = true;
    for (const scope of [...this.#open]) scope.end(new ClientClosedError('a request was under way'));
    if (this.#agents !== undefined) destroyAgents(this.#agents);
    this.#agents = undefined;
  }

  get #server(): ServerAddress {
    this.#address ??= serverAddressOf(this.#connection.server);
    return this.#address;
  }

  get #maxInFlight(): number {
    return this.#options.maxInFlight ?? 50;
  }

  #enter(request: HttpRequest): RequestScope {
    const what = nameOf(request);
    if (this.#closed) throw new ClientClosedError(what);
    const scope = new RequestScope({
      request: what,
      clock: this.#clock,
      signals: this.#signals,
      signal: request.signal,
      deadlineMs: request.deadlineMs,
    });
    this.#open.add(scope);
    return scope;
  }

  #leave(scope: RequestScope): void {
    scope.dispose();
    this.#open.delete(scope);
  }

  async #roomFor<T>(scope: RequestScope, work: () => Promise<T>): Promise<T> {
    await this.#inFlight.enter(scope.onEnd);
    try {
      return await work();
    } finally {
      this.#inFlight.leave();
    }
  }

  async #attempts<T extends Answered>(
    request: HttpRequest,
    scope: RequestScope,
    once: () => Promise<T>,
    discard: (answer: T) => void = () => {},
  ): Promise<T> {
    const idempotent = request.idempotent ?? (request.method !== 'POST' && request.method !== 'PATCH');
    const rules = { options: this.#retry, random: this.#random };
    for (let number = 1; ; number++) {
      scope.throwIfEnded();
      const outcome = await once().then(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      );
      const end = this.#endOf(outcome);
      const waitMs = end === undefined ? undefined : pauseBeforeRetry(end, { number, idempotent }, rules);
      if (waitMs === undefined) {
        if ('error' in outcome) throw outcome.error;
        return outcome.answer;
      }
      if ('answer' in outcome) discard(outcome.answer);
      await pause(this.#clock, waitMs, scope);
    }
  }

  #endOf(outcome: { readonly answer: Answered } | { readonly error: unknown }): AttemptEnd | undefined {
    if ('answer' in outcome) {
      const { status, headers } = outcome.answer;
      return { type: 'answer', status, retryAfterMs: retryAfterMs(headers['retry-after'], this.#clock.wallMs()) };
    }
    if (!(outcome.error instanceof ConnectionError)) return undefined;
    return { type: 'broken', sent: outcome.error.sent, reusedSocket: outcome.error.reusedSocket };
  }

  async #complete(request: HttpRequest, scope: RequestScope): Promise<HttpAnswer> {
    const { response } = await this.#begin(request, scope, 'shared');
    const body = await readBody(response, {
      ...this.#bodyOptions(request, scope),
      maxBytes: request.maxResponseBytes ?? this.#options.maxResponseBytes ?? MAX_RESPONSE_BYTES,
      totalMs: request.deadlines?.bodyMs ?? this.#deadlines.bodyMs,
    });
    return { status: response.statusCode ?? 0, headers: response.headers, body, warnings: this.#warn(request, response) };
  }

  #streamOf(request: HttpRequest, scope: RequestScope, response: IncomingMessage): HttpStream {
    refuseZipped(response, nameOf(request));
    this.#warn(request, response);
    const closed = new StreamClosed();
    // Before it is iterated, nothing else would hear of the signal.
    scope.onEnd(() => response.destroy());
    const close = (): void => {
      scope.end(closed);
      // Without an iteration nothing listens to the scope.
      response.destroy();
      this.#leave(scope);
    };
    const chunks = untilClosed(bodyChunks(response, this.#bodyOptions(request, scope)), closed, () => this.#leave(scope));
    return { status: response.statusCode ?? 0, headers: response.headers, chunks, close };
  }

  #bodyOptions(request: HttpRequest, scope: RequestScope): BodyOptions {
    const idleMs = request.deadlines?.bodyIdleMs ?? this.#deadlines.bodyIdleMs;
    return { request: nameOf(request), clock: this.#clock, scope, idleMs };
  }

  /** One attempt up to its headers; a second one with other credentials when the server does not know the first. */
  async #begin(request: HttpRequest, scope: RequestScope, agent: AgentName): Promise<Begun> {
    const first = await this.#send(request, scope, agent);
    if (first.response.statusCode !== 401 || !this.#connection.access.refused(first.access)) return first;
    // Not read to its end, which may never come.
    first.response.destroy();
    return this.#send(request, scope, agent);
  }

  async #send(request: HttpRequest, scope: RequestScope, agent: AgentName): Promise<Begun> {
    const access = this.#connection.access.atHand?.() ?? (await this.#access(scope));
    const started = this.#clock.monotonicMs();
    const report = (outcome: number | string): void =>
      this.#options.onAttempt?.({
        method: request.method,
        host: this.#server.host,
        outcome,
        durationMs: this.#clock.monotonicMs() - started,
      });
    try {
      const response = await this.send({
        request: nameOf(request),
        origin: this.#connection.origin,
        method: request.method,
        server: this.#server,
        path: this.#server.prefix + request.path,
        ...this.#contentOf(request, access, agent),
        agent: this.#agentsFor(this.#server.protocol, access.tls)[agent],
        deadlines: merged(this.#deadlines, request.deadlines),
        clock: this.#clock,
        scope,
        beforeSend: () => this.#options.beforeSend?.(),
      });
      report(response.statusCode ?? 0);
      return { response, access };
    } catch (error) {
      report((error as { code?: string }).code ?? 'error');
      throw error;
    }
  }

  /** A login plugin may hang for ever, and many a request has no deadline of its own. */
  #access(scope: RequestScope): Promise<Access> {
    const { access, origin } = this.#connection;
    return new Promise((resolve, reject) => {
      const stopTimer = this.#clock.schedule(CREDENTIALS_MS, () =>
        reject(new CredentialsError(`${origin}: no credentials within ${CREDENTIALS_MS} ms: does the login plugin, or the disk, hang?`)),
      );
      const stopListening = scope.onEnd(reject);
      access
        .current()
        .then(resolve, reject)
        .finally(() => {
          stopTimer();
          stopListening();
        });
    });
  }

  /** How an attempt gets there, and its answer back: the seam for tests that have the server in the same process. */
  protected send(attempt: RequestAttempt): Promise<IncomingMessage> {
    return sendRequest(attempt);
  }

  #contentOf(request: HttpRequest, access: Access, agent: AgentName): Pick<RequestAttempt, 'headers' | 'body'> {
    const { body } = request;
    const zipped = agent === 'shared' && this.#options.gzip !== false;
    const headers: Record<string, string | readonly string[]> = {
      accept: 'application/json',
      'accept-encoding': zipped ? 'gzip' : 'identity',
      'user-agent': this.#userAgent,
      ...this.#options.headers?.(),
      ...request.headers,
      ...access.headers,
    };
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
    return { headers, body: typeof body === 'string' && !isAscii(headers) ? Buffer.from(body) : body };
  }

  #agentsFor(protocol: string, tls: TlsMaterial): Agents {
    if (this.#agents?.tls === tls) return this.#agents;
    // Watches under the old certificates end with their own time limit; requests that are under way are not cut off.
    if (this.#agents !== undefined) retireAgents(this.#agents);
    this.#agents = openAgents({ protocol, tls, maxSockets: this.#maxInFlight, proxy: this.#connection.proxy });
    return this.#agents;
  }

  #warn(request: HttpRequest, response: IncomingMessage): string[] {
    const texts = warningTexts(response.rawHeaders);
    for (const text of texts) {
      const warning = { text, request: nameOf(request) };
      request.onWarning?.(warning);
      if (this.#warnings.isNew(text)) this.#options.onWarning?.(warning);
    }
    return texts;
  }
}

/** Ends a stream from inside; it never leaves this file. */
class StreamClosed extends Error {}

async function* untilClosed(
  chunks: AsyncGenerator<Buffer, void, undefined>,
  closed: StreamClosed,
  done: () => void,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* chunks;
  } catch (error) {
    if (error !== closed) throw error;
  } finally {
    done();
  }
}

const ASCII = /^[\0-\x7f]*$/;

/** Node writes headers in the encoding of a text that goes with them: the bytes of other characters would be others than without one. */
function isAscii(headers: Readonly<Record<string, string | readonly string[]>>): boolean {
  for (const name in headers) {
    const value = headers[name] as string | readonly string[];
    if (typeof value === 'string' ? !ASCII.test(value) : !value.every((one) => ASCII.test(one))) return false;
  }
  return true;
}

/** Without the query: it may be long, and its values say little. */
function nameOf({ method, path }: HttpRequest): string {
  return `${method} ${path.split('?', 1)[0]}`;
}

/** Options that are absent or `undefined` leave the default. */
function merged<T extends object>(defaults: T, options: Partial<T> | undefined): T {
  if (options === undefined) return defaults;
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}
