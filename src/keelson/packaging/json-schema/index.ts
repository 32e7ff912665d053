/** JSON Schemas of a package's kinds, for editors and kubeconform. Way in: {@link kindSchemas}. */
export { kindSchemas } from './kind-schemas.js';
