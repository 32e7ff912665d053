import { canonicalJson, isJsonObject, type Json, type JsonObject, type StructuralSchema } from '@keelson/kubernetes/apimachinery';

/** A value that did not come back as it was. */
export interface Loss {
  /** `spec.hosts[].port`. */
  readonly path: string;
  readonly was: Json;
  /** `undefined`: it is gone. */
  readonly is: Json | undefined;
}

/**
 * Values of an object that are gone or differ after a round trip. Additional values are not a loss, and nothing, `null`, `{}` and `[]` are the same, as in the round
 * trips of Kubernetes' own types (`apiequality.Semantic`).
 */
export function lossBetween(before: JsonObject, after: JsonObject, schema: StructuralSchema): Loss[] {
  const parts = Object.entries(before).filter(([name]) => name !== 'apiVersion' && name !== 'kind' && name !== 'metadata');
  return [
    ...parts.flatMap(([name, value]) => losses(value, after[name], schema.properties?.[name], name)),
    ...['labels', 'annotations'].flatMap((name) => losses(meta(before, name), meta(after, name), undefined, `metadata.${name}`)),
  ];
}

function meta({ metadata }: JsonObject, name: string): Json {
  return (isJsonObject(metadata) ? metadata[name] : undefined) ?? {};
}

function losses(was: Json, is: Json | undefined, schema: StructuralSchema | undefined, path: string): Loss[] {
  if (isEmpty(was) && isEmpty(is)) return [];
  if (Array.isArray(was)) return Array.isArray(is) ? listLosses(was, is, schema, path) : [{ path, was, is }];
  if (!isJsonObject(was)) return was === is ? [] : [{ path, was, is }];
  if (!isJsonObject(is) && !isEmpty(is)) return [{ path, was, is }];
  const now = isJsonObject(is) ? is : {};
  return Object.entries(was).flatMap(([name, value]) => losses(value, now[name], schemaOf(schema, name), `${path}.${name}`));
}

function listLosses(was: readonly Json[], is: readonly Json[], schema: StructuralSchema | undefined, path: string): Loss[] {
  const items = schema?.items;
  const at = `${path}[]`;
  if (schema?.['x-kubernetes-list-type'] === 'set') {
    const now = new Set(is.map(canonicalJson));
    return was.filter((value) => !now.has(canonicalJson(value))).map((value) => ({ path: at, was: value, is: undefined }));
  }
  const keys = schema?.['x-kubernetes-list-type'] === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : undefined;
  const idOf = (value: Json): string => canonicalJson((keys ?? []).map((key) => (isJsonObject(value) ? (value[key] ?? null) : null)));
  return was.flatMap((value, index) => {
    const now = keys === undefined ? is[index] : is.find((other) => idOf(other) === idOf(value));
    return now === undefined && !isEmpty(value) ? [{ path: at, was: value, is: now }] : losses(value, now, items, at);
  });
}

function schemaOf(schema: StructuralSchema | undefined, name: string): StructuralSchema | undefined {
  if (schema === undefined) return undefined;
  if (Object.hasOwn(schema.properties ?? {}, name)) return schema.properties?.[name];
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every(isEmpty);
}

/** Whether a path as {@link Loss} has it leads to a field of a schema. */
export function isFieldPath(path: string, schema: StructuralSchema): boolean {
  let at: StructuralSchema | undefined = schema;
  for (const step of path.split('.')) {
    const [, name = '', lists = ''] = /^(.*?)((?:\[\])*)$/.exec(step) ?? [];
    if (at?.['x-kubernetes-preserve-unknown-fields'] === true) return true;
    at = schemaOf(at, name);
    for (let depth = 0; depth < lists.length / 2; depth += 1) at = at?.items;
    if (at === undefined) return false;
  }
  return true;
}
