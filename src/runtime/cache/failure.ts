import { type KindInfo, messageOf, nameInGroup, OperatorError } from '@keelson/kubernetes/apimachinery';
import {
  isApiError,
  isBadRequest,
  isExpired,
  isForbidden,
  isInvalid,
  isMethodNotAllowed,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
} from '../client/index.js';
import type { ProblemReason } from './problem.js';

/** Why a list or a watch ended, as far as the next step depends on it. */
export interface WatchFailure {
  /**
   * `TooLarge`: the server has not come as far as the resourceVersion that it was asked for (H7). `Malformed`: what came cannot be read, and may come again from
   * the same resourceVersion.
   */
  readonly reason: ProblemReason | 'TooLarge' | 'Malformed';
  readonly message: string;
  /** The pause that the server asks for. */
  readonly retryAfterMs?: number | undefined;
  /** The error that was judged; absent if the step found the failure itself (an older list, a silent watch). */
  readonly cause?: unknown;
}

/** A server that asks for more is not believed: a cache that stands still for hours is worse than one more request a minute. */
const LONGEST_WAIT_MS = 60_000;

/** Judges an error of the client. An unknown error is `Unavailable`: it is always tried again (H13). */
export function failureOf(kind: KindInfo, error: unknown): WatchFailure {
  const message = messageOf(error);
  const asked = isApiError(error) ? error.retryAfterMs : undefined;
  const retryAfterMs = asked === undefined ? undefined : Math.min(asked, LONGEST_WAIT_MS);
  const reason = reasonOf(error, message);
  const told = reason === 'NotInstalled' ? notInstalled(kind) : message;
  return { reason, message: told, cause: error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function reasonOf(error: unknown, message: string): WatchFailure['reason'] {
  if (isExpired(error)) return 'Expired';
  if (isNotFound(error)) return 'NotInstalled';
  if (isForbidden(error)) return 'Forbidden';
  if (isUnauthorized(error)) return 'Unauthorized';
  if (isTooManyRequests(error)) return 'Busy';
  if (isApiError(error) && (error.causes.some(({ reason }) => reason === 'ResourceVersionTooLarge') || TOO_LARGE.test(message)))
    return 'TooLarge';
  if (isBadRequest(error) || isInvalid(error) || isMethodNotAllowed(error) || isUnsupportedMediaType(error)) return 'Refused';
  // By code: the error may come from the package's other copy. No other deadline runs while a watch is open.
  if (OperatorError.isOperatorError(error) && error.code === 'KEELSON_DEADLINE_EXCEEDED')
    return (error as OperatorError & { readonly phase?: unknown }).phase === 'body' ? 'Silent' : 'Unavailable';
  if (OperatorError.isOperatorError(error) && UNREADABLE.has(error.code)) return 'Malformed';
  return 'Unavailable';
}

const UNREADABLE: ReadonlySet<string> = new Set(['KEELSON_RESPONSE_MALFORMED', 'KEELSON_RESPONSE_TOO_LARGE']);

/** Older servers send no cause. Source: apiserver `pkg/storage/errors.go`. */
const TOO_LARGE = /too large resource version/i;

function notInstalled({ plural, group, version }: KindInfo): string {
  return `the API server does not serve ${nameInGroup(plural, group)} in version ${version}; install its CustomResourceDefinition: it is waited for`;
}
