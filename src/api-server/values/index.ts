/** Values on their way in and out: JSON, YAML and protobuf, Go's types, structured merge (server-side apply) and strategic merge. */
export {
  type ApplyRefused,
  applyPatch,
  builtinTypes,
  customResourceType,
  decodeManagedFields,
  type Endpoint,
  fieldPath,
  mergeConfiguration,
  type OpenApiSchema,
  revertTimes,
  type TypeRef,
  toParentEntries,
  toScaleEntries,
  trackUpdate,
} from './apply/index.js';
export {
  BodyProblem,
  jsonText,
  type ParsedBody,
  parseJson,
  parseYaml,
  prettyJsonText,
  type YamlDocument,
  yamlDocuments,
  yamlText,
} from './codec/index.js';
export {
  GoDecodeError,
  type GoField,
  type GoStruct,
  type GoType,
  GoTypes,
  parseTime,
  readTypeMeta,
} from './go-types/index.js';
export { applyStrategicMergePatch, PatchType } from './strategic-merge/index.js';
