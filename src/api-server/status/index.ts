/** Error answers of the API server: `metav1.Status`, thrown as {@link StatusError}. */
export {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  generateNameConflict,
  internalError,
  invalidObject,
  type KindName,
  methodNotSupported,
  notAcceptable,
  notFound,
  notImplemented,
  plainError,
  type ResourceName,
  requestEntityTooLarge,
  serviceUnavailable,
  tooManyRequests,
  unauthorized,
  unsupportedMediaType,
} from './errors.js';
export { type Status, type StatusCause, type StatusDetails, statusBody } from './status.js';
export { StatusError } from './status-error.js';
