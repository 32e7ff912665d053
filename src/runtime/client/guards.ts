import { OperatorError } from '@keelson/kubernetes/apimachinery';
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

/**
 * Any refusal of an API server.
 *
 * @example
 * ```ts
 * try {
 *   await client.get(ConfigMap, { namespace: 'shop', name: 'settings' });
 * } catch (error) {
 *   if (!isApiError(error)) throw error;
 *   console.error(error.status.code, error.message);
 * }
 * ```
 */
export function isApiError(error: unknown): error is ApiError {
  return OperatorError.isOperatorError(error) && error.code.startsWith('KEELSON_API_');
}

/**
 * `true` for 404.
 *
 * @example
 * ```ts
 * const key = { namespace: 'shop', name: 'settings' };
 * const settings = await client.get(ConfigMap, key).catch((error: unknown) => {
 *   if (isNotFound(error)) return undefined;
 *   throw error;
 * });
 * ```
 */
export const isNotFound: (error: unknown) => error is NotFoundError = hasCode<NotFoundError>('KEELSON_API_NOT_FOUND');
/**
 * `true` for the 409 of a creation: an object of this name exists.
 *
 * @example
 * ```ts
 * const settings = { metadata: { namespace: 'shop', name: 'settings' } };
 * await client.create(ConfigMap, settings).catch((error: unknown) => {
 *   if (!isAlreadyExists(error)) throw error;
 * });
 * ```
 */
export const isAlreadyExists: (error: unknown) => error is AlreadyExistsError = hasCode<AlreadyExistsError>('KEELSON_API_ALREADY_EXISTS');
/**
 * `true` for the 409 of an update: the object has changed since it was read.
 *
 * @example
 * ```ts
 * const key = { namespace: 'shop', name: 'settings' };
 * const settings = await client.get(ConfigMap, key);
 * try {
 *   await client.update(ConfigMap, { ...settings, data: { color: 'blue' } });
 * } catch (error) {
 *   if (!isConflict(error)) throw error; // another client was faster: read it again
 * }
 * ```
 */
export const isConflict: (error: unknown) => error is ConflictError = hasCode<ConflictError>('KEELSON_API_CONFLICT');
/**
 * `true` for the 409 of a server-side apply: another field manager owns a field.
 *
 * @example
 * ```ts
 * const key = { namespace: 'shop', name: 'settings' };
 * try {
 *   await cluster.apply(ConfigMap, { metadata: key, data: { color: 'blue' } });
 * } catch (error) {
 *   if (!isApplyConflict(error)) throw error;
 *   console.error(error.message); // names the other field manager
 * }
 * ```
 */
export const isApplyConflict: (error: unknown) => error is ApplyConflictError = hasCode<ApplyConflictError>('KEELSON_API_APPLY_CONFLICT');
/**
 * `true` for 422: the object breaks a rule of its kind.
 *
 * @example
 * ```ts
 * try {
 *   await client.create(ConfigMap, { metadata: { namespace: 'shop', name: 'Not_A_Name' } });
 * } catch (error) {
 *   if (!isInvalid(error)) throw error;
 *   console.error(error.message); // names each invalid field
 * }
 * ```
 */
export const isInvalid: (error: unknown) => error is InvalidError = hasCode<InvalidError>('KEELSON_API_INVALID');
/**
 * `true` for 403: a right is missing, or admission refused the request.
 *
 * @example
 * ```ts
 * try {
 *   await client.list(Secret, { namespace: 'kube-system' });
 * } catch (error) {
 *   if (!isForbidden(error)) throw error;
 *   console.error(error.message); // names verb, resource and user
 * }
 * ```
 */
export const isForbidden: (error: unknown) => error is ForbiddenError = hasCode<ForbiddenError>('KEELSON_API_FORBIDDEN');
/**
 * `true` for 401: the server does not accept the credentials.
 *
 * @example
 * ```ts
 * try {
 *   await client.list(Pod);
 * } catch (error) {
 *   if (!isUnauthorized(error)) throw error;
 *   console.error('the token has expired: log in again');
 * }
 * ```
 */
export const isUnauthorized: (error: unknown) => error is UnauthorizedError = hasCode<UnauthorizedError>('KEELSON_API_UNAUTHORIZED');
/**
 * Both forms of 410: `Gone` and `Expired`.
 *
 * @example
 * ```ts
 * try {
 *   await client.list(Pod, { limit: 500, continue: 'a token of an hour ago' });
 * } catch (error) {
 *   if (!isExpired(error)) throw error; // list again from the first page
 * }
 * ```
 */
export const isExpired: (error: unknown) => error is ExpiredError = hasCode<ExpiredError>('KEELSON_API_EXPIRED');
/**
 * `true` for 429: the server asks to come back later.
 *
 * @example
 * ```ts
 * try {
 *   await client.list(Pod);
 * } catch (error) {
 *   if (!isTooManyRequests(error)) throw error; // wait, then ask again
 * }
 * ```
 */
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
