import type { Exploration } from '@keelson/testing';

/** A small operator with a known mistake, and its twin without it. */
export interface Planted {
  readonly name: string;
  /** Explores the operator with the mistake. */
  readonly bug: (seeds: number) => Promise<Exploration>;
  /** Explores the twin. */
  readonly twin: (seeds: number) => Promise<Exploration>;
  /** Parts of the explanation. */
  readonly says: readonly RegExp[];
}
