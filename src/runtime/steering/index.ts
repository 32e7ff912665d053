/** Annotations by which people direct an operator. Ways in: {@link isPaused}, {@link isObserved}. */
export { keepsChildren } from './deletion.js';
export { isObserved } from './mode.js';
export { isExempt, isPaused, pauseMessage } from './paused.js';
export { tokenOf } from './token.js';
export { type Withheld, withheldBy } from './would-change.js';
