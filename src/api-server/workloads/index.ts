/**
 * A control plane and kubelets without machines: Deployments and others make Pods, Pods become ready, and a test decides where fate would.
 */
export {
  type ContainerChoice,
  type CrashOptions,
  type FailPodOptions,
  type HeldPods,
  type HoldBackOptions,
  type PodChoice,
  PodControlError,
  PodControls,
  type PodKey,
  type PodLogOptions,
  type PodSelector,
  type Stage,
} from './kubelet/index.js';
export {
  type ContainerOfPod,
  isProcesses,
  lackOfNames,
  type Mount,
  type NamesChoice,
  PodProcesses,
  type Processes,
  ProcessesError,
  type ProcessesOptions,
  ProcessMachine,
  type Program,
  type ProgramOf,
  podAttach,
  podExec,
  podLog,
  podPortForward,
  processes,
} from './processes/index.js';
export { Workloads, WorkloadsError, type WorkloadsOptions, type WorkloadsParts } from './workloads.js';
