/** Names of the judges of a run. */
export type Judge = 'state' | 'fresh' | 'made' | 'deleted' | 'quiet' | 'status' | 'invariant' | 'stuck';

/** A run that does not end as it should. */
export class Finding extends Error {
  readonly judge: Judge;
  readonly details: readonly string[];

  constructor(judge: Judge, message: string, details: readonly string[]) {
    super(message);
    this.judge = judge;
    this.details = details;
  }
}
