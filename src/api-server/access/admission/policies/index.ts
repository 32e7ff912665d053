/** ValidatingAdmissionPolicies, MutatingAdmissionPolicies and their bindings. */
export { mutatingAdmissionPolicies } from './mutating.js';
export { type PolicySurroundings, validatingAdmissionPolicies } from './validating.js';
