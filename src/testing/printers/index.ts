/** Tables of the built-in kinds: what `kubectl get` shows. */
export { tableOf } from './tables.js';
