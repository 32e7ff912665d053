/**
 * HTTP with one API server: where it is, how to be let in, connections, deadlines, retries. It knows no kinds and judges no status.
 *
 * A {@link Connection} comes from {@link loadConnection}, {@link inClusterConnection}, a kubeconfig, a client-node `KubeConfig` or its parts
 * ({@link connectionOf}); a {@link Transport} speaks through it.
 */
export { type Access, type AccessSource, type Impersonation, impersonationHeaders, type TlsMaterial } from './access.js';
export { openAgents } from './agents.js';
export { type Backoff, fullJitter } from './backoff.js';
export { type ClientNodeKubeConfig, type ClientNodeOptions, clientNodeConnection } from './client-node.js';
export { type Connection, type ConnectionOptions, connectionOf, type Material } from './connection.js';
export {
  ClientClosedError,
  ConnectionError,
  ConnectionSettingsError,
  DeadlineExceededError,
  type DeadlinePhase,
  MalformedResponseError,
  RequestCancelledError,
  ResponseTooLargeError,
} from './errors.js';
export { type InClusterOptions, inClusterConnection, isInCluster } from './in-cluster.js';
export { type Kubeconfig, readKubeconfig } from './kubeconfig.js';
export { type KubeconfigConnectionOptions, kubeconfigConnection } from './kubeconfig-connection.js';
export { type LoadConnectionOptions, loadConnection } from './load-connection.js';
export type { LoadClientNode } from './plugin-access.js';
export type { Deadlines, RequestAttempt } from './request-attempt.js';
export { retryAfterMs } from './retry-after.js';
export type { RetryOptions } from './retry-policy.js';
export {
  type AttemptReport,
  type HttpAnswer,
  type HttpMethod,
  type HttpRequest,
  type HttpStream,
  Transport,
  type TransportOptions,
} from './transport.js';
export { type ServerWarning, warningTexts } from './warnings.js';
