import type { Step } from './exchange.js';

/** A dry run of the step, sent until the answer holds what the API server has learnt by a watch. It changes nothing, and charges no quota. */
export function noticed(until: string, step: Step): Step {
  return { ...step, path: `${step.path}?dryRun=All`, until };
}
