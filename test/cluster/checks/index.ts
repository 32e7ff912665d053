export { type Applied, type ApplyOptions, applyAll } from './apply-all.js';
export { dryRunUntil } from './dry-run-until.js';
export { type ExpectedCause, expectRefused, refusalOf } from './expect-refused.js';
export { expectRights, type Right, type Subject } from './expect-rights.js';
export { podsMeetRestricted } from './pods-meet-restricted.js';
export { readBack } from './read-back.js';
export { untilAllowed } from './until-allowed.js';
