/** Custom resources: names, versions, schemas, conversions. The way in is `defineCustomResource`. */
export type {
  CustomResource,
  CustomResourceDefinition,
  CustomResourceInput,
  CustomResourceVersion,
  NamespacedMeta,
  Resource,
  ResourceInput,
  VersionTypes,
} from './custom-resource.js';
export { defineCustomResource } from './define-custom-resource.js';
export type {
  Conversions,
  ConvertedMeta,
  CustomResourceOptions,
  FieldsSchemaLike,
  KnownKeys,
  ObjectSchemaLike,
  OneStorage,
  SchemaLike,
  SpecSchemaLike,
  StorageOf,
  VersionOptions,
} from './options.js';
export { roundTripProblems, samplesOf } from './round-trip.js';
