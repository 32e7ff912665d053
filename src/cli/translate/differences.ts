import { canonicalJson, isRecord } from '@keelson/kubernetes/apimachinery';
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
  /** The field, `.list[].name`; empty for the root. */
  readonly path: string;
  readonly keyword: string;
  readonly is: 'bounds' | 'description' | 'required' | 'other';
  readonly found: unknown;
  readonly made: unknown;
}

const NODES: ReadonlySet<string> = new Set(['items', 'not', 'additionalProperties']);
const LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const INT32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } as const;
const SAFE = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const;

/** Every leaf that differs. Both schemas are without what says nothing. */
export function differences(found: JsonObject, made: JsonObject, path = ''): readonly Difference[] {
  const keys = new Set([...Object.keys(found), ...Object.keys(made)]);
  return [...keys].flatMap((key) => differencesAt(key, found, { made, path }));
}

function differencesAt(
  keyword: string,
  found: JsonObject,
  { made, path }: { readonly made: JsonObject; readonly path: string },
): readonly Difference[] {
  const [before, after] = [found[keyword], made[keyword]];
  if (keyword === 'properties') return propertyDifferences(record(before), record(after), path);
  if (NODES.has(keyword) && isRecord(before) && isRecord(after)) return differences(before, after, keyword === 'not' ? path : `${path}[]`);
  if (LISTS.has(keyword) && Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((each, index) => differences(record(each), record(after[index]), path));
  if (keyword === 'required' ? sameRequired(found, made) : isSame(before, after)) return [];
  return [{ path, keyword, is: sortOf(keyword, found, made), found: before, made: after }];
}

function sortOf(keyword: string, found: JsonObject, made: JsonObject): Difference['is'] {
  if (keyword === 'required') return requiredDifference(found, made);
  if (keyword === 'description' && made[keyword] === undefined) return 'description';
  return isBound(keyword, found, made) ? 'bounds' : 'other';
}

function propertyDifferences(found: JsonObject, made: JsonObject, path: string): readonly Difference[] {
  const names = new Set([...Object.keys(found), ...Object.keys(made)]);
  return [...names].flatMap((name): readonly Difference[] => {
    const [before, after] = [ownValue(found, name), ownValue(made, name)];
    return isRecord(before) && isRecord(after)
      ? differences(before, after, `${path}.${name}`)
      : [{ path: `${path}.${name}`, keyword: '', is: 'other', found: before, made: after }];
  });
}

const record = (value: unknown): JsonObject => (isRecord(value) ? value : {});
const ownValue = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);
const isSame = (before: unknown, after: unknown): boolean =>
  before === after || (before !== undefined && after !== undefined && canonicalJson(before as never) === canonicalJson(after as never));
const listed = (schema: JsonObject): readonly string[] => (Array.isArray(schema['required']) ? schema['required'].map(String).sort() : []);
const sameRequired = (found: JsonObject, made: JsonObject): boolean => isSame(listed(found), listed(made));

function requiredDifference(found: JsonObject, made: JsonObject): 'required' | 'other' {
  const properties = record(made['properties']);
  const hasDefault = (name: string): boolean => record(ownValue(properties, name))['default'] !== undefined;
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
