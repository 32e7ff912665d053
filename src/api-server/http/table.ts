import { fieldErrorText, invalid } from '@keelson/kubernetes/apimachinery';
import type { JsonObject, Served } from '../contract/index.js';
import { badRequest } from '../status/index.js';
import { jsonText } from '../values/index.js';
import type { CachedTexts } from './cached-texts.js';
import { orderedMetadata } from './partial-metadata.js';
import { plainParameter } from './query.js';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** How rows are written. */
export interface TableOptions {
  /** `v1` or `v1beta1` of `meta.k8s.io`. */
  readonly version: string;
  readonly includeObject: IncludeObject;
  readonly now: Date;
}

/** @throws StatusError 400 */
export function includeObjectOf(query: URLSearchParams): IncludeObject {
  const value = plainParameter(query, 'includeObject') ?? '';
  if (value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  const error = invalid('includeObject', value, "must be 'Metadata', 'Object', 'None', or empty");
  throw badRequest(`Unable to convert to Table as requested: ${fieldErrorText(error)}`);
}

/** The head of a Table up to its rows. */
export function tableHead(
  served: Served,
  metadata: string,
  { version, hasColumns = true }: { version: string; hasColumns?: boolean },
): string {
  const columns = hasColumns ? jsonText(served.version.table.columns.map(columnOf)) : 'null';
  return `{"kind":"Table","apiVersion":"meta.k8s.io/${version}","metadata":${metadata},"columnDefinitions":${columns},"rows":[`;
}

function columnOf({ name, type, format, description, priority }: Served['version']['table']['columns'][number]): JsonObject {
  return { name, type, format, description, priority };
}

export function tableRow(served: Served, object: JsonObject, { texts, options }: { texts: CachedTexts; options: TableOptions }): string {
  const { table } = served.version;
  const cells = jsonText(table.cells(object, options.now));
  const conditions = table.conditions?.(object) ?? [];
  const conditionsMember = conditions.length === 0 ? '' : `"conditions":${jsonText(conditions)},`;
  return `{"cells":${cells},${conditionsMember}"object":${rowObject(object, texts, options)}}`;
}

function rowObject(object: JsonObject, texts: CachedTexts, { includeObject, version }: TableOptions): string {
  if (includeObject === 'Object') return texts.of(object);
  // The mark at the end of the initial events is in the object: it is sent even if no objects are wanted.
  if (includeObject === 'None' && !endsInitialEvents(object)) return 'null';
  return partialText(object, version);
}

function endsInitialEvents({ metadata }: JsonObject): boolean {
  const annotations = (metadata as JsonObject | undefined)?.['annotations'] as JsonObject | undefined;
  return annotations?.['k8s.io/initial-events-end'] === 'true';
}

/** PartialObjectMetadata of an object. */
export function partialText(object: JsonObject, version: string): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":${jsonText(orderedMetadata(object))}}`;
}
