export { type CheckOptions, checkAs, checkStructural, type Judge } from './check-structural.js';
export { boundWarnings } from './rules.js';
export type { VisitedNode } from './walk.js';
export { re2Problem, type Wording } from './wording.js';
