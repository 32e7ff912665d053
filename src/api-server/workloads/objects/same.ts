/** The same content: order of keys does not count, nor does a missing field beside an empty one. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (isEmpty(left) || isEmpty(right)) return isEmpty(left) && isEmpty(right);
  if (typeof left !== 'object' || typeof right !== 'object' || Array.isArray(left) !== Array.isArray(right)) return false;
  if (Array.isArray(left)) {
    const items = right as readonly unknown[];
    return left.length === items.length && left.every((item, index) => isSame(item, items[index]));
  }
  const [one, other] = [left as Fields, right as Fields];
  for (const key of Object.keys(one)) if (!isSame(one[key], ownField(other, key))) return false;
  for (const key of Object.keys(other)) if (!Object.hasOwn(one, key) && !isEmpty(other[key])) return false;
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

function ownField(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** As good as not there: an object whose fields are all empty is one too. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined || value === null;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isEmpty);
}

/** One text for all forms of the same content. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value)) ?? 'null';
}

function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => canonical(item) ?? null);
  const entries = Object.keys(value)
    .sort()
    .map((key) => [key, canonical((value as Record<string, unknown>)[key])] as const)
    .filter(([, item]) => item !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
