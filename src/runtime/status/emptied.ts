import { equalJson, isRecord, type StructuralSchema } from '@keelson/kubernetes/apimachinery';

type Fields = Readonly<Record<string, unknown>>;

/** A list or map of a status that becomes empty, or a list in whose elements some do. */
export interface Emptied {
  /** Names of fields, from the status down. */
  readonly path: readonly string[];
  /** The part of a merge patch that empties it. */
  readonly patch: unknown;
}

/** The lists and maps that are empty in the desired status and not in the live one. Those within elements stand under the list of these, whole. */
export function emptiedIn(
  live: unknown,
  desired: unknown,
  schema: StructuralSchema | undefined,
  path: readonly string[] = [],
): readonly Emptied[] {
  if (!isRecord(live) || !isRecord(desired)) return [];
  if (Object.keys(desired).length === 0) {
    const keys = Object.keys(live);
    return keys.length === 0 ? [] : [{ path, patch: Object.fromEntries(keys.map((key) => [key, null])) }];
  }
  return Object.entries(desired).flatMap(([name, wanted]): readonly Emptied[] => {
    const held = live[name];
    const at = [...path, name];
    if (!Array.isArray(wanted) || !Array.isArray(held)) return emptiedIn(held, wanted, fieldOf(schema, name), at);
    if (wanted.length === 0) return held.length === 0 ? [] : [{ path: at, patch: [] }];
    const list = withEmptied(held, wanted, fieldOf(schema, name));
    return list === held ? [] : [{ path: at, patch: list }];
  });
}

/** The live value with what is empty in the desired one emptied, and nothing else changed; the same value if nothing is. */
function withEmptied(live: unknown, desired: unknown, schema: StructuralSchema | undefined): unknown {
  if (Array.isArray(live) && Array.isArray(desired)) {
    if (desired.length === 0) return live.length === 0 ? live : [];
    const items = live.map((item: unknown) => withEmptied(item, counterpart(item, desired, schema), schema?.items));
    return items.every((item, index) => item === live[index]) ? live : items;
  }
  if (!isRecord(live) || !isRecord(desired)) return live;
  if (Object.keys(desired).length === 0) return Object.keys(live).length === 0 ? live : {};
  const fields = Object.entries(live).map(([name, held]) => [name, withEmptied(held, desired[name], fieldOf(schema, name))] as const);
  return fields.every(([name, value]) => value === live[name]) ? live : Object.fromEntries(fields);
}

/** Whether a status has the lists and maps that are empty in the desired one. */
export function hasEmpties(status: unknown, desired: unknown, schema: StructuralSchema | undefined): boolean {
  if (Array.isArray(desired)) {
    if (desired.length === 0) return Array.isArray(status);
    const list: readonly unknown[] = Array.isArray(status) ? status : [];
    return desired.every((item: unknown) => {
      const stored = counterpart(item, list, schema);
      return stored === undefined || hasEmpties(stored, item, schema?.items);
    });
  }
  if (!isRecord(desired)) return true;
  if (!isRecord(status)) return false;
  return Object.entries(desired).every(([name, wanted]) => hasEmpties(status[name], wanted, fieldOf(schema, name)));
}

/** The element of a list that the API server takes for the same. Lists of another type than `map` are replaced as a whole, so nothing within them is lost. */
function counterpart(item: unknown, list: readonly unknown[], schema: StructuralSchema | undefined): unknown {
  const keys = schema?.['x-kubernetes-list-type'] === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
  if (keys.length === 0 || !isRecord(item)) return undefined;
  return list.find((other) => isRecord(other) && keys.every((key) => equalJson(other[key], item[key])));
}

function fieldOf(schema: StructuralSchema | undefined, name: string): StructuralSchema | undefined {
  const additional = schema?.additionalProperties;
  return schema?.properties?.[name] ?? (typeof additional === 'object' ? additional : undefined);
}

/** One status of several parts, for a merge patch. */
export function patchOf(parts: readonly Emptied[]): Fields {
  const whole: Record<string, unknown> = {};
  for (const { path, patch } of parts) {
    const last = path.at(-1);
    // The status itself becomes empty: there is no other part.
    if (last === undefined) return patch as Fields;
    let at = whole;
    for (const name of path.slice(0, -1)) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    at[last] = patch;
  }
  return whole;
}

/** Whether the API server has refused a part, or something in an element of it: `status.ships`, `status.ships[0].crew`. */
export function isRefused({ path }: Emptied, fields: readonly (string | undefined)[]): boolean {
  const name = ['status', ...path].join('.');
  return fields.some((field) => field === name || field?.startsWith(`${name}[`) === true);
}
