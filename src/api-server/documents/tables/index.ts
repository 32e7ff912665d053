/** Tables of the built-in kinds: what `kubectl get` shows. */
export { scaleTable } from './scales.js';
export { tableOf } from './tables.js';
