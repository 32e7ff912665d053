/** Volumes that are not there, for claims that are. */
export { standardStorageClass } from './storage-class.js';
export { volumeController } from './volume-controller.js';
