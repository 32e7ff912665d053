/** The loop of one controller: a scheduler says when, runs say how many, verdicts say what the end of a run means. Way in: {@link ControllerRunner}. */
export { ControllerRunner } from './controller-runner.js';
export type { ControllerRunnerOptions } from './options.js';
export type { Term } from './term.js';
