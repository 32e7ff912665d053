/** Logs and commands: questions of clients to running containers, passed on by the API server. */
export { type ExecSource, podExec } from './pod-exec.js';
export { type LogSource, podLog } from './pod-log.js';
