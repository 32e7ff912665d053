import { customResourceDefinitionBehaviour } from '../custom-resources/index.js';
import type { BehaviourMaker } from './behaviour.js';
import { controllerRevisions } from './controller-revision.js';
import { cronJobs } from './cron-job.js';
import { daemonSets } from './daemon-set.js';
import { deployments } from './deployment.js';
import { jobs } from './job.js';
import { platformBehaviours } from './platform-behaviours.js';
import { pods } from './pod.js';
import { podTemplates } from './pod-template.js';
import { replicaSets } from './replica-set.js';
import { replicationControllers } from './replication-controller.js';
import { statefulSets } from './stateful-set.js';

/** By group and plural (`/pods`: the core group has no name). A kind that is missing here is decoded, stored and given back. */
export const behaviours: Readonly<Record<string, BehaviourMaker>> = {
  '/podtemplates': () => podTemplates,
  '/pods': () => pods,
  '/replicationcontrollers': () => replicationControllers,
  'apps/controllerrevisions': () => controllerRevisions,
  'apps/daemonsets': () => daemonSets,
  'apps/deployments': () => deployments,
  'apps/replicasets': () => replicaSets,
  'apps/statefulsets': () => statefulSets,
  'batch/cronjobs': () => cronJobs,
  'batch/jobs': () => jobs,
  ...platformBehaviours,
  'apiextensions.k8s.io/customresourcedefinitions': () => customResourceDefinitionBehaviour,
};
