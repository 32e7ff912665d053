export { type ManifestFile, type ManifestObject, readManifests } from './manifests.js';
export { ANSI, countsByKind, manifestTree, PLAIN, type Style } from './tree.js';
