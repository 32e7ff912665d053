/**
 * The contract between the parts of the in-process API server: how a resource describes itself ({@link Resource}, {@link Strategy}), what a request
 * carries ({@link RequestContext}), who may be asked ({@link ClusterView}, {@link Admission}). Types, and the list of what is served.
 */
export type { Admission, AdmissionRequest } from './admission.js';
export type {
  Api,
  ApiEvent,
  ApiWatch,
  Deleted,
  DeleteOptions,
  ListOptions,
  ObjectList,
  PatchFormat,
  PatchRequest,
  Preconditions,
  RequestBody,
  Target,
  WatchOptions,
  WrittenObject,
} from './api.js';
export { ResourceCatalog, type Served, servedGroupVersion } from './catalog.js';
export type { ClusterView, ObjectName } from './cluster-view.js';
export { type Draft, draftOf, isObject, type JsonObject, type MutableJson } from './draft.js';
export { SERVER_FEATURES, type ServerFeature } from './features.js';
export { PendingConversion, withConversions } from './pending-conversion.js';
export type { FieldValidationMode, RequestContext, RequestUser } from './request-context.js';
export type {
  Channel,
  FieldLabels,
  MadeObjects,
  Resource,
  ScalePaths,
  ServedVersion,
  Spoken,
  StreamConnection,
  StreamOfConnection,
  Subresource,
  SubresourceAnswer,
  SubresourceConnection,
  SubresourceRequest,
  SubresourceStream,
  Verb,
} from './resource.js';
export type { Decoded, DeleteRequest, StatusStrategy, Strategy } from './strategy.js';
export type { TableColumn, TableConvertor } from './table.js';
