/** Which replica works: the one that holds a Lease. */
export { LeaderSettingsError } from './errors.js';
export { LeaderElector, type LeaderElectorOptions, type LeaderObserver } from './leader-elector.js';
