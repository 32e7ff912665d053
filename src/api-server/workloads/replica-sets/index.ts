/** ReplicaSets: as many Pods as are wanted. */
export type { ReplicaFailure, ReplicaPlan, ReplicaState } from './plan-replicas.js';
export { replicaSetController } from './replica-set-controller.js';
