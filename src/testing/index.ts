/**
 * `keelson/testing`: API servers for tests. {@link TestCluster} is what suites use: verbs, waits, faults, the log of requests, snapshots, on a server in this
 * process, on real binaries, or on a cluster that is there. {@link ApiServer} is the in-process server alone.
 */
export { ApiServer, ApiServerError, type ApiServerOptions, type ServerProblem } from './api-server/index.js';
export type { UserInfo } from './auth/index.js';
export { type Clock, DurationError, FakeClock, systemClock } from './clock/index.js';
export {
  ClusterClient,
  type Condition,
  type ContentOptions,
  type ExistingCluster,
  type ExistingOptions,
  type Identity,
  type InProcessCluster,
  type InProcessOptions,
  type KeyOrText,
  type KubeApiServerCluster,
  type KubeApiServerOptions,
  type MaskOptions,
  type Outcome,
  type RunningCluster,
  type SettledOptions,
  type SnapshotOptions,
  type StatusOf,
  TestCluster,
  TestClusterError,
  type TestClusterOptions,
  type TestClusters,
  type TimeSpan,
  WaitError,
  type WaitOptions,
  type WebhookEndpoint,
  type WholeObject,
} from './cluster/index.js';
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
  type Faults,
  type KindOrResource,
  type OrderedFault,
  type RequestDelayRule,
  type RequestMatch,
  type RequestRule,
  type RequestVerb,
  type SeededOptions,
  type StrikeOptions,
  type WatchEndRule,
  type WatchEventRule,
  type WatchMatch,
} from './faults/index.js';
export {
  type LoggedRequest,
  type NoWritesOptions,
  type RequestFilter,
  type RequestLog,
  RequestLogError,
  type RequestMark,
} from './request-log/index.js';
