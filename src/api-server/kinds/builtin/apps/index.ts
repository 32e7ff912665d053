/** Behaviour of the kinds of API group `apps`: Deployments, ReplicaSets, StatefulSets, DaemonSets, ControllerRevisions. */
import type { BehaviourMakers } from '../behaviour.js';
import { controllerRevisions } from './controller-revision.js';
import { daemonSets } from './daemon-set.js';
import { deployments } from './deployment.js';
import { replicaSets } from './replica-set.js';
import { statefulSets } from './stateful-set.js';

/** Behaviours of the kinds of this group. */
export const appsBehaviours: BehaviourMakers = {
  'apps/controllerrevisions': () => controllerRevisions,
  'apps/daemonsets': () => daemonSets,
  'apps/deployments': () => deployments,
  'apps/replicasets': () => replicaSets,
  'apps/statefulsets': () => statefulSets,
};
