import type { Filling } from './template.js';

/** One synthesis: which state each variable was in, and what the places were filled with. */
export interface Observation {
  /** By the index of the variable. */
  readonly states: readonly number[];
  readonly filling: Filling;
}
