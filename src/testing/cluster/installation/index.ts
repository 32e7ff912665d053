/** The content of a cluster before a test begins: custom resources, an operator's parts, manifests. */
export { type InstallSurroundings, install } from './install.js';
export { type Manifest, manifestsOf } from './manifest-source.js';
