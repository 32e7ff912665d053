import { OperatorError } from '../../kubernetes/index.js';
import type { ApiError } from './api-error.js';
import type {
  AlreadyExistsError,
  ApplyConflictError,
  BadRequestError,
  ConflictError,
  ExpiredError,
  ForbiddenError,
  InvalidError,
  MethodNotAllowedError,
  NotFoundError,
  RequestTooLargeError,
  ServiceUnavailableError,
  TooManyRequestsError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
} from './errors.js';

// By brand and code, never by class: the error may come from the package's other copy.
function hasCode<TError extends OperatorError>(code: TError['code']): (error: unknown) => error is TError {
  return (error): error is TError => OperatorError.isOperatorError(error) && error.code === code;
}

/** Any refusal of an API server. */
export function isApiError(error: unknown): error is ApiError {
  return OperatorError.isOperatorError(error) && error.code.startsWith('KEELSON_API_');
}

export const isNotFound: (error: unknown) => error is NotFoundError = hasCode<NotFoundError>('KEELSON_API_NOT_FOUND');
export const isAlreadyExists: (error: unknown) => error is AlreadyExistsError = hasCode<AlreadyExistsError>('KEELSON_API_ALREADY_EXISTS');
export const isConflict: (error: unknown) => error is ConflictError = hasCode<ConflictError>('KEELSON_API_CONFLICT');
export const isApplyConflict: (error: unknown) => error is ApplyConflictError = hasCode<ApplyConflictError>('KEELSON_API_APPLY_CONFLICT');
export const isInvalid: (error: unknown) => error is InvalidError = hasCode<InvalidError>('KEELSON_API_INVALID');
export const isForbidden: (error: unknown) => error is ForbiddenError = hasCode<ForbiddenError>('KEELSON_API_FORBIDDEN');
export const isUnauthorized: (error: unknown) => error is UnauthorizedError = hasCode<UnauthorizedError>('KEELSON_API_UNAUTHORIZED');
/** Both forms of 410: `Gone` and `Expired`. */
export const isExpired: (error: unknown) => error is ExpiredError = hasCode<ExpiredError>('KEELSON_API_EXPIRED');
export const isTooManyRequests: (error: unknown) => error is TooManyRequestsError =
  hasCode<TooManyRequestsError>('KEELSON_API_TOO_MANY_REQUESTS');
export const isServiceUnavailable: (error: unknown) => error is ServiceUnavailableError =
  hasCode<ServiceUnavailableError>('KEELSON_API_UNAVAILABLE');
export const isBadRequest: (error: unknown) => error is BadRequestError = hasCode<BadRequestError>('KEELSON_API_BAD_REQUEST');
export const isMethodNotAllowed: (error: unknown) => error is MethodNotAllowedError =
  hasCode<MethodNotAllowedError>('KEELSON_API_METHOD_NOT_ALLOWED');
export const isUnsupportedMediaType: (error: unknown) => error is UnsupportedMediaTypeError = hasCode<UnsupportedMediaTypeError>(
  'KEELSON_API_UNSUPPORTED_MEDIA_TYPE',
);
export const isRequestTooLarge: (error: unknown) => error is RequestTooLargeError =
  hasCode<RequestTooLargeError>('KEELSON_API_REQUEST_TOO_LARGE');
