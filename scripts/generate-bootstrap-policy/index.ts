export { type PolicyObject, policyModule, readPolicy } from './policy.js';
