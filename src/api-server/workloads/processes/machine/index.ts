/** Processes and addresses of this machine that do not outlive the server. The way in is {@link Supervisor}. */

export { findProgram } from './find-program.js';
export { HostsMounts, type HostsMountsFound } from './hosts-mounts.js';
export { LoopbackNetwork } from './network.js';
export { type Child, type Command, type Ended, Supervisor, type TerminalSize } from './supervisor.js';
export { Terminals } from './terminal.js';
