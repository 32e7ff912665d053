import {
  equalJson,
  type FieldError,
  fieldErrorText,
  type Json,
  validateAnnotations,
  validateLabels,
} from '@keelson/kubernetes/apimachinery';
import { isObject, type JsonObject } from '../../../contract/index.js';

/** The object that a webhook has made, or why it is refused. */
export type Checked =
  | { readonly object: JsonObject }
  | { readonly problem: { readonly about: 'metadata' | 'object' | 'type'; readonly text: string } };

/**
 * Holds an object that a webhook has converted to what a webhook may do: of the metadata only labels and annotations are taken from it.
 *
 * Source: apiextensions-apiserver, `pkg/apiserver/conversion/webhook_converter.go`.
 */
export function checkConverted(original: JsonObject, converted: Json, apiVersion: string): Checked {
  const refused = (about: 'metadata' | 'object' | 'type', text: string): Checked => ({ problem: { about, text } });
  if (!isObject(converted)) return refused('object', 'cannot convert a value that is not an object');
  const { apiVersion: given, kind } = converted as JsonObject;
  if (given !== apiVersion) return refused('type', `invalid groupVersion (expected ${apiVersion}, received ${textOf(given)})`);
  if (kind !== original['kind']) return refused('type', `invalid kind (expected ${textOf(original['kind'])}, received ${textOf(kind)})`);
  const [before, after] = [metadataOf(original), metadataOf(converted)];
  for (const [field, name] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [expected, found] = [textOf(before[field]), textOf(after[field])];
    if (expected !== found) return refused('object', `must have the same ${name}: ${expected} != ${found}`);
  }
  const metadata = restoredMetadata(original, converted);
  return typeof metadata === 'string' ? refused('metadata', metadata) : { object: { ...converted, metadata } };
}

function restoredMetadata(original: JsonObject, converted: JsonObject): JsonObject | string {
  if (converted['metadata'] === undefined) return 'missing metadata in converted object';
  if (!isObject(converted['metadata'])) return `invalid metadata of type ${goType(converted['metadata'])} in converted object`;
  const { labels: oldLabels, annotations: oldAnnotations, ...metadata } = metadataOf(original);
  const labels = restoredMap('labels', oldLabels, converted['metadata']['labels']);
  if (typeof labels === 'string') return labels;
  const annotations = restoredMap('annotations', oldAnnotations, converted['metadata']['annotations']);
  if (typeof annotations === 'string') return annotations;
  return { ...metadata, ...(labels && { labels }), ...(annotations && { annotations }) };
}

type Texts = Readonly<Record<string, string>>;

/** Undefined: absent, or empty, which Go does not write; a text says why they are refused. */
function restoredMap(field: 'annotations' | 'labels', old: Json | undefined, found: Json | undefined): Texts | string | undefined {
  if (found === undefined || found === null) return undefined;
  if (!isObject(found)) return `invalid metadata.${field} of type ${goType(found)} in converted object`;
  for (const [key, value] of Object.entries(found)) {
    if (typeof value !== 'string') return `metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`;
  }
  const texts = found as Texts;
  if (Object.keys(texts).length === 0) return undefined;
  if (equalJson(texts, old ?? {})) return texts;
  const errors = field === 'labels' ? validateLabels(texts, 'metadata.labels') : validateAnnotations(texts, 'metadata.annotation');
  return errors.length === 0 ? texts : aggregated(errors);
}

function aggregated(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(fieldErrorText))];
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isObject(metadata) ? metadata : {};
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
