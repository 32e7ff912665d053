/** Names of the judges of a run. */
export type Judge = 'state' | 'fresh' | 'made' | 'deleted' | 'quiet' | 'status' | 'invariant' | 'kept' | 'stuck';

/** Two ends that differ: neither is right by itself. */
export interface Ends {
  /** The end whose lines have a `-`: `undisturbed`. */
  readonly minus: string;
  readonly plus: string;
  /** The number of lines that each end leaves in externals, where they differ. */
  readonly outside?: readonly [minus: number, plus: number] | undefined;
}

/** A run that does not end as it should. */
export class Finding extends Error {
  readonly judge: Judge;
  readonly details: readonly string[];
  /** The ends that `details` compare. `undefined` if `details` is not a comparison. */
  readonly ends: Ends | undefined;

  constructor(judge: Judge, message: string, details: readonly string[], ends?: Ends) {
    super(message);
    this.judge = judge;
    this.details = details;
    this.ends = ends;
  }
}
