/** Deployments: rollouts from one ReplicaSet to the next. */
export { deploymentController } from './deployment-controller.js';
