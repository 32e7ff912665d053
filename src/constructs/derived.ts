/**
 * The parts of src/definition that constructs call. They are taken from their own modules, not from the folder's door: the door loads zod and the
 * schema compiler, which a synth that has its definitions already does not need again.
 */

export {
  type ConversionWebhookTarget,
  crdSizeWarning,
  customResourceDefinitionManifest,
  manifestBytes,
} from '../definition/crd-manifest.js';
export type {
  AdmissionWebhookModel,
  CustomResourceModel,
  LabelSelectorModel,
  MatchCondition,
  OperatorModel,
  ValidatingPolicyModel,
} from '../definition/model.js';
export type { CertificatePermissions, Permissions, PermissionsOptions } from '../definition/permissions/grant.js';
export { mergeRules } from '../definition/permissions/merge-rules.js';
export { permissionsOf } from '../definition/permissions/permissions-of.js';
export {
  type LogLevel,
  RUNTIME_CONTRACT,
  RUNTIME_DEFAULTS,
  type RuntimeSettings,
  runtimeEnvironment,
} from '../definition/runtime-settings.js';
