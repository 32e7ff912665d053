/** The check of an expression before it runs: the types of its parts, and literals that can never work. */
export type { Checked } from './checked.js';
export { check } from './checker.js';
export { appendedElement, type Collector, iterator, notIterable } from './fold.js';
export { checkLiterals } from './literal-check.js';
export { patchProblems } from './patch-check.js';
