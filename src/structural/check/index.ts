export { type CheckOptions, checkAs, checkStructural, type Judge } from './check-structural.js';
export type { RuleCost } from './costs.js';
export { re2Problem, type Wording } from './wording.js';
