/** The only time that the runtime knows: it is passed in, so that a test can move it. */
export { type Clock, systemClock } from './clock.js';
export { Breather, pause, turn } from './pause.js';
