/** PersistentVolumes and PersistentVolumeClaims. */
export { persistentVolumes } from './persistent-volume.js';
export { persistentVolumeClaims } from './persistent-volume-claim.js';
