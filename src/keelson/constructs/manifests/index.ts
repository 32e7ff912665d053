/** Finished manifests as values: composed in memory, searched, escaped for Helm. Way in: {@link composed}. */
export { type ComposedObject, type ComposedOptions, composed } from './composed.js';
export { findResource } from './find-resource.js';
export { escapeHelmTemplate, helmEscapeResolver } from './helm-escape.js';
