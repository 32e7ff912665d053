/** Containers of Pods and templates: fields, images, probes, environment, resources. */
export { containerErrors, ephemeralContainerErrors, imageSpaceErrors, initContainerErrors } from './container-validation.js';
export { fieldRefErrors, resourceFieldErrors } from './env-validation.js';
export { isPodLevelResource, isSidecar, setPodLevelResourceDefaults, sumOfContainers } from './pod-level-resources.js';
export { podSecurityErrors } from './security-context.js';
