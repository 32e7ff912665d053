/** ReplicaSets: as many Pods as are wanted. */
export { planReplicas, type ReplicaFailure, type ReplicaPlan, type ReplicaState, replicaStatus } from './plan-replicas.js';
export { replicaSetController } from './replica-set-controller.js';
