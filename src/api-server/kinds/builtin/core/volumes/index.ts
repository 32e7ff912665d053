/** Volumes of Pods and their mounts. */
export { accessModeErrors, claimSpecErrors } from './claim-spec-validation.js';
export { storageSourceErrors } from './storage-volumes.js';
export { checkVolumes, hostPathErrors } from './volume-validation.js';
