/** Admission plugins that know one kind: what kube-apiserver switches on by default and operators meet. */
export { certificateApproval, certificateSigning, certificateSubjectRestriction, clusterTrustBundleAttest } from './certificates.js';
export { defaultIngressClass } from './ingresses.js';
export { podTopologyLabels, taintNodesByCondition } from './nodes.js';
export { defaultTolerationSeconds, priority } from './pods.js';
export { runtimeClass } from './runtime-classes.js';
export { defaultStorageClass, persistentVolumeClaimResize, storageObjectInUseProtection } from './storage.js';
