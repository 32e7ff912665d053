/** The package of an operator, with the values that every operator has. Way in: {@link defineOperatorPackage}. */
export type { CertificateValues } from './certificate-values.js';
export type { CrdValues } from './crds-package.js';
export {
  defineOperatorPackage,
  type OperatorPackage,
  type OperatorPackageOptions,
  type OperatorPackageValues,
} from './define-operator-package.js';
export type { OperatorValues } from './operator-values.js';
