/** Judges a structural schema as the API server does: structure, defaults, list types, rules and their cost. The way in is `checkStructural`. */
export { type CheckOptions, checkAs, checkStructural, type Judge } from './check-structural.js';
export type { RuleCost } from './rule-cost.js';
export { re2Problem, type Wording } from './wording.js';
