/** Bundles and catalogs for the Operator Lifecycle Manager. Ways in: {@link olmBundle}, {@link olmCatalog}, {@link bundleProblems}. */

export { catalogProblems } from './catalog-problems.js';
export { isOlmBundle, type OlmBundle, olmBundle } from './olm-bundle.js';
export type { Descriptor, InstallMode, KindPresentation, OlmBundleOptions, RequiredKind, UpgradeEdges } from './olm-bundle-options.js';
export { type CatalogOptions, olmCatalog } from './olm-catalog.js';
export { BUNDLE_RULE_NAMES, type BundleProblem, bundleProblems } from './rules/index.js';
