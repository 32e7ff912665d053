import { fieldOf, goJson, isJsonObject } from '@keelson/kubernetes/apimachinery';
import { compareTyped } from './compare.js';
import type { FieldSet } from './field-set.js';
import { type ApiObject, annotationOf, metadataOf, stringField, withAnnotation, withoutAnnotation } from './object-fields.js';
import { toFieldSet } from './to-field-set.js';
import type { TypeRef } from './type-ref.js';
import { typedValue } from './typed-value.js';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The manager whose applies go on from where client-side apply of kubectl left off. */
export const KUBECTL = 'kubectl';

/** The limit of all annotations of an object together. Source: apimachinery, `api/validation/objectmeta.go`. */
const MAX_ANNOTATION_BYTES = 256 * 1024;

/** Brings the annotation up to date, where the object has one, so that a later client-side apply finds what was applied last. */
export function refreshLastApplied(object: ApiObject, config: ApiObject): ApiObject {
  if (annotationOf(object, LAST_APPLIED) === '') return object;
  const refreshed = withAnnotation(object, LAST_APPLIED, `${goJson(withoutAnnotation(config, LAST_APPLIED))}\n`);
  return annotationBytes(refreshed) > MAX_ANNOTATION_BYTES ? withoutAnnotation(object, LAST_APPLIED) : refreshed;
}

function annotationBytes(object: ApiObject): number {
  const annotations = fieldOf(metadataOf(object), 'annotations');
  if (!isJsonObject(annotations)) return 0;
  return Object.entries(annotations).reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(String(value)), 0);
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/**
 * The fields that client-side apply set and that still have the value it set: server-side apply may take them from their recorded manager.
 *
 * @returns undefined when there is nothing to go by: no annotation, or one that cannot be read at this version.
 */
export function fieldsOfLastApplied(live: ApiObject, { type, apiVersion }: { type: TypeRef; apiVersion: string }): FieldSet | undefined {
  const config = parsedObject(annotationOf(live, LAST_APPLIED));
  if (config === undefined || stringField(config, 'apiVersion') !== apiVersion) return undefined;
  try {
    const applied = typedValue(config, { type, apiVersion });
    const now = typedValue(live, { type, apiVersion });
    const { modified, added, removed } = compareTyped(type, applied.value, now.value);
    return toFieldSet(type, applied.value).difference(modified).difference(added).difference(removed);
  } catch {
    // A configuration that does not fit the type (any more) does not say which manager set which field: the conflicts stand.
    return undefined;
  }
}

function parsedObject(text: string): ApiObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as ApiObject) : undefined;
  } catch {
    return undefined;
  }
}
