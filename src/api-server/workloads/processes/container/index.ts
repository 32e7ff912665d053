/** The declarations of a container as they read on this machine: variables, paths, host names. The way in is {@link containerOfPod}. */
export { type ContainerOfPod, type ContainerParts, containerOfPod, type Program } from './container-of-pod.js';
export { environmentOf } from './environment.js';
export { expanded } from './expansion.js';
export { addressKey, type NamedHost, namedHost, nameOfPod } from './host-names.js';
export { localPath, localText, type Mount } from './local-text.js';
export { type PodWithAddress, podField, resourceField } from './pod-fields.js';
export { serviceVariables } from './service-variables.js';
