/** Runs an operator on a world in memory, for `render` and `plan`. The way in is {@link rehearse}. */
export type { RunProblem } from './operator-at-work.js';
export { readKinds } from './operator-kinds.js';
export { projectOperator } from './project-operator.js';
export { isCopy, type Refused, type RehearsalInput, type Rehearsed, rehearse } from './rehearse.js';
export { keyOf, keyText, type World } from './world.js';
