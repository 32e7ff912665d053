/** Processes and addresses of this machine that do not outlive the server. The way in is {@link Supervisor}. */
export { LoopbackNetwork } from './network.js';
export { type Child, type Command, type Ended, findProgram, Supervisor } from './supervisor.js';
