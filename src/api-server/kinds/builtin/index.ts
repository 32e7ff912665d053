/**
 * The kinds that Kubernetes brings itself: what the in-process API server serves of them, and what it does with each beyond decoding it.
 *
 * Source of the rules: kubernetes `pkg/apis` and `pkg/registry`; each file names its own.
 */
export type { Behaviour, Surroundings, Variant } from './behaviour.js';
export type { BuiltinHandlers } from './builtin-resource.js';
export { type BuiltinResourcesOptions, builtinResources } from './builtin-resources.js';
