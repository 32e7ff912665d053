import type { RequestInfo } from './request-info.js';

/** When something was reached, in milliseconds since the request came in. */
export interface RequestStages {
  readonly authorizedMs?: number;
  readonly bodyReadMs?: number;
  /** The request is done; for a watch: it has begun. */
  readonly handledMs?: number;
}

/** One request, for a log. */
export interface RequestRecord {
  /** Counts the requests of the server, from 1, in the order in which they came in: what calls of an observer belong together. */
  readonly number: number;
  readonly auditId: string;
  readonly method: string;
  readonly url: string;
  readonly info: RequestInfo;
  /** Undefined: not authenticated. */
  readonly username: string | undefined;
  readonly userAgent: string;
  /** HTTP status; 0: the connection broke before there was an answer. */
  readonly code: number;
  /** Time of the server at which the request came in. */
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly stages: RequestStages;
  readonly warnings: readonly string[];
  /** Sent events of a watch. */
  readonly events: number;
}

/** An error that it throws is reported and has no effect on the request. */
export interface RequestObserver {
  /** The request is authorized, or refused; nothing has been done yet. {@link finished} follows. */
  started?(record: RequestRecord): void;
  /** The answer is known and about to be sent: a client that has it finds the request in the log. */
  answering?(record: RequestRecord): void;
  /** A watch is on; {@link finished} follows when it ends. */
  watching?(record: RequestRecord): void;
  /** The answer is out, or the connection is gone. */
  finished?(record: RequestRecord): void;
}
