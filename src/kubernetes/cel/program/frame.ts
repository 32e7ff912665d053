import type { CelValue } from '../values/index.js';

/** One evaluation: the values of variables, and what it has cost so far. */
export interface Frame {
  readonly bindings: Readonly<Record<string, CelValue | undefined>>;
  readonly slots: (CelValue | undefined)[];
  /** In the API server's cost units. */
  cost: number;
  /** Beyond it the evaluation is over. */
  readonly limit: number;
}

export type Step = (frame: Frame) => CelValue;

/** Thrown when an evaluation costs more than it may. */
export const OUT_OF_BUDGET: Error = new Error('out of budget');

export function spend(frame: Frame, cost: number): void {
  frame.cost += cost;
  if (frame.cost > frame.limit) throw OUT_OF_BUDGET;
}
