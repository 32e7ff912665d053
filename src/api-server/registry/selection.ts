import {
  type FieldRequirements,
  type LabelRequirements,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
} from '@keelson/kubernetes/apimachinery';
import type { JsonObject, ListOptions, Served, Target } from '../contract/index.js';
import { badRequest, notImplemented } from '../status/index.js';
import type { Predicate, Selection } from '../store/index.js';
import { metadataOf } from './metadata.js';

/** The objects of a list, watch or deletion of a collection. */
export interface Selected extends Selection {
  readonly matches?: Predicate | undefined;
}

/** @throws StatusError 400 for a selector that cannot be read or names a field that the kind does not select by */
export function selectionOf(target: Target, options: Pick<ListOptions, 'fieldSelector' | 'labelSelector'>): Selected {
  const { resource } = target.served;
  const labels = labelRequirements(options.labelSelector ?? '');
  const fields = namedFields(target, fieldRequirements(target.served, options.fieldSelector ?? ''));
  const namespace = target.namespace || (resource.scope === 'Namespaced' ? exactValue(fields, 'metadata.namespace') : undefined);
  const name = exactValue(fields, 'metadata.name');
  return {
    resource: resource.storageKey,
    ...(resource.scope === 'Cluster' || namespace === undefined || namespace === '' ? {} : { namespace }),
    ...(name === undefined ? {} : { name, ...(resource.scope === 'Cluster' ? { namespace: '' } : {}) }),
    matches: predicateOf(target.served, labels, fields),
  };
}

function labelRequirements(text: string): LabelRequirements {
  const parsed = parseLabelSelector(text);
  if ('problem' in parsed) throw badRequest(parsed.problem);
  return parsed.requirements;
}

const META_FIELDS = ['metadata.name', 'metadata.namespace'];

function fieldRequirements({ version: { fieldLabels } }: Served, text: string): FieldRequirements {
  const parsed = parseFieldSelector(text);
  if ('problem' in parsed) throw badRequest(parsed.problem);
  const unknown = parsed.requirements.find(({ field }) => !META_FIELDS.includes(field) && !fieldLabels.fields.has(field));
  if (unknown !== undefined) throw badRequest(fieldLabels.unsupported(unknown.field));
  return parsed.requirements;
}

/** A request for one object by its path is one for the field. */
function namedFields({ name }: Target, fields: FieldRequirements): FieldRequirements {
  if (name === '') return fields;
  if (fields.length === 0) return [{ field: 'metadata.name', operator: '=', value: name }];
  if (exactValue(fields, 'metadata.name') !== name) throw badRequest("fieldSelector metadata.name doesn't match requested name");
  return fields;
}

function exactValue(fields: FieldRequirements, field: string): string | undefined {
  return fields.find((requirement) => requirement.field === field && requirement.operator === '=')?.value;
}

function predicateOf(served: Served, labels: LabelRequirements, fields: FieldRequirements): Predicate | undefined {
  if (labels.length === 0 && fields.length === 0) return undefined;
  const atVersion = fields.every(({ field }) => META_FIELDS.includes(field)) ? undefined : versionReader(served);
  return (object) => {
    const { name = '', namespace = '', labels: own } = metadataOf(object);
    if (!matchesLabels(labels, own)) return false;
    if (fields.length === 0) return true;
    const view = atVersion?.(object) ?? object;
    return matchesFields(fields, (field) => {
      if (field === 'metadata.name') return name;
      return field === 'metadata.namespace' ? namespace : (served.version.fieldLabels.fields.get(field)?.(view) ?? '');
    });
  };
}

/** Fields are those of the request's version. */
function versionReader({ resource, version }: Served): (object: JsonObject) => JsonObject {
  if (version.version === resource.storageVersion) return (object) => object;
  // The store asks for an answer at once, of writers too whose object a watch may be about: a webhook cannot be waited for.
  if (resource.convertsByWebhook === true) throw notImplemented('a field selector on a version that a webhook converts to');
  const views = new WeakMap<JsonObject, JsonObject>();
  return (object) => {
    const known = views.get(object);
    if (known !== undefined) return known;
    const [view = object] = resource.convert([object], version.version) as readonly JsonObject[];
    views.set(object, view);
    return view;
  };
}
