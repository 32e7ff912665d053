/**
 * The controllers of kube-controller-manager that others build on: they watch the store and write through the API. Without them the server is what Go's
 * envtest is: owners do not cascade, namespaces stay Terminating.
 */
export { clusterRoleAggregation } from './cluster-role-aggregation.js';
export type { Controller, ControllerProblem, ControllerSurroundings } from './controller.js';
export { type ComponentIdentity, ControllerClient, isConflict, isGone, isTerminating, type Place } from './controller-client.js';
export { GarbageCollector } from './garbage-collector/index.js';
export { type ControllerParts, type Enqueue, keyedController } from './keyed-controller.js';
export { metaOf, type StoredMeta } from './metadata.js';
export { rootCaPublisher, serviceAccountController } from './namespace-contents.js';
export { NamespaceController } from './namespace-controller.js';
export type { FedEvent } from './object-feed.js';
export { RecordedFailure } from './recorded-failure.js';
export { resourceQuotaController } from './resource-quota.js';
export { WorkQueue } from './work-queue.js';
