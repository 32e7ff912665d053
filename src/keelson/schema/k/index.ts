/** `k.*`: schemas that Kubernetes has and zod has not, built on zod with marks that the converter reads. */
export { atomic, type ListMapKey, listMap, maxProperties, minProperties, set } from './collections.js';
export {
  type BuiltinOptions,
  type BuiltinValue,
  builtin,
  conditions,
  type EmbeddedObject,
  embedded,
  intOrString,
  json,
  type LabelSelector,
  labelSelector,
  type OpenEnums,
  preserveUnknown,
  quantity,
  structural,
} from './kubernetes-types.js';
export { double, float, int32, int64, port } from './numbers.js';
export { atLeastOneOf, atMostOneOf, immutable, oneOf, type RuleOptions, rule } from './rules.js';
export {
  bytes,
  cidr,
  date,
  duration,
  email,
  format,
  hostname,
  ipv4,
  ipv6,
  labelKey,
  labelValue,
  mac,
  microTime,
  name,
  subdomain,
  timestamp,
  uri,
  uuid,
} from './strings.js';
