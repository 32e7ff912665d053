/** The process that hosts an operator: it puts the stations together, and takes them apart in order. */
export { StartOptionsError } from './errors.js';
export { lead } from './leader-work.js';
export type { ControllerTuning, StartOptions } from './options.js';
export type { HostProcess } from './process-ending.js';
export type { ServerPorts } from './process-servers.js';
export type { ReadinessProblem } from './readiness.js';
export { type RunOptions, run } from './run.js';
export type { RunningOperator } from './running-operator.js';
export { start } from './start.js';
export { contextsOf } from './using-context.js';
