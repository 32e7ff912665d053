/** An object of the API: its metadata and its kind; and the base class of keelson's errors. Every other folder may use it. */
export { OperatorError } from './errors.js';
export {
  apiVersionOf,
  goKindText,
  groupVersionOf,
  groupVersionPath,
  groupVersionProblem,
  type Kind,
  type KindInfo,
  type Manifest,
  nameInGroup,
  type Scope,
} from './kind.js';
export {
  BOOKKEEPING_FIELDS,
  type Condition,
  type KubernetesObject,
  type ManagedFieldsEntry,
  METADATA_FIELDS,
  type MetadataField,
  type NamedMeta,
  type ObjectKey,
  type ObjectMeta,
  type OwnerReference,
  SERVER_FIELDS,
} from './object.js';
