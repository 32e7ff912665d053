export { type CheckOptions, type CheckResult, checkResourceSchema, checkStructural } from './check-structural.js';
