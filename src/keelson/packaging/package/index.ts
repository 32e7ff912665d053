/** Packages: constructs as a function of values. Way in: {@link definePackage}. */
export { definePackage } from './define-package.js';
export { definePackageSet, type PackageSetOptions, type PackageSetValues } from './define-package-set.js';
export {
  companionsOf,
  isPackage,
  modelOf,
  type Package,
  type PackageContext,
  type PackageExtension,
  type PackageFact,
  type PackageMetadata,
  type PackageModel,
  type PackageOptions,
  packageOf,
  type Release,
} from './package-model.js';
