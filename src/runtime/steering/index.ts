/** Annotations by which people direct an operator. Ways in: {@link isPaused}, {@link pauseMessage}. */
export { isPaused, pauseMessage } from './paused.js';
