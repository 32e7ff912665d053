/** The only time that the runtime knows: it is passed in, so that a test can move it. */
export { Breather } from './breather.js';
export { type Clock, systemClock } from './clock.js';
export { pause, turn } from './pause.js';
