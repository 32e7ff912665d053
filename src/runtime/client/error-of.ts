import type { ApiError, Refusal } from './api-error.js';
import {
  AlreadyExistsError,
  ApplyConflictError,
  ApplyUnfitError,
  BadRequestError,
  ConflictError,
  ExpiredError,
  ForbiddenError,
  InternalError,
  InvalidError,
  MethodNotAllowedError,
  NotFoundError,
  RequestTooLargeError,
  ServerTimeoutError,
  ServiceUnavailableError,
  TooManyRequestsError,
  UnauthorizedError,
  UnexpectedStatusError,
  UnsupportedMediaTypeError,
} from './errors.js';
import type { Status } from './status.js';

type ErrorClass = new (refusal: Refusal) => ApiError;

/** Source: apimachinery `pkg/apis/meta/v1/types.go`, `StatusReason`. */
const BY_REASON: ReadonlyMap<string, ErrorClass> = new Map<string, ErrorClass>([
  ['Unauthorized', UnauthorizedError],
  ['Forbidden', ForbiddenError],
  ['NotFound', NotFoundError],
  ['AlreadyExists', AlreadyExistsError],
  ['Conflict', ConflictError],
  ['Gone', ExpiredError],
  ['Expired', ExpiredError],
  ['Invalid', InvalidError],
  ['ServerTimeout', ServerTimeoutError],
  ['Timeout', ServerTimeoutError],
  ['TooManyRequests', TooManyRequestsError],
  ['BadRequest', BadRequestError],
  ['MethodNotAllowed', MethodNotAllowedError],
  ['UnsupportedMediaType', UnsupportedMediaTypeError],
  ['RequestEntityTooLarge', RequestTooLargeError],
  ['InternalError', InternalError],
  ['ServiceUnavailable', ServiceUnavailableError],
]);

/** For answers without a reason that we know: those of webhooks, aggregated servers and proxies. */
const BY_CODE: ReadonlyMap<number, readonly [string, ErrorClass]> = new Map<number, readonly [string, ErrorClass]>([
  [400, ['BadRequest', BadRequestError]],
  [401, ['Unauthorized', UnauthorizedError]],
  [403, ['Forbidden', ForbiddenError]],
  [404, ['NotFound', NotFoundError]],
  [405, ['MethodNotAllowed', MethodNotAllowedError]],
  [409, ['Conflict', ConflictError]],
  [410, ['Gone', ExpiredError]],
  [413, ['RequestEntityTooLarge', RequestTooLargeError]],
  [415, ['UnsupportedMediaType', UnsupportedMediaTypeError]],
  [422, ['Invalid', InvalidError]],
  [429, ['TooManyRequests', TooManyRequestsError]],
  [500, ['InternalError', InternalError]],
  [502, ['ServiceUnavailable', ServiceUnavailableError]],
  [503, ['ServiceUnavailable', ServiceUnavailableError]],
  [504, ['Timeout', ServerTimeoutError]],
]);

/** Source: apimachinery `pkg/util/managedfields/internal/structuredmerge.go`, `Apply`. The answer has no reason of its own. */
const UNFIT = /^failed to create typed patch object /;

/** The error that a refusal is. */
export function errorOf(refusal: Refusal): ApiError {
  const { status, httpStatus } = refusal;
  const isApplyConflict = status.details?.causes?.some(({ reason }) => reason === 'FieldManagerConflict') === true;
  const [, byCode = UnexpectedStatusError] = BY_CODE.get(httpStatus) ?? [];
  const isUnfit = httpStatus === 500 && UNFIT.test(status.message ?? '');
  const Refused = isApplyConflict ? ApplyConflictError : isUnfit ? ApplyUnfitError : (BY_REASON.get(status.reason ?? '') ?? byCode);
  return new Refused(refusal);
}

/** How much of a foreign answer is shown. */
const SHOWN_CHARACTERS = 1_000;

/** A Status for an answer that has none: a proxy's page, or the bare text that the API server has for unknown paths. */
export function foreignStatus(httpStatus: number, text: string, location?: string): Status {
  const body = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  // A redirect is not followed. Its query is left out: login pages put secrets there.
  const shown = httpStatus < 400 && location !== undefined ? `a redirect to ${location.split(/[?#]/, 1)[0]}` : body;
  return {
    kind: 'Status',
    status: 'Failure',
    code: httpStatus,
    reason: BY_CODE.get(httpStatus)?.[0] ?? 'Unknown',
    message: shown.trim() === '' ? 'the answer has no body' : shown.trim(),
  };
}
