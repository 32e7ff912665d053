/** Pods and Pod templates: defaults, validation, what an update may change, warnings. */
export { nodeSelectorErrors } from './affinity-validation.js';
export { dropDisabledPodFields } from './disabled-pod-fields.js';
export { pods } from './pod.js';
export { podAnnotationErrors } from './pod-annotations.js';
export { setClaimSpecDefaults, setPodTemplateDefaults, setStorageDefaults } from './pod-defaults.js';
export { podTemplateErrors } from './pod-spec-validation.js';
export { podTemplates } from './pod-template.js';
export { TAINT_EFFECTS, tolerationErrors } from './scheduling-validation.js';
export {
  emptySelector,
  lastingPodErrors,
  matchedTemplateErrors,
  podNameWarnings,
  replicated,
  replicatedTemplateErrors,
  selectorErrors,
  templateWarnings,
  unmatched,
} from './workload-template.js';
