/** API servers under a test: one in this process, real binaries, or a cluster that is there; with the same verbs, waits and snapshots. */
export { ClusterClient, type StatusOf, type WholeObject } from './cluster-client.js';
export { TestClusterError, WaitError } from './errors.js';
export type { ExistingCluster } from './existing-cluster.js';
export { existingKubeconfig } from './existing-kubeconfig.js';
export { type Identity, TEST_USER, userInfoOf } from './identity.js';
export type { InProcessCluster } from './in-process-cluster.js';
export { type Manifest, manifestsOf } from './installation/index.js';
export { KindCache } from './kind-cache.js';
export type { KubeApiServerCluster } from './kube-apiserver-cluster.js';
export type { KeyOrText } from './object-key.js';
export { type OperatorInstallation, operatorInstallation } from './operator-installation.js';
export type { StartOperatorOptions } from './operator-runs.js';
export type {
  ContentOptions,
  ExistingOptions,
  InProcessOptions,
  KubeApiServerOptions,
  TestClusterOptions,
  WebhookEndpoint,
} from './options.js';
export type { ReconciledOptions, RunningCluster, WaitOptions } from './running-cluster.js';
export type { SettledOptions } from './settled.js';
export { type MaskOptions, masked, type SnapshotOptions } from './snapshot/index.js';
export { TestCluster, type TestClusters } from './test-cluster.js';
export type { TimeSpan } from './time-span.js';
export type { Condition, Outcome, PartOf } from './wait/index.js';
