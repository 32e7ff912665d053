/** Volumes of Pods as folders of this machine. The way in is {@link PodVolumes}. */
export { PodVolumes, type PodVolumesParts } from './pod-volumes.js';
export { missingKey, type VolumeView } from './volume-files.js';
