import type { Clock } from '../clock/index.js';
import type { Api, ResourceCatalog } from '../contract/index.js';
import type { ProtobufDecoder } from './body-object.js';
import type { Documents } from './document.js';
import type { Intercept } from './faults.js';
import type { Gatekeeper } from './gatekeeper.js';
import type { RequestObserver } from './request-log.js';

export interface HttpLimits {
  /** Requests other than watches are answered with 504 after so long. Default 60,000, as kube-apiserver; `?timeout=` may shorten it. */
  readonly requestTimeoutMs?: number;
  /** Larger bodies are answered with 413. Default 3 MiB, as kube-apiserver. */
  readonly maxBodyBytes?: number;
  /** A watch without `timeoutSeconds` ends after this time, or up to twice of it, at random. Default 1,800,000, as kube-apiserver. */
  readonly minWatchMs?: number;
}

export const LIMIT_DEFAULTS: Required<HttpLimits> = Object.freeze({
  requestTimeoutMs: 60_000,
  maxBodyBytes: 3 * 1024 * 1024,
  minWatchMs: 1_800_000,
});

/** The parts of the HTTP layer; it owns none of them. */
export interface HttpParts {
  readonly api: Api;
  readonly catalog: ResourceCatalog;
  readonly documents: Documents;
  readonly gatekeeper: Gatekeeper;
  /** Bodies of `application/vnd.kubernetes.protobuf`. Default: they are refused with 415. */
  readonly protobuf?: ProtobufDecoder;
  /** Time of the server, which tests may move. */
  readonly now: () => Date;
  /** Waits for time limits. Default: the process' timers, since clients wait in real time; a clock that a test moves ends requests when it is moved. */
  readonly timer?: Pick<Clock, 'schedule'>;
  readonly limits?: HttpLimits;
  /** Default: nothing goes wrong. */
  readonly intercept?: Intercept;
  readonly observer?: RequestObserver;
  /** Told of every error that is a bug: it was answered with 500, and the server goes on. */
  readonly reportBug: (error: unknown, request: { readonly method: string; readonly url: string }) => void;
}
