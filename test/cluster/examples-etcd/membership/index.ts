export type { Entry } from './journal.js';
export { MemberWatch } from './member-watch.js';
export { MembershipJudge } from './membership-judge.js';
export { recorded } from './recorded.js';
