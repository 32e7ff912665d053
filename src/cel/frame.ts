import type { CelValue } from './value.js';

/** One evaluation: the values of variables and what may still be spent. */
export interface Frame {
  readonly bindings: Readonly<Record<string, CelValue | undefined>>;
  readonly slots: (CelValue | undefined)[];
  /** Steps left; below zero the evaluation is over. */
  left: number;
}

export type Step = (frame: Frame) => CelValue;

/** Thrown when the steps are used up. */
export const OUT_OF_STEPS: Error = new Error('out of steps');

export function spend(frame: Frame, steps: number): void {
  frame.left -= steps;
  if (frame.left < 0) throw OUT_OF_STEPS;
}
