/** What clients ask of running containers through the API server: logs and commands. */
export { type ExecSource, podExec } from './pod-exec.js';
export { type LogSource, podLog } from './pod-log.js';
