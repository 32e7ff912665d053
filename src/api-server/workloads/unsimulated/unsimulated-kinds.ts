import type { CronJob } from '@keelson/kubernetes/kinds';
import { type Controller, type ControllerSurroundings, keyedController } from '../../controllers/index.js';
import { CRON_JOBS, HORIZONTAL_AUTOSCALERS, isResource, keyOf, REPLICATION_CONTROLLERS } from '../objects/index.js';

const REASONS = [
  [CRON_JOBS, 'CronJobs do not fire here: make the Job yourself, as kubectl create job --from=cronjob/… does'],
  [REPLICATION_CONTROLLERS, 'ReplicationControllers make no Pods here: use a Deployment or ReplicaSet'],
  [HORIZONTAL_AUTOSCALERS, 'HorizontalPodAutoscalers do not scale here: nothing is measured'],
] as const;

/** Tells, once of each object, that nothing will come of it: silence would look like a test that waits for too short a time. */
export function unsimulatedKinds(surroundings: ControllerSurroundings): Controller {
  return keyedController(
    {
      name: 'workloads',
      wants: (resource) => REASONS.some(([wanted]) => isResource(resource, wanted)),
      onEvent({ object, resource, type }) {
        const reason = REASONS.find(([wanted]) => isResource(resource, wanted));
        if (type !== 'ADDED' || reason === undefined) return;
        surroundings.report({ controller: 'workloads', key: keyOf(object as unknown as CronJob), error: new Error(reason[1]) });
      },
      handle: async () => undefined,
    },
    surroundings,
  );
}
