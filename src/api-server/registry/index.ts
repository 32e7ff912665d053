/**
 * The registry of the in-process API server: what happens between a decoded request and the store, for every kind. {@link Registry} is the server's
 * {@link Api}, {@link StoreView} what strategies, admission and authorization may look up.
 */
export { StoreView } from './cluster-view.js';
export { draftMetadata, ensureNamespace, wipeSystemFields } from './metadata.js';
export { Registry, type RegistryOptions, randomSuffix } from './registry.js';
export { checkType, decoderOfOthers } from './subject.js';
