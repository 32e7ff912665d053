/** Kinds that a cluster runs and that are not run here. */
export { unsimulatedKinds } from './unsimulated-kinds.js';
