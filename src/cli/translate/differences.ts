import { canonicalJson, isRecord } from '../../kubernetes/index.js';
import type { JsonObject } from '../import/index.js';

/**
 * A difference between a schema as it was found and as the definition says it:
 *
 * - `bounds`: the definition bounds a whole number as its Go type does; the format, which the API server does not check, says so too
 * - `description`: a text is left out
 * - `required`: a field with a default counts as required, or not: the API server fills it in before it looks
 * - `other`: anything else
 */
export interface Difference {
  readonly path: string;
  readonly is: 'bounds' | 'description' | 'required' | 'other';
}

const NODES: ReadonlySet<string> = new Set(['items', 'not', 'additionalProperties']);
const LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const INT32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } as const;
const SAFE = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const;

export function differences(found: JsonObject, made: JsonObject, path = ''): readonly Difference[] {
  const keys = new Set([...Object.keys(found), ...Object.keys(made)]);
  return [...keys].flatMap((key) => differencesAt(key, found, { made, path }));
}

function differencesAt(
  key: string,
  found: JsonObject,
  { made, path }: { readonly made: JsonObject; readonly path: string },
): readonly Difference[] {
  const [before, after] = [found[key], made[key]];
  if (key === 'properties') return propertyDifferences(record(before), record(after), path);
  if (NODES.has(key) && isRecord(before) && isRecord(after)) return differences(before, after, key === 'not' ? path : `${path}[]`);
  if (LISTS.has(key) && Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((each, index) => differences(record(each), record(after[index]), path));
  if (key === 'required') return sameRequired(found, made) ? [] : [{ path, is: requiredDifference(found, made) }];
  if (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after)) return [];
  if (key === 'description' && after === undefined) return [{ path, is: 'description' }];
  return [{ path, is: isBound(key, found, made) ? 'bounds' : 'other' }];
}

function propertyDifferences(found: JsonObject, made: JsonObject, path: string): readonly Difference[] {
  const names = new Set([...Object.keys(found), ...Object.keys(made)]);
  return [...names].flatMap((name) => {
    const below = `${path}.${name}`;
    const [before, after] = [found[name], made[name]];
    return isRecord(before) && isRecord(after) ? differences(before, after, below) : [{ path: below, is: 'other' as const }];
  });
}

const record = (value: unknown): JsonObject => (isRecord(value) ? value : {});
const listed = (schema: JsonObject): readonly string[] => (Array.isArray(schema['required']) ? schema['required'].map(String).sort() : []);
const sameRequired = (found: JsonObject, made: JsonObject): boolean =>
  canonicalJson([...listed(found)]) === canonicalJson([...listed(made)]);

function requiredDifference(found: JsonObject, made: JsonObject): 'required' | 'other' {
  const properties = record(made['properties']);
  const hasDefault = (name: string): boolean => record(properties[name])['default'] !== undefined;
  const [before, after] = [listed(found), listed(made)];
  const changed = [...before.filter((name) => !after.includes(name)), ...after.filter((name) => !before.includes(name))];
  return changed.every(hasDefault) ? 'required' : 'other';
}

/** The bounds and the format that `k.int32()`, `k.int64()` and `k.intOrString()` add to what had none. */
function isBound(key: string, found: JsonObject, made: JsonObject): boolean {
  if (found[key] !== undefined) return false;
  const isWhole = made['type'] === 'integer' || made['x-kubernetes-int-or-string'] === true;
  if (key === 'format') return made['type'] === 'integer' && made['format'] === 'int64';
  if (!isWhole || (key !== 'minimum' && key !== 'maximum')) return false;
  return made[key] === (made['format'] === 'int64' ? SAFE : INT32)[key];
}
