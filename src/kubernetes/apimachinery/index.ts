/**
 * The ground: conventions of the Kubernetes API as pure functions. Names, quantities, durations, JSON values and equality, IP addresses, selectors,
 * field errors, patches. Nothing of keelson lies below it.
 */

export {
  apiVersionOf,
  BOOKKEEPING_FIELDS,
  type Condition,
  goKindText,
  groupVersionOf,
  groupVersionPath,
  groupVersionProblem,
  type Kind,
  type KindInfo,
  type KubernetesObject,
  type ManagedFieldsEntry,
  type Manifest,
  METADATA_FIELDS,
  type MetadataField,
  type NamedMeta,
  nameInGroup,
  type ObjectKey,
  type ObjectMeta,
  OperatorError,
  type OwnerReference,
  type Scope,
  SERVER_FIELDS,
} from '../object/index.js';
export { type ApiLifecycle, apiLifecycleOf } from './api-lifecycle.js';
export { canonicalJson } from './canonical-json.js';
export { deepFreeze } from './deep-freeze.js';
export { type DeepReadonly, type Draft, draftOf } from './draft.js';
export { type Duration, millisecondsOf, type Span, spanMs } from './duration.js';
export {
  duplicate,
  type FieldError,
  type FieldErrorReason,
  fieldErrorText,
  forbidden,
  internal,
  invalid,
  notSupported,
  OMITTED,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from './field-error.js';
export {
  type FieldRequirement,
  type FieldRequirements,
  fieldSelectorText,
  matchesFields,
  parseFieldSelector,
} from './field-selector.js';
export { type Base64Alphabet, goBase64Problem } from './go-base64.js';
export { goDurationOf, goDurationText, goTimeQuote, parseGoDuration } from './go-duration.js';
export { compareUtf8, goFloat, goJson, goNumber, goQuote, goType, goValue } from './go-format.js';
export { parseGoInt, parseGoUint } from './go-integer.js';
export { humanDuration } from './human-duration.js';
export { ipBytes, ipText, isCidrText, isIPText, isIPv4Mapped } from './ip-address.js';
export type { IsUnknown } from './is-unknown.js';
export { JoinedBytes } from './joined-bytes.js';
export { equalJson, fieldOf, isJsonObject, isRecord, type JsonObject, mapFields } from './json.js';
export {
  type LabelRequirement,
  type LabelRequirements,
  type LabelSelectorFields,
  labelRequirementsOf,
  labelSelectorProblem,
  labelSelectorText,
  matchesLabels,
  type ParsedSelector,
  parseLabelSelector,
  selectsLabels,
} from './label-selector.js';
export { beModuleReader, isModuleReader } from './module-reader.js';
export {
  DNS_1035_LABEL,
  DNS_1123_LABEL,
  DNS_1123_SUBDOMAIN,
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  LABEL_KEY,
  LABEL_VALUE,
  labelValueProblems,
  maskTrailingDash,
  type NameRule,
  obeys,
  pathSegmentProblems,
  qualifiedNameProblems,
} from './names.js';
export { type MetadataRules, type NameStyle, validateAnnotations, validateLabels, validateObjectMeta } from './object-metadata.js';
export {
  applyJsonPatch,
  applyMergePatch,
  badPatch,
  checkNesting,
  createJsonPatch,
  createMergePatch,
  doesNotApply,
  type FieldValidation,
  type JsonPatchOperation,
  type JsonPatchOptions,
  type MergePatchOptions,
  PatchNotPossible,
  type PatchRefusal,
  PatchRefused,
  serverPanic,
  unknownJsonPatchFields,
} from './patch/index.js';
export { pluralize } from './pluralize.js';
export type { PolicyRule } from './policy-rule.js';
export { printable } from './printable.js';
export { isProcessDoorOpen, openProcessDoor } from './process-door.js';
export { isQuantity, QUANTITY_PATTERN } from './quantity.js';
export { compareQuantityTexts } from './quantity-order.js';
export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  type Quantity,
  type QuantityFormat,
  quantityAmount,
  quantityText,
  roundUpQuantity,
  subtractQuantities,
} from './quantity-value.js';
export { compareResourceVersions } from './resource-version.js';
export { shellWord } from './shell-word.js';
export { didYouMean, similarWord } from './similar-word.js';
export { hasFormat, isKnownFormat, KNOWN_FORMATS, parseFormattedDuration } from './string-formats.js';
export type { Json, StructuralSchema, ValidationRule, ValueValidation } from './structural-schema.js';
export { errorOf, isError, messageOf, stackOf } from './thrown.js';
export { isRequestUri } from './uri.js';
export { compareVersions } from './version-priority.js';
export { type WebhookUrl, webhookUrlOf } from './webhook-url.js';
