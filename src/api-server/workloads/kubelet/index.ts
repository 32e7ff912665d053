/** Kubelets without machines: what becomes of Pods, of itself and by the will of a test. */
export { isSidecar } from './container-status.js';
export { PodControlError } from './errors.js';
export type { PodChoice, PodSelector } from './held-back.js';
export { type KubeletParts, kubelet } from './kubelet.js';
export { type CrashOptions, type FailPodOptions, type HeldPods, type HoldBackOptions, PodControls, type PodKey } from './pod-controls.js';
export { PodMemory } from './pod-memory.js';
export type { PodTiming, Stage } from './stages.js';
