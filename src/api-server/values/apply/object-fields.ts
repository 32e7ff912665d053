import { fieldOf, goKindText, isJsonObject, type Json, type JsonObject, type ManagedFieldsEntry } from '@keelson/kubernetes/apimachinery';
import { isEmptyMap, isList } from './json-value.js';

/** An object of the API as JSON. It is never changed: what comes out shares what stayed the same. */
export type ApiObject = JsonObject;

export function stringField(object: Json | undefined, name: string): string {
  const value = isJsonObject(object) ? fieldOf(object, name) : undefined;
  return typeof value === 'string' ? value : '';
}

export function metadataOf(object: ApiObject): JsonObject {
  const metadata = fieldOf(object, 'metadata');
  return isJsonObject(metadata) ? metadata : {};
}

/** `apps/v1, Kind=Deployment`; of the core group `/v1, Kind=Pod`. */
export function kindText(object: ApiObject): string {
  return goKindText(stringField(object, 'apiVersion'), stringField(object, 'kind'));
}

/** The object in messages: `default/a; apps/v1, Kind=Deployment`. */
export function objectText(object: ApiObject): string {
  const metadata = metadataOf(object);
  return `${stringField(metadata, 'namespace')}/${stringField(metadata, 'name')}; ${kindText(object)}`;
}

/** Undefined: the object has no such field, or null. */
export function managedFieldsOf(object: ApiObject): readonly ManagedFieldsEntry[] | undefined {
  const entries = fieldOf(metadataOf(object), 'managedFields');
  return isList(entries) ? (entries as readonly ManagedFieldsEntry[]) : undefined;
}

/** The object with other entries; with none, it has no such field. */
export function withManagedFields(object: ApiObject, entries: readonly ManagedFieldsEntry[]): ApiObject {
  const { managedFields: _, ...rest } = metadataOf(object);
  if (entries.length === 0) {
    if (!isJsonObject(fieldOf(object, 'metadata'))) return object;
    return { ...object, metadata: rest };
  }
  return { ...object, metadata: { ...rest, managedFields: entries as unknown as Json } };
}

export function annotationOf(object: ApiObject, name: string): string {
  return stringField(fieldOf(metadataOf(object), 'annotations'), name);
}

export function withAnnotation(object: ApiObject, name: string, value: string): ApiObject {
  const metadata = metadataOf(object);
  const annotations = fieldOf(metadata, 'annotations');
  return { ...object, metadata: { ...metadata, annotations: { ...(isJsonObject(annotations) ? annotations : {}), [name]: value } } };
}

export function withoutAnnotation(object: ApiObject, name: string): ApiObject {
  const metadata = metadataOf(object);
  const annotations = fieldOf(metadata, 'annotations');
  if (!isJsonObject(annotations) || (!Object.hasOwn(annotations, name) && !isEmptyMap(annotations))) return object;
  const { [name]: _, ...rest } = annotations;
  return { ...object, metadata: { ...metadata, annotations: rest } };
}
