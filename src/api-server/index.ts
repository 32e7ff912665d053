/**
 * `@keelson/api-server`: a Kubernetes API server in this process. {@link ApiServer} serves discovery, built-in and custom kinds, watches, server-side apply,
 * admission and access control over HTTPS; {@link FakeClock} lets a test move its time, {@link Faults} makes requests and watches go wrong.
 *
 * It is a Kubernetes, not a keelson: it loads neither the runtime nor definitions nor zod. `@keelson/testing` builds a test's cluster on it.
 */
import { openProcessDoor } from '@keelson/kubernetes/apimachinery';

export type { UserInfo } from './access/index.js';
export { type Clock, DurationError, FakeClock, systemClock } from './clock/index.js';
export type { ServerFeature } from './contract/index.js';
export {
  type DropRule,
  type ExpireEventRule,
  type ExpireStatusRule,
  type FailOptions,
  type FailRule,
  type FailStatus,
  FaultError,
  type FaultRates,
  type FaultRecord,
  type FaultSurroundings,
  Faults,
  type KindOrResource,
  type OrderedFault,
  type RequestDelayRule,
  type RequestMatch,
  type RequestRule,
  type RequestVerb,
  type SeededOptions,
  type StolenLease,
  type StrikeOptions,
  type WatchEndRule,
  type WatchEventRule,
  type WatchMatch,
} from './faults/index.js';
export type {
  CarriedHead,
  CarriedReceiver,
  CarriedRequest,
  Fault,
  Intercept,
  InterceptedRequest,
  RequestObserver,
  RequestRecord,
  RequestStages,
  WatchAction,
  WatchControl,
  WatchFault,
} from './http/index.js';
export { ApiServer, ApiServerError, type ApiServerOptions, type ServerProblem } from './server/index.js';
export {
  type ContainerChoice,
  type ContainerOfPod,
  type CrashOptions,
  type FailPodOptions,
  type HeldPods,
  type HoldBackOptions,
  lackOfNames,
  type Mount,
  type NamesChoice,
  type PodChoice,
  PodControlError,
  type PodControls,
  type PodKey,
  type PodLogOptions,
  type PodSelector,
  type Processes,
  ProcessesError,
  type ProcessesOptions,
  type Program,
  type ProgramOf,
  processes,
  type Stage,
  WorkloadsError,
  type WorkloadsOptions,
} from './workloads/index.js';

openProcessDoor('@keelson/api-server');
