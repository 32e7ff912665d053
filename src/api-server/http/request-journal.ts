import type { IncomingMessage } from 'node:http';
import type { RequestUser } from '../contract/index.js';
import { headerOf } from './incoming.js';
import type { Reply } from './reply.js';
import type { RequestInfo } from './request-info.js';
import type { RequestObserver, RequestRecord, RequestStages } from './request-log.js';

export interface JournalOptions {
  /** See {@link RequestRecord}. */
  readonly number: number;
  readonly message: IncomingMessage;
  readonly reply: Reply;
  /** Shown until the request is described: the method alone. */
  readonly info: RequestInfo;
  readonly startedAt: Date;
  readonly observer: RequestObserver | undefined;
  /** Called with an error that an observer throws. */
  readonly report: (error: unknown) => void;
}

/** Collects the log record of one request while its stages find out more, and passes it to the observer. */
export class RequestJournal {
  readonly #options: JournalOptions;
  readonly #start = performance.now();
  #info: RequestInfo;
  #username: string | undefined;
  #isAdmitting = false;
  #stages: { authorizedMs?: number; bodyReadMs?: number; handledMs?: number } = {};
  #countEvents: () => number = () => 0;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#info = options.info;
  }

  describe(info: RequestInfo): void {
    this.#info = info;
  }

  identify({ username }: RequestUser): void {
    this.#username = username;
  }

  /** Counts the sent events of a watch with `count`. */
  countEvents(count: () => number): void {
    this.#countEvents = count;
  }

  reached(stage: keyof RequestStages): void {
    this.#stages[stage] = performance.now() - this.#start;
  }

  /** Called before the request is authenticated. */
  startAdmission(): void {
    this.#isAdmitting = true;
  }

  /** Whether the sender has not been let in yet, so that the answer is about their rights. */
  get isBeingAdmitted(): boolean {
    return this.#isAdmitting && this.#stages.authorizedMs === undefined;
  }

  tell(what: 'started' | 'answering' | 'watching' | 'finished'): void {
    const { observer, report } = this.#options;
    if (observer?.[what] === undefined) return;
    try {
      observer[what](this.record());
    } catch (error) {
      report(error);
    }
  }

  record(): RequestRecord {
    const { number, message, reply, startedAt } = this.#options;
    return {
      number,
      auditId: reply.auditId,
      method: message.method ?? 'GET',
      url: message.url ?? '',
      info: this.#info,
      username: this.#username,
      userAgent: headerOf(message, 'user-agent'),
      code: reply.code,
      startedAt,
      durationMs: performance.now() - this.#start,
      stages: this.#stages,
      warnings: reply.warnings.texts,
      events: this.#countEvents(),
    };
  }
}
