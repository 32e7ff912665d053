/** Values of CEL while an expression runs: equality, order, operators, and values of structural schemas. */
export { equal } from './equality.js';
export { CelEvaluationError } from './evaluation-error.js';
export { hasField, selectField, selectOptional } from './field-access.js';
export { goTypeName } from './go-type-name.js';
export { fieldOfMessage, hasFieldOfMessage, misnamedMessages, newMessage } from './message-value.js';
export { formatDouble } from './number-text.js';
export { checkedInt, checkedTimestamp, checkedUint, compare, type Implementation, keyLabel, OPERATORS } from './operators.js';
export { addQuantities, compareQuantities, parseQuantity, type Quantity, quantityOfInt } from './quantity.js';
export { untypedValue, valueBySchema } from './schema-value.js';
export { compareSemver, parseSemver, type Semver } from './semver.js';
export { formatDuration, formatTimestamp, parseTimestamp } from './time-text.js';
export {
  type CelDuration,
  type CelList,
  type CelMap,
  type CelMessage,
  type CelOpaque,
  type CelOptional,
  type CelTimestamp,
  type CelTypeValue,
  type CelUint,
  type CelValue,
  celError,
  durationOf,
  elementsOf,
  isError,
  keyText,
  kindOf,
  listValue,
  mapValue,
  opaqueValue,
  optional,
  typeNameOf,
  uintOf,
  type ValueKind,
} from './value.js';
