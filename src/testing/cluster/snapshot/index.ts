/** The objects of a cluster as a text that is the same in each run. */
export { type MaskOptions, masked } from './mask.js';
export { type Baseline, baselineOf, type SnapshotOptions, snapshotText } from './snapshot.js';
