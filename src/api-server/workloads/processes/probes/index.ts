/** Questions to containers: probes and hooks over a command, HTTP, TCP and gRPC. The ways in are {@link Prober} and {@link ask}. */
export type { Answer } from './answer.js';
export { type Asked, ask } from './ask.js';
export { Prober } from './prober.js';
