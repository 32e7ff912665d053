/** Decisions of a kubelet about Pods whose containers are processes, as functions over values. The way in is {@link planPod}. */
export { type ContainerState, type End, nextPauseMs, pauseAfterRun, type Run, UNKNOWN } from './container-state.js';
export { type PodPlan, type PodView, planPod } from './pod-plan.js';
export { afterProbe, type ProbeSettings, type ProbeState, UNPROBED } from './probe-state.js';
export { rememberedStates } from './remembered.js';
