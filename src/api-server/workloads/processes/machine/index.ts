/** Processes and addresses of this machine that do not outlive the server. The way in is {@link Supervisor}. */

export { findProgram } from './find-program.js';
export { LoopbackNetwork } from './network.js';
export { type Child, type Command, type Ended, Supervisor } from './supervisor.js';
export { type TerminalSize, Terminals } from './terminal.js';
