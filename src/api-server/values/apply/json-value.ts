import {
  compareUtf8,
  goFloat,
  goJson,
  goNumber,
  goQuote,
  isJsonObject,
  type Json,
  type JsonObject,
} from '@keelson/kubernetes/apimachinery';

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isScalar(value: Json | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

export function isEmptyMap(map: JsonObject): boolean {
  for (const key in map) if (Object.hasOwn(map, key)) return false;
  return true;
}

/** Rank of a value's kind in the order of path elements. */
function rankOf(value: Json): number {
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (isList(value)) return 3;
  return isJsonObject(value) ? 4 : 5;
}

/** Total order of values: numbers, strings (by bytes), booleans, lists, maps, null. */
export function compareValues(left: Json, right: Json): number {
  const ranks = rankOf(left) - rankOf(right);
  if (ranks !== 0) return ranks;
  if (typeof left === 'string' && typeof right === 'string') return compareUtf8(left, right);
  if (isList(left) && isList(right)) return compareLists(left, right);
  if (isJsonObject(left) && isJsonObject(right)) return compareMaps(left, right);
  // Numbers and booleans; null equals null.
  return Number(left) - Number(right);
}

function compareLists(left: readonly Json[], right: readonly Json[]): number {
  for (const [index, item] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareValues(item, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareMaps(left: JsonObject, right: JsonObject): number {
  return compareLists(sortedEntries(left), sortedEntries(right));
}

function sortedEntries(map: JsonObject): Json[] {
  return Object.entries(map).sort(([a], [b]) => compareUtf8(a, b));
}

/** JSON as it stands inside a path element: two control characters are spelled in the long form, other than `encoding/json` does. */
export function elementJson(value: Json): string {
  return goJson(value).replace(/\\(?:[bf]|(.))/g, (escaped, other: string | undefined) => {
    if (other !== undefined) return escaped;
    return escaped === '\\b' ? '\\u0008' : '\\u000c';
  });
}

/** How the path of a field prints a value. `asFloat`: a number that was read from a stored path element is a float64 in Go. */
export function valueText(value: Json, asFloat: boolean): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return asFloat ? goFloat(value) : goNumber(value);
  if (typeof value === 'boolean') return String(value);
  if (isList(value)) return `[${value.map((item) => valueText(item, asFloat)).join(',')}]`;
  return Object.entries(value)
    .map(([key, item]) => `${key}=${valueText(item, asFloat)}`)
    .join('');
}

/** `%#v` of a decoded value. */
export function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  if (typeof value === 'boolean') return String(value);
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  return `map[string]interface {}{${byKey(value)
    .map(([key, item]) => `${goQuote(key)}:${goSyntax(item)}`)
    .join(', ')}}`;
}

function byKey(map: JsonObject): [string, Json][] {
  return Object.entries(map).sort(([a], [b]) => compareUtf8(a, b));
}
