import { type Json, mapFields, type StructuralSchema } from '../apimachinery/index.js';

export interface PruneOptions {
  /** The value is a whole custom resource: its apiVersion, kind and metadata stay. */
  readonly isResourceRoot?: boolean;
  /** Called with the path of each field that is dropped: what `fieldValidation=Strict` and `Warn` report. */
  readonly onUnknownField?: (path: string) => void;
}

const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

interface Walk {
  readonly path: string;
  readonly report: ((path: string) => void) | undefined;
}

/**
 * Drops the fields that the schema does not declare, as the API server does on every read and write.
 *
 * Pure: unchanged parts are the same objects as before. Source: apiextensions-apiserver, `pkg/apiserver/schema/pruning/algorithm.go`.
 */
export function prune(schema: StructuralSchema, value: Json, { isResourceRoot = false, onUnknownField }: PruneOptions = {}): Json {
  const root: StructuralSchema = isResourceRoot ? { ...schema, 'x-kubernetes-embedded-resource': true } : schema;
  return pruned(root, value, { path: '', report: onUnknownField });
}

function pruned(schema: StructuralSchema | undefined, value: Json, walk: Walk): Json {
  if (Array.isArray(value)) return schema === undefined ? emptied(value, walk) : pruneItems(schema, value, walk);
  if (typeof value !== 'object' || value === null) return value;
  const keeps = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  return mapFields(value as { readonly [key: string]: Json }, (key, item) => {
    if (schema?.['x-kubernetes-embedded-resource'] === true && META_FIELDS.has(key)) return item;
    const below = fieldSchema(schema, key);
    if (below !== undefined) return pruned(below === true ? undefined : below, item, step(walk, key));
    if (keeps) return item;
    // The root's own apiVersion, kind and metadata are never reported.
    if (walk.path !== '' || !META_FIELDS.has(key)) walk.report?.(step(walk, key).path);
    return undefined;
  });
}

function pruneItems(schema: StructuralSchema | undefined, items: readonly Json[], walk: Walk): readonly Json[] {
  const keeps = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  const changed = items.map((item, index) => {
    const at = walk.report === undefined ? BELOW : { ...walk, path: `${walk.path}[${index}]` };
    return keeps ? prunedBelowPreserved(schema?.items, item, at) : pruned(schema?.items, item, at);
  });
  return changed.every((item, index) => item === items[index]) ? items : changed;
}

/**
 * Lists below `additionalProperties: true`: every object in them loses all its fields, the lists stay.
 *
 * The only walk that follows the value and not the schema: it keeps its own stack, since a value may be nested as deep as a request is long.
 */
function emptied(items: readonly Json[], { path, report }: Walk): readonly Json[] {
  let changed = false;
  const root: Json[] = [];
  const open = [{ items, copy: root, path }];
  for (let list = open.pop(); list !== undefined; list = open.pop()) {
    for (const [index, item] of list.items.entries()) {
      const at = `${list.path}[${index}]`;
      if (Array.isArray(item)) {
        const copy: Json[] = [];
        open.push({ items: item as readonly Json[], copy, path: report === undefined ? '' : at });
        list.copy.push(copy);
        continue;
      }
      const keys = typeof item === 'object' && item !== null ? Object.keys(item) : [];
      for (const key of keys) report?.(`${at}.${key}`);
      list.copy.push(keys.length === 0 ? item : {});
      if (keys.length > 0) changed = true;
    }
  }
  return changed ? root : items;
}

/** Items of a list that preserves unknown fields: only what their schema declares is pruned. */
function prunedBelowPreserved(schema: StructuralSchema | undefined, value: Json, walk: Walk): Json {
  if (schema === undefined) return value;
  return pruned({ ...schema, 'x-kubernetes-preserve-unknown-fields': true }, value, walk);
}

/** `true`: declared, but without a schema of its own (`additionalProperties: true`): everything below is unknown. */
function fieldSchema(schema: StructuralSchema | undefined, key: string): StructuralSchema | true | undefined {
  const { properties, additionalProperties } = schema ?? {};
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  if (additionalProperties === undefined) return undefined;
  return typeof additionalProperties === 'object' ? additionalProperties : true;
}

/** Below the root, where paths are not reported. */
const BELOW: Walk = { path: 'below', report: undefined };

function step({ path, report }: Walk, key: string): Walk {
  if (report === undefined) return BELOW;
  return { path: path === '' ? key : `${path}.${key}`, report };
}
