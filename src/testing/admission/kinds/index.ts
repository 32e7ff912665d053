/** Admission plugins that know one kind: what kube-apiserver switches on by default and operators meet. */
export { defaultTolerationSeconds, priority } from './pods.js';
export { defaultStorageClass, storageObjectInUseProtection } from './storage.js';
