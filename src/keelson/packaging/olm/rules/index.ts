/** Rules of OLM bundles. Way in: {@link bundleProblems}. */
export { BUNDLE_RULE_NAMES, bundleProblems } from './bundle-problems.js';
export type { BundleProblem } from './rule.js';
