/** Pods whose containers are processes of this machine. The way in is {@link processes}; the kubelet asks {@link PodProcesses}. */
export type { ContainerOfPod, Mount, Program } from './container/index.js';
export { ProcessesError } from './errors.js';
export { lackOfNames, type NamesChoice, PodNames } from './names/index.js';
export { PodProcesses, ProcessMachine } from './pod-processes.js';
export { isProcesses, type Processes, type ProcessesOptions, type ProgramOf, processes } from './processes.js';
export { podAttach, podExec, podLog, podPortForward } from './remote/index.js';
export { ServiceEndpoints, type ServicePort, ServiceProxy } from './services/index.js';
