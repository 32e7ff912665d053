import {
  type KindInfo,
  type LabelRequirements,
  labelRequirementsOf,
  labelSelectorText,
  matchesLabels,
} from '@keelson/kubernetes/apimachinery';
import type { LabelSelectorModel, SelectModel } from 'keelson/internal/definition';
import { CacheRequestError } from './errors.js';
import type { CacheRequest, StoredObject } from './informer.js';

/** The selection of a request, in a form that can be compared and evaluated. */
export interface ObjectSelection {
  readonly labelSelector: string | undefined;
  readonly fieldSelector: Readonly<Record<string, string>> | undefined;
  readonly matches: (object: StoredObject) => boolean;
}

export function selectionOf({ kind, select = {} }: CacheRequest): ObjectSelection {
  const requirements = requirementsOf(kind, select);
  const fields = Object.entries(select.fields ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    labelSelector: requirements.length === 0 ? undefined : labelSelectorText(requirements),
    fieldSelector: fields.length === 0 ? undefined : Object.fromEntries(fields),
    matches: (object) =>
      matchesLabels(requirements, object.metadata.labels) && fields.every(([path, value]) => fieldText(object, path) === value),
  };
}

/** Whether an object belongs to a request: as the API server and the cache judge it. */
export function matcherOf(request: CacheRequest): (object: StoredObject) => boolean {
  return selectionOf(request).matches;
}

const EVERYTHING: LabelRequirements = [];

/** @throws CacheRequestError for a selector that the server would refuse */
export function requirementsOf(
  { kind }: KindInfo,
  { labels, labelSelector }: { readonly labels?: SelectModel['labels']; readonly labelSelector?: LabelSelectorModel | undefined },
): LabelRequirements {
  if (labels === undefined && labelSelector === undefined) return EVERYTHING;
  return [labels === undefined ? undefined : { matchLabels: labels }, labelSelector].flatMap((fields) => {
    if (fields === undefined) return [];
    const parsed = labelRequirementsOf(fields);
    if ('problem' in parsed) throw new CacheRequestError(`${kind}: label selector ${JSON.stringify(fields)}: ${parsed.problem}`);
    return parsed.requirements;
  });
}

/** The value for field selectors: the text at the path, `''` for an absent one. */
function fieldText(object: StoredObject, path: string): string {
  let value: unknown = object;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return '';
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/**
 * The namespaces to be watched one by one; `[undefined]`: all at once.
 *
 * @throws CacheRequestError when the request selects none of those that the operator serves
 */
export function namespacesOf({ kind, select }: CacheRequest, served: readonly string[] | undefined): readonly (string | undefined)[] {
  if (kind.scope === 'Cluster') return [undefined];
  const wanted = select?.namespaces;
  if (wanted === undefined) return served ?? [undefined];
  const both = [...new Set(wanted)].filter((namespace) => served === undefined || served.includes(namespace)).sort();
  if (both.length > 0) return both;
  const found =
    served === undefined ? 'none are selected' : `${wanted.join(', ')} are selected, and the operator serves ${served.join(', ')}`;
  throw new CacheRequestError(`${kind.kind}: no namespace to watch: ${found}`);
}

/** Equal for requests that one informer can serve. */
export function requestText(request: CacheRequest, namespaces: readonly (string | undefined)[]): string {
  const { kind, metadataOnly = false } = request;
  const { labelSelector, fieldSelector } = selectionOf(request);
  return JSON.stringify([kind.group, kind.version, kind.plural, metadataOnly, labelSelector, fieldSelector, namespaces]);
}
