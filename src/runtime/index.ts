/**
 * `@keelson/runtime`: the process that hosts what `defineOperator` declares. {@link run} is all that an image's entry point calls; {@link start} is for
 * processes that do more. The client, its errors and the connections are here for what an operator does beside its reconcilers.
 */
import { openProcessDoor } from '@keelson/kubernetes/apimachinery';

export { type KindInfo, OperatorError } from '@keelson/kubernetes/apimachinery';
export type { Duration, Logger, OperatorModel, RuntimeSettings } from 'keelson/internal/definition';
export {
  type AlreadyExistsError,
  type ApiClient,
  ApiError,
  type ApiRequest,
  type ApplyOptions,
  type CallOptions,
  type ConflictError,
  createClient,
  type DeleteCollectionOptions,
  type DeleteOptions,
  type ExpiredError,
  type ForbiddenError,
  type GetOptions,
  type InvalidError,
  isAlreadyExists,
  isApiError,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
  jsonPatch,
  type KeyOf,
  type ListOptions,
  mergePatch,
  type NamedObject,
  type NewObject,
  type NotFoundError,
  type ObjectList,
  type ObjectOf,
  type PageOptions,
  type PatchOf,
  type PatchOperation,
  type Refusal,
  type Scale,
  type Status,
  type StatusCause,
  type StoredOf,
  type Subresource,
  strategicPatch,
  type TooManyRequestsError,
  type UnauthorizedError,
  type WatchEvent,
  type WatchOptions,
  type WatchStream,
  type WriteDefaults,
  type WriteOptions,
} from './client/index.js';
export { type Clock, systemClock } from './clock/index.js';
export {
  type ControllerTuning,
  type HostProcess,
  type ReadinessProblem,
  type RunningOperator,
  type RunOptions,
  run,
  type ServerPorts,
  type StartOptions,
  StartOptionsError,
  start,
} from './host/index.js';
export {
  type AccessSource,
  type ClientNodeKubeConfig,
  type Connection,
  type ConnectionOptions,
  connectionOf,
  type InClusterOptions,
  inClusterConnection,
  type Kubeconfig,
  type KubeconfigConnectionOptions,
  kubeconfigConnection,
  type LoadConnectionOptions,
  loadConnection,
  readKubeconfig,
  type TransportOptions,
} from './http/index.js';
export {
  type JournalFilter,
  type JournalOptions,
  type JournalOutcome,
  type JournalRead,
  type JournalRun,
  type JournalWrite,
  journalText,
} from './journal/index.js';
export type { BackgroundActivity } from './outside/index.js';

openProcessDoor('@keelson/runtime');
