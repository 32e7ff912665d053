/** Resources of pods and other objects, as plugins add and compare them. */
export { claimClass } from './claim-class.js';
export { type HeldResources, heldByStatus, type PodResourcesOptions, podResources } from './pod-resources.js';
export { quantityOf, type ResourceList, resourceListOf, sumOf, textsOf } from './resource-list.js';
