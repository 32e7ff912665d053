import { compareQuantities, isRecord, parseQuantity, type Quantity } from '@keelson/kubernetes/apimachinery';

/** Fields whose values, one level below, are quantities: `1000m` and `1` are the same there. */
const QUANTITY_MAPS: ReadonlySet<string> = new Set([
  'requests',
  'limits',
  'capacity',
  'hard',
  'overhead',
  'podFixed',
  'min',
  'max',
  'default',
  'defaultRequest',
  'maxLimitRequestRatio',
]);
const QUANTITY_FIELDS: ReadonlySet<string> = new Set(['sizeLimit', 'divisor', 'storage', 'averageValue']);
/** Where `value` is a quantity, as in the metrics of an autoscaler; that of a variable is a text, in which `1` and `1.0` differ. */
const QUANTITY_VALUES: ReadonlySet<string> = new Set(['target', 'current']);

/** Maps of strings, which are left out when they are empty. */
const MAPS: ReadonlySet<string> = new Set(['labels', 'annotations', 'matchLabels', 'nodeSelector', 'data', 'binaryData']);

/** Lists of scalars to which others add without touching what is ours. */
const SHARED_LISTS: ReadonlySet<string> = new Set(['finalizers']);

/**
 * Whether an object says everything that is desired; what it says beyond that does not count.
 *
 * It errs on one side: `false` where only a schema could decide. An apply too many finds no difference; one too few would leave a change of another
 * client in place. Quantities are compared by value.
 */
export function covers(live: unknown, desired: unknown): boolean {
  return coversField(live, desired, '', '');
}

function coversField(live: unknown, desired: unknown, field: string, parent: string): boolean {
  if (isEmpty(live, field) && isEmpty(desired, field)) return true;
  if (Array.isArray(desired)) return Array.isArray(live) && coversList(live, desired, field);
  if (isRecord(desired)) return isRecord(live) && coversObject(live, desired, field);
  if (live === desired) return true;
  return isQuantity(field, parent) && isSameQuantity(live, desired);
}

function isQuantity(field: string, parent: string): boolean {
  return QUANTITY_MAPS.has(parent) || QUANTITY_FIELDS.has(field) || (field === 'value' && QUANTITY_VALUES.has(parent));
}

function coversObject(live: Readonly<Record<string, unknown>>, desired: Readonly<Record<string, unknown>>, parent: string): boolean {
  return Object.entries(desired).every(([field, value]) => coversField(live[field], value, field, parent));
}

/**
 * Lists of named items are maps, and others may have added to them: a sidecar, a variable. All others are one value. The order of named items counts among
 * those that are desired, as it does for the server.
 */
function coversList(live: readonly unknown[], desired: readonly unknown[], field: string): boolean {
  if (SHARED_LISTS.has(field)) return desired.every((item) => live.includes(item));
  if (desired.length === 0 || !desired.every(isNamed))
    return live.length === desired.length && desired.every((item, index) => coversField(live[index], item, '', field));
  let from = 0;
  for (const item of desired) {
    const at = live.findIndex((candidate, index) => index >= from && isNamed(candidate) && candidate['name'] === item['name']);
    if (at < 0 || !coversField(live[at], item, '', field)) return false;
    from = at + 1;
  }
  return true;
}

function isNamed(item: unknown): item is { readonly [field: string]: unknown; readonly name: string } {
  return isRecord(item) && typeof item['name'] === 'string';
}

/**
 * Values that the server leaves out of every object: no value, an empty list, an empty map. An empty object elsewhere says something (`emptyDir: {}`), and so does
 * `false`, for many fields: `allowPrivilegeEscalation`.
 */
function isEmpty(value: unknown, field: string): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return MAPS.has(field) && isRecord(value) && Object.keys(value).length === 0;
}

function isSameQuantity(left: unknown, right: unknown): boolean {
  const [one, other] = [quantityOf(left), quantityOf(right)];
  return one !== undefined && other !== undefined && compareQuantities(one, other) === 0;
}

function quantityOf(value: unknown): Quantity | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const parsed = parseQuantity(String(value));
  return typeof parsed === 'string' ? undefined : parsed;
}
