/** Behaviour of the kinds of API group `batch`: Jobs and CronJobs. */
import type { BehaviourMakers } from '../behaviour.js';
import { cronJobs } from './cron-job.js';
import { jobs } from './job.js';

/** Behaviours of the kinds of this group. */
export const batchBehaviours: BehaviourMakers = {
  'batch/cronjobs': () => cronJobs,
  'batch/jobs': () => jobs,
};
