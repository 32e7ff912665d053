export { type EtcdSearch, findEtcd } from './etcd-program.js';
export { type ManifestFile, type ManifestObject, readManifests } from './manifests.js';
export { ANSI, countsByKind, manifestTree, PLAIN, type Style } from './tree.js';
