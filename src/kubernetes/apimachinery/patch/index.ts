/**
 * JSON Patch and JSON Merge Patch as functions over values, with the API server's rules and words.
 *
 * Source of the rules: evanphx/json-patch v4.12 and apiserver `pkg/endpoints/handlers/patch.go`, as Kubernetes has them.
 */
export { applyJsonPatch, type JsonPatchOptions } from './apply-json-patch.js';
export { createJsonPatch, type JsonPatchOperation } from './create-json-patch.js';
export { badPatch, doesNotApply, PatchNotPossible, type PatchRefusal, PatchRefused, serverPanic } from './errors.js';
export { type FieldValidation, unknownJsonPatchFields } from './json-patch-document.js';
export { checkNesting } from './json-tree.js';
export { applyMergePatch, createMergePatch, type MergePatchOptions } from './merge-patch.js';
