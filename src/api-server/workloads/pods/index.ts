/** Pods: their states, the order in which they are deleted, and how they are made from a template. */
export { claimNamesOf } from './pod-claims.js';
export { type NewPod, type PodOwner, type PodTemplate, podFromTemplate } from './pod-from-template.js';
export { byDispensability } from './pod-order.js';
export {
  type Availability,
  conditionOf,
  isActive,
  isAvailable,
  isGoing,
  isReady,
  isTerminal,
  nextAvailabilityMs,
  type PodCondition,
} from './pod-state.js';
