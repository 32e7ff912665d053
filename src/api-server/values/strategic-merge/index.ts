/**
 * Strategic merge patch as a function over values: no store, no HTTP, no defaulting.
 *
 * Source of the rules: apimachinery `pkg/util/strategicpatch`, as Kubernetes has it. To make such patches is the matter of clients.
 */
export { applyStrategicMergePatch } from './apply-strategic-merge-patch.js';
export { PatchType } from './patch-type.js';
