/** An operator at work on a world that nobody else sees: what `render` and `plan` read their answers from. The way in is {@link rehearse}. */
export type { RunProblem } from './operator-at-work.js';
export { projectOperator } from './project-operator.js';
export { isCopy, type Refused, type RehearsalInput, type Rehearsed, rehearse } from './rehearse.js';
export { keyOf, keyText, type World } from './world.js';
