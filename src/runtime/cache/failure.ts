import type { KindInfo } from '../../kubernetes/index.js';
import { OperatorError } from '../../kubernetes/index.js';
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
  /** `TooLarge`: the server has not come as far as the resourceVersion that it was asked for (H7). */
  readonly reason: ProblemReason | 'TooLarge';
  readonly message: string;
  /** What the server asks to wait. */
  readonly retryAfterMs?: number | undefined;
}

/** Judges an error of the client. What is not known is `Unavailable`: it is tried again, whatever it is (H13). */
export function failureOf(kind: KindInfo, error: unknown): WatchFailure {
  const message = error instanceof Error ? error.message : String(error);
  const retryAfterMs = isApiError(error) ? error.retryAfterMs : undefined;
  const reason = reasonOf(error, message);
  const told = reason === 'NotInstalled' ? notInstalled(kind) : message;
  return { reason, message: told, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
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
  // By code: the error may come from the package's other copy. Of the deadlines only this one runs while a watch is open.
  if (OperatorError.isOperatorError(error) && error.code === 'KEELSON_DEADLINE_EXCEEDED')
    return (error as OperatorError & { readonly phase?: unknown }).phase === 'body' ? 'Silent' : 'Unavailable';
  return 'Unavailable';
}

/** Older servers send no cause. Source: apiserver `pkg/storage/errors.go`. */
const TOO_LARGE = /too large resource version/i;

function notInstalled({ plural, group, version }: KindInfo): string {
  const resource = group === '' ? plural : `${plural}.${group}`;
  return `the API server does not serve ${resource} in version ${version}; install its CustomResourceDefinition: it is waited for`;
}
