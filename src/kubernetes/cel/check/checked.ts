import type { CelProblem, Expr } from '../syntax/index.js';
import type { CelType } from '../types/index.js';

/** The checker's findings about an expression. */
export interface Checked {
  readonly problems: readonly CelProblem[];
  /** The type of each node. */
  readonly types: ReadonlyMap<Expr, CelType>;
  /** The signatures of the overloads that a call may mean. */
  readonly overloads: ReadonlyMap<Expr, readonly string[]>;
  /** Names of the variables that occur. */
  readonly references: ReadonlySet<string>;
  /** Calls of namespaced functions (`optional.of(x)`, which is parsed as a call on `optional`) and their full names. */
  readonly namespaced: ReadonlyMap<Expr, string>;
  /** Selections that are the name of a type (`google.protobuf.Timestamp`). */
  readonly qualified: ReadonlyMap<Expr, string>;
}
