/**
 * The verbs of the Kubernetes API on kinds, typed, with errors that say who can act. Every call is a request: caches are built on it elsewhere.
 */
export { ApiError, type Refusal } from './api-error.js';
export { ApiClient, type ApiClientOptions, createClient } from './client.js';
export { keyOf } from './discovery.js';
export {
  AlreadyExistsError,
  ApplyConflictError,
  ApplyUnfitError,
  BadRequestError,
  ConflictError,
  ExpiredError,
  type FieldConflict,
  ForbiddenError,
  InternalError,
  InvalidError,
  MethodNotAllowedError,
  NotFoundError,
  RequestError,
  RequestTooLargeError,
  ServerTimeoutError,
  ServiceUnavailableError,
  TooManyRequestsError,
  UnauthorizedError,
  UnexpectedStatusError,
  UnsupportedMediaTypeError,
} from './errors.js';
export type { EventIdentity } from './event-identity.js';
export type { MissingRight } from './forbidden-right.js';
export {
  isAlreadyExists,
  isApiError,
  isApplyConflict,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isMethodNotAllowed,
  isNotFound,
  isRequestTooLarge,
  isServiceUnavailable,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
} from './guards.js';
export {
  type ClusterKey,
  type InputOf,
  type KeyOf,
  type MetadataKind,
  type MetadataObject,
  metadataOf,
  type NamedObject,
  type NamespacedKey,
  type NewObject,
  type ObjectOf,
  type StoredOf,
  type UntypedObject,
} from './kind-types.js';
export type { ObjectList } from './object-list.js';
export type {
  ApplyOptions,
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  FieldValidation,
  GetOptions,
  ListOptions,
  PageOptions,
  Selection,
  WatchOptions,
  WriteOptions,
} from './options.js';
export { PageGuard } from './page-guard.js';
export { jsonPatch, mergePatch, type PatchBody, type PatchOf, type PatchOperation, strategicPatch } from './patch.js';
export type { ApiRequest } from './requester.js';
export { isStatus, type Status, type StatusCause } from './status.js';
export { type ApplyBody, type Scale, Subresource } from './subresource.js';
export { type KnownObjects, type WatchEvent, WatchStream } from './watch-stream.js';
export type { WriteDefaults } from './write-query.js';
