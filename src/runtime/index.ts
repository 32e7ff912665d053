/**
 * `keelson/runtime`: the process that hosts what `defineOperator` declares. {@link run} is all that an image's entry point calls; {@link start} is for
 * processes that do more. The client, its errors and the connections are here for what an operator does beside its reconcilers.
 */
export {
  type ApiClient,
  ApiError,
  createClient,
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
  mergePatch,
  strategicPatch,
} from './client/index.js';
export { type Clock, systemClock } from './clock/index.js';
export {
  type ControllerTuning,
  type HostProcess,
  type ReadinessProblem,
  type RunningOperator,
  type RunOptions,
  run,
  type StartOptions,
  StartOptionsError,
  start,
} from './host/index.js';
export { type Connection, connectionOf, inClusterConnection, kubeconfigConnection, loadConnection, readKubeconfig } from './http/index.js';
