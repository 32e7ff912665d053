/** The status of the reconciled object: the reconciler's status, and conditions that other tools understand. */
export type { StatedNames } from './left-statuses.js';
export { type FailureReason, nextStatus, type StatusQuestion, statedBy, type Verdict } from './next-status.js';
export { KSTATUS, Share } from './share.js';
export { conditionsOf, type StatusFields } from './status-fields.js';
export { type StatusForm, statusFormOf } from './status-form.js';
export { StatusWriter, type StatusWriterOptions, type WriteOptions } from './status-writer.js';
export { isSaidPaused, PAUSED, WOULD_CHANGE } from './steering-conditions.js';
