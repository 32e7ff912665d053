/** Kubelets without machines: what becomes of Pods, of itself and by the will of a test. */
export { isSidecar } from './container-status.js';
export { PodControlError } from './errors.js';
export type { PodChoice, PodSelector } from './held-back.js';
export { type KubeletParts, kubelet, type PodRunner } from './kubelet.js';
export { conditionsFor } from './pod-conditions.js';
export {
  type ContainerChoice,
  type CrashOptions,
  type FailPodOptions,
  type HeldPods,
  type HoldBackOptions,
  PodControls,
  type PodKey,
  type PodLogOptions,
} from './pod-controls.js';
export type { PodSituation, PodStep } from './pod-lifecycle.js';
export { PodMemory } from './pod-memory.js';
export { type Lack, ROOT_CA } from './references.js';
export type { PodTiming, Stage } from './stages.js';
