/**
 * `keelson/packaging`: an operator in the forms that administrators install. A package is constructs as a function of values: {@link defineOperatorPackage} declares
 * the package of an operator, {@link definePackage} any other. {@link helmChart} writes it as a Helm chart, {@link kustomizeFiles} as a Kustomize base with
 * overlays, {@link kindSchemas} the JSON Schemas of its kinds, {@link olmBundle} a bundle for the Operator Lifecycle Manager.
 */
export { argoCdHealth } from './argocd/index.js';
export { PackageError } from './errors.js';
export { helmChart } from './helm/index.js';
export { kindSchemas } from './json-schema/index.js';
export { kustomizeFiles } from './kustomize/index.js';
export {
  BUNDLE_RULE_NAMES,
  type BundleProblem,
  bundleProblems,
  type CatalogOptions,
  catalogProblems,
  type Descriptor,
  type InstallMode,
  isOlmBundle,
  type KindPresentation,
  type OlmBundle,
  type OlmBundleOptions,
  olmBundle,
  olmCatalog,
  type RequiredKind,
  type UpgradeEdges,
} from './olm/index.js';
export {
  type CertificateValues,
  type CrdValues,
  defineOperatorPackage,
  type OperatorPackage,
  type OperatorPackageOptions,
  type OperatorPackageValues,
  type OperatorValues,
} from './operator/index.js';
export {
  companionsOf,
  definePackage,
  definePackageSet,
  isPackage,
  type Package,
  type PackageContext,
  type PackageMetadata,
  type PackageOptions,
  type PackageSetOptions,
  type PackageSetValues,
  type Release,
} from './package/index.js';
export type { PackageFile } from './package-file.js';
export type { DefaultsOf } from './values/index.js';
