/** The time of a server: the process' own, or one that a test moves. */
export { type Clock, systemClock } from './clock.js';
export { DurationError, FakeClock } from './fake-clock.js';
