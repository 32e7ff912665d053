import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf, parseGoDuration } from '../../kubernetes/index.js';
import { systemClock } from '../clock/index.js';
import type { RequestUser } from '../contract/index.js';
import { badRequest, internalError, type Status, StatusError, statusBody } from '../status/index.js';
import { jsonText, prettyJsonText, yamlText } from '../values/index.js';
import type { Fault } from './faults.js';
import { requestTimedOut } from './generic-errors.js';
import { acceptsGzip, clientCertificateOf, decodedPath, headerOf, splitUrl } from './incoming.js';
import { negotiate, type OutputMediaType } from './media-types.js';
import { type HttpParts, LIMIT_DEFAULTS } from './parts.js';
import { PlainAnswer } from './plain-answer.js';
import { queryOf, strictTruth } from './query.js';
import { type Head, Reply } from './reply.js';
import { ClientGone } from './request-body.js';
import { type RequestInfo, requestInfoOf } from './request-info.js';
import type { RequestRecord, RequestStages } from './request-log.js';

const PLAIN_TEXT = 'text/plain; charset=utf-8';
const NO_SNIFF = { 'X-Content-Type-Options': 'nosniff' };
const CONTENT_TYPES = { json: 'application/json', yaml: 'application/yaml' } as const;

export interface ExchangeSides {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** See {@link RequestRecord}. */
  readonly number: number;
}

/** What happens behind authorization: documents and resources. */
export type Dispatch = (exchange: Exchange) => Promise<void>;

/**
 * One request and its answer, from the first byte to the last.
 *
 * Flow: 1. audit id, what the request is about. 2. Time limit. 3. Authentication (401), authorization (403). 4. A fault, if one is ordered. 5. Dispatch. 6. Whatever
 * is thrown on the way becomes the answer. 7. The log.
 * Guarantees: {@link serve} never throws; each request is answered once or its connection is cut; an error that is a bug is reported and answered with 500.
 * Source of the order: apiserver `pkg/server/config.go`, 1.34.
 */
export class Exchange {
  readonly request: IncomingMessage;
  readonly reply: Reply;
  readonly parts: HttpParts;
  readonly query: URLSearchParams;
  info: RequestInfo;
  user: RequestUser = { username: '', groups: [] };
  /** An ordered fault that has its place later. */
  fault: Fault | undefined;
  /** Sent events, as a watch counts them. */
  countEvents: () => number = () => 0;
  readonly #number: number;
  readonly #path: string | undefined;
  readonly #startedAt: Date;
  readonly #start = performance.now();
  readonly #aborter = new AbortController();
  #stages: { authorizedMs?: number; bodyReadMs?: number; handledMs?: number } = {};
  #isAuthenticated = false;
  #cancelTimeout: () => void = () => undefined;

  constructor({ request, response, number }: ExchangeSides, parts: HttpParts) {
    this.request = request;
    this.parts = parts;
    this.#number = number;
    this.#startedAt = parts.now();
    const [path = '', search = ''] = splitUrl(request.url ?? '/');
    this.#path = decodedPath(path);
    this.query = queryOf(search);
    this.info = requestInfoOf({ method: this.method, path: '', query: this.query }) as RequestInfo;
    this.reply = new Reply(response, { auditId: headerOf(request, 'audit-id') || randomUUID(), acceptsGzip: acceptsGzip(request) });
    this.reply.onHead = () => this.tell('answering');
    // Without a listener, an error of the connection would end the process; that it is gone is told by `close`.
    response.on('error', () => undefined);
    // Nobody waits for what has been answered; and an abort makes an error with its stack, which would cost each request as much as reading its head.
    response.on('close', () => {
      if (!response.writableFinished) this.#aborter.abort();
    });
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  get accept(): string {
    return headerOf(this.request, 'accept');
  }

  reached(stage: keyof RequestStages): void {
    this.#stages[stage] = performance.now() - this.#start;
  }

  async serve(dispatch: Dispatch): Promise<void> {
    this.reply.response.once('close', () => this.#finished());
    try {
      this.#readInfo();
      this.#limitTime();
      await this.#admit().finally(() => this.tell('started'));
      if (await this.#disturb()) return;
      await dispatch(this);
    } catch (error) {
      await this.#answerError(error);
    } finally {
      this.#cancelTimeout();
    }
  }

  #readInfo(): void {
    if (this.#path === undefined) throw new PlainAnswer(400, '400 Bad Request', { isEarly: true });
    const info = requestInfoOf({ method: this.method, path: this.#path, query: this.query });
    const { url = '' } = this.request;
    if (info === undefined)
      throw new PlainAnswer(
        500,
        `Internal Server Error: ${JSON.stringify(url)}: failed to create RequestInfo: unable to determine kind and namespace from url, ${url}\n`,
        { isEarly: true },
      );
    this.info = info;
  }

  get isLongRunning(): boolean {
    const { verb, subresource } = this.info;
    return verb === 'watch' || verb === 'proxy' || ['attach', 'exec', 'proxy', 'log', 'portforward'].includes(subresource);
  }

  #limitTime(): void {
    if (this.isLongRunning) return;
    const { requestTimeoutMs = LIMIT_DEFAULTS.requestTimeoutMs } = this.parts.limits ?? {};
    const wished = this.query.get('timeout') ?? '';
    const nanoseconds = wished === '' ? 0n : parseGoDuration(wished);
    if (typeof nanoseconds === 'string') throw badRequest(`invalid timeout specified in the request URL - ${nanoseconds}`);
    const ms = nanoseconds > 0n ? Math.min(Number(nanoseconds) / 1e6, requestTimeoutMs) : requestTimeoutMs;
    this.#cancelTimeout = (this.parts.timer ?? systemClock).schedule(ms, () => this.#timedOut());
  }

  /** The handler may go on: nobody hears of it any more. */
  #timedOut(): void {
    const { status } = requestTimedOut();
    const { kind: _kind, apiVersion: _apiVersion, ...body } = statusBody(status);
    if (this.reply.canSend) void this.reply.send({ code: status.code, contentType: PLAIN_TEXT }, `${jsonText(body)}\n`);
    else this.reply.response.destroy();
    this.#aborter.abort();
  }

  async #admit(): Promise<void> {
    const { gatekeeper } = this.parts;
    const { request, info } = this;
    const certificate = clientCertificateOf(request);
    this.user = await gatekeeper.authenticate({
      method: this.method,
      path: info.path,
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      ...(certificate === undefined ? {} : { clientCertificate: certificate }),
      warn: (text) => this.reply.warnings.add(text),
    });
    this.#isAuthenticated = true;
    this.authorize(info.verb);
    this.reached('authorizedMs');
  }

  /** @throws StatusError 403 */
  authorize(verb: string): void {
    const { isResourceRequest, group, version, resource, subresource, namespace, name, path } = this.info;
    this.parts.gatekeeper.authorize(this.user, { isResourceRequest, verb, group, version, resource, subresource, namespace, name, path });
  }

  /** @returns whether the request is done with */
  async #disturb(): Promise<boolean> {
    const { intercept } = this.parts;
    if (intercept === undefined) return false;
    const { method, info, query, user, signal } = this;
    const fault = await intercept({ method, info, query, headers: this.request.headers, user, signal });
    this.fault = fault;
    switch (fault?.do) {
      case 'answer':
        await this.sendStatus(fault.status, fault.headers);
        return true;
      case 'drop':
        if (fault.when === 'before') this.cut();
        return fault.when === 'before';
      case 'delay':
        if (fault.when === 'before') await this.#wait(fault);
        return false;
      case 'read-at':
        if (info.verb === 'list') this.#readAt(fault.resourceVersion);
        return false;
      default:
        return false;
    }
  }

  #readAt(resourceVersion: string): void {
    this.query.set('resourceVersion', resourceVersion);
    this.query.set('resourceVersionMatch', 'Exact');
  }

  /** To be called when all is done but the answer. @returns whether there is to be one */
  async mayAnswer(): Promise<boolean> {
    this.reached('handledMs');
    const { fault } = this;
    if (fault?.do === 'drop') this.cut();
    if (fault?.do === 'delay' && fault.when === 'after') await this.#wait(fault);
    return this.reply.canSend;
  }

  cut(): void {
    this.request.socket.destroy();
  }

  #wait({ ms, timer = this.parts.timer ?? systemClock }: Extract<Fault, { readonly do: 'delay' }>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = timer.schedule(ms, resolve);
      this.signal.addEventListener(
        'abort',
        () => {
          cancel();
          resolve();
        },
        { once: true },
      );
    });
  }

  async #answerError(error: unknown): Promise<void> {
    if (ClientGone.isClientGone(error) || (this.signal.aborted && !this.reply.canSend)) return;
    if (this.reply.isStarted) {
      // Half an answer is out: all that is left is to let the client see that it is not whole.
      this.#report(error);
      this.cut();
      return;
    }
    if (PlainAnswer.isPlainAnswer(error)) await this.#sendPlain(error);
    else await this.sendStatus(StatusError.isStatusError(error) ? error.status : this.#bugStatus(error));
  }

  async #sendPlain({ httpCode, text, isEarly }: PlainAnswer): Promise<void> {
    if (await this.mayAnswer())
      await this.reply.send({ code: httpCode, contentType: PLAIN_TEXT, headers: NO_SNIFF, hasNoCacheControl: isEarly }, text);
  }

  #bugStatus(error: unknown): Status {
    this.#report(error);
    return internalError(messageOf(error)).status;
  }

  #report(error: unknown): void {
    this.parts.reportBug(error, { method: this.method, url: this.request.url ?? '' });
  }

  /** Reports what went wrong beside the answer. */
  reportBug(error: unknown): void {
    this.#report(error);
  }

  /** A Status, in the client's format; where it accepts none, as indented JSON. */
  async sendStatus(status: Status, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    if (!(await this.mayAnswer())) return;
    const media = negotiate(this.accept, { allowsTransformation: false });
    const retryAfter = status.details?.retryAfterSeconds ?? 0;
    const all = {
      // Who may not ask is refused in another way than what is refused later.
      ...(status.code === 403 && this.#stages.authorizedMs === undefined ? NO_SNIFF : {}),
      ...(retryAfter > 0 ? { 'Retry-After': String(retryAfter) } : {}),
      ...headers,
    };
    const body = statusBody(status);
    const head: Head = { code: status.code, contentType: CONTENT_TYPES[media?.format ?? 'json'], headers: all };
    await this.reply.send(head, media === undefined ? prettyJsonText(body) : this.textOf(jsonText(body), media));
  }

  /** JSON as the client wants it: indented, as YAML, or with a newline at its end. */
  textOf(json: string, media: OutputMediaType): string {
    if (media.format === 'yaml') return yamlText(JSON.parse(json));
    if (media.isPretty || this.#wantsPretty()) return prettyJsonText(JSON.parse(json));
    return `${json}\n`;
  }

  /** Whether {@link textOf} only adds a newline. */
  isPlainJson(media: OutputMediaType): boolean {
    return media.format === 'json' && !media.isPretty && !this.#wantsPretty();
  }

  #wantsPretty(): boolean {
    const wish = this.query.get('pretty') ?? '';
    if (wish !== '') return strictTruth(wish);
    return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headerOf(this.request, 'user-agent'));
  }

  /** What the log says of the request now. */
  record(): RequestRecord {
    return {
      number: this.#number,
      auditId: this.reply.auditId,
      method: this.method,
      url: this.request.url ?? '',
      info: this.info,
      username: this.#isAuthenticated ? this.user.username : undefined,
      userAgent: headerOf(this.request, 'user-agent'),
      code: this.reply.code,
      startedAt: this.#startedAt,
      durationMs: performance.now() - this.#start,
      stages: this.#stages,
      warnings: this.reply.warnings.texts,
      events: this.countEvents(),
    };
  }

  #finished(): void {
    this.tell('finished');
  }

  tell(what: 'started' | 'answering' | 'watching' | 'finished'): void {
    const { observer } = this.parts;
    if (observer?.[what] === undefined) return;
    try {
      observer[what](this.record());
    } catch (error) {
      this.#report(error);
    }
  }
}
