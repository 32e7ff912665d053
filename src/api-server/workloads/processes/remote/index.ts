/** Requests of clients to the kubelet of a Pod: logs, commands, the streams of a container, its ports. The ways in are {@link podLog} and its siblings. */
export { podAttach } from './pod-attach.js';
export { type ExecSource, podExec } from './pod-exec.js';
export { type LogSource, podLog } from './pod-log.js';
export { podPortForward } from './pod-port-forward.js';
