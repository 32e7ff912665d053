/** ValidatingAdmissionPolicies and their bindings. */
export { type PolicySurroundings, validatingAdmissionPolicies } from './policies.js';
