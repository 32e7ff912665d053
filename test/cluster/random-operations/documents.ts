type Document = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy in which the value stands at the path. */
export function withValue(object: object, [key = '', ...rest]: readonly string[], value: unknown): object {
  const inner = (object as Document)[key];
  return { ...object, [key]: rest.length === 0 ? value : withValue(isRecord(inner) ? inner : {}, rest, value) };
}

/** As a JSON merge patch does it, but null stays. */
export function merged(target: object, change: object): object {
  const result: Record<string, unknown> = { ...target };
  for (const [key, value] of Object.entries(change)) {
    const there = result[key];
    result[key] = isRecord(there) && isRecord(value) ? merged(there, value) : value;
  }
  return result;
}

/** A copy in which the value stands at a place that `turn` chooses, at most `depth` levels down. */
export function withOddity(value: object, { depth, turn, value: oddity }: { depth: number; turn: number; value: unknown }): object {
  // Which words a body without a type is refused with is another suite's subject.
  const keys = Object.keys(value).filter((key) => key !== 'apiVersion' && key !== 'kind');
  const key = keys[turn % keys.length];
  if (key === undefined) return value;
  const inner = (value as Document)[key];
  const next =
    depth === 0 || typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0
      ? oddity
      : withOddity(inner, { depth: depth - 1, turn: Math.floor(turn / keys.length) + depth, value: oddity });
  return Array.isArray(value) ? value.map((item: unknown, index) => (String(index) === key ? next : item)) : { ...value, [key]: next };
}
