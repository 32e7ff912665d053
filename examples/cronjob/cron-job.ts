import { defineCustomResource, type Resource } from 'keelson';
import { fromStorage, toStorage } from './conversion.js';
import { v1, v2 } from './schema.js';

const columns = [
  { name: 'Suspend', type: 'boolean', jsonPath: '.spec.suspend' },
  { name: 'Active', type: 'string', jsonPath: '.status.active', description: 'Jobs that run.' },
  { name: 'Last Schedule', type: 'date', jsonPath: '.status.lastScheduleTime' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
] as const;

// A Job adds eleven characters, and its own name is the value of a label.
const rules = [{ rule: 'size(self.metadata.name) <= 52', message: 'the name must have at most 52 characters' }];

// #region definition
/** Makes a Job at each time of a schedule. */
export const CronJob = defineCustomResource({
  group: 'batch.example.com',
  kind: 'CronJob',
  versions: {
    v2: { ...v2, storage: true, columns, rules },
    v1: { ...v1, columns: [{ name: 'Schedule', type: 'string', jsonPath: '.spec.schedule' }, ...columns], rules },
  },
  convert: { v1: { toStorage, fromStorage } },
});
// #endregion

/** A CronJob as the controller and the webhooks see it: the stored version, defaults applied. */
export interface CronJob extends Resource<typeof CronJob> {}
