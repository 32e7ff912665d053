import type { RequestObserver, RequestRecord } from '@keelson/api-server';
import type { LoggedRequest } from './logged-request.js';
import { RequestLog } from './request-log.js';

export interface RecorderOptions {
  /** Older ones are forgotten. Default 20,000: some MB. */
  readonly maxRequests?: number;
}

const MAX_REQUESTS = 20_000;

/** Keeps the log of an in-process server. A client that has its answer finds its request in the log, with its code. */
export class RequestRecorder implements RequestObserver {
  /** By number, oldest first. */
  readonly #requests = new Map<number, LoggedRequest>();
  readonly #maxRequests: number;
  #activity = 0;
  #next = 1;
  #first = 1;

  constructor({ maxRequests = MAX_REQUESTS }: RecorderOptions = {}) {
    this.#maxRequests = maxRequests;
  }

  /** Grows whenever a request comes in, is answered or ends. */
  get activity(): number {
    return this.#activity;
  }

  /** As of now. */
  get log(): RequestLog {
    return new RequestLog({ requests: [...this.#requests.values()], next: this.#next, first: this.#first });
  }

  started(record: RequestRecord): void {
    this.#put(record, undefined);
  }

  answering(record: RequestRecord): void {
    this.#put(record, record.code);
  }

  finished(record: RequestRecord): void {
    this.#put(record, record.code);
  }

  #put(record: RequestRecord, code: number | undefined): void {
    const { number } = record;
    this.#activity += 1;
    this.#next = Math.max(this.#next, number + 1);
    // An entry that was forgotten while it was under way (a watch of hours) does not come back.
    if (number < this.#first) return;
    this.#requests.set(number, loggedRequest(record, code));
    while (this.#requests.size > this.#maxRequests) {
      const [oldest] = this.#requests.keys();
      this.#requests.delete(oldest as number);
      this.#first = (oldest as number) + 1;
    }
  }
}

function loggedRequest({ number, startedAt, username = '', userAgent, url, info }: RequestRecord, code: number | undefined): LoggedRequest {
  const { verb, group, version, resource, subresource, namespace, name } = info;
  return { number, time: startedAt, user: username, userAgent, verb, group, version, resource, subresource, namespace, name, url, code };
}
