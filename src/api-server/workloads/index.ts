/**
 * A control plane and kubelets without machines: Deployments and others make Pods, Pods become ready, and a test decides where fate would.
 */
export {
  type CrashOptions,
  type FailPodOptions,
  type HeldPods,
  type HoldBackOptions,
  type PodChoice,
  PodControlError,
  PodControls,
  type PodKey,
  type PodSelector,
  type Stage,
} from './kubelet/index.js';
export { Workloads, WorkloadsError, type WorkloadsOptions } from './workloads.js';
