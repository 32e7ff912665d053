/** How a call of an external goes wrong. */
export type ExternalFault =
  /** It is done, and its answer does not come. */
  | 'times out'
  /** It is not done. */
  | 'fails'
  | 'answers empty'
  /** As it did before a change that was not the operator's own. */
  | 'answers stale'
  /** One word is an unknown one. */
  | 'answers with an unknown word'
  /** One value is another one than it should be. */
  | 'answers wrong';

/** An answer that has nothing in it. @returns `undefined` if this answer cannot be empty */
export function emptied(answer: unknown, mayBeAbsent: boolean): { readonly answer: unknown } | undefined {
  if (answer === undefined || answer === null) return undefined;
  if (Array.isArray(answer)) return answer.length === 0 ? undefined : { answer: [] };
  if (answer instanceof Map) return answer.size === 0 ? undefined : { answer: new Map() };
  if (answer instanceof Set) return answer.size === 0 ? undefined : { answer: new Set() };
  if (mayBeAbsent) return { answer: undefined };
  if (isPlain(answer)) {
    const lists = Object.entries(answer).filter(([, value]) => emptied(value, false) !== undefined && typeof value === 'object');
    if (lists.length === 0) return undefined;
    return { answer: { ...answer, ...Object.fromEntries(lists.map(([key, value]) => [key, emptied(value, false)?.answer])) } };
  }
  if (typeof answer === 'boolean') return answer ? { answer: false } : undefined;
  if (typeof answer === 'number') return answer === 0 ? undefined : { answer: 0 };
  if (typeof answer === 'string') return answer === '' ? undefined : { answer: '' };
  return undefined;
}

/** The answer with one value that is wrong: the n-th of those that can be. */
export function distorted(answer: unknown, nth: number): { readonly answer: unknown } | undefined {
  return changedAmong(answer, [...placesOf(answer, [])], nth);
}

/** A constant, as APIs have them: `Ready`, `RUNNING`, `in-progress`; names and addresses have digits, dots or capitals within. */
const WORD = /^(?:[A-Z][a-z]+)+$|^[A-Z]+(?:_[A-Z]+)*$|^[a-z]+(?:[-_][a-z]+)?$/;

/** The answer with one of its words replaced by an unknown one: the n-th of the fields whose name or value is that of an enumeration. */
export function unheardOf(answer: unknown, nth: number): { readonly answer: unknown } | undefined {
  const places = [...placesOf(answer, [])].filter((path) => {
    const value = path.reduce<unknown>((within, key) => (within as Readonly<Record<string | number, unknown>>)[key], answer);
    return typeof value === 'string' && WORD.test(value) && (path.length === 0 || ENUMERATED.test(String(path.at(-1))));
  });
  return changedAmong(answer, places, nth);
}

/** Fields that are enumerations by their name. */
const ENUMERATED = /(?:health|kind|level|mode|phase|policy|reason|result|role|state|status|tier|type)$/i;

function changedAmong(answer: unknown, places: readonly Path[], nth: number): { readonly answer: unknown } | undefined {
  const path = places[nth % Math.max(1, places.length)];
  return path === undefined ? undefined : { answer: changedAt(answer, path) };
}

type Path = readonly (string | number)[];

function* placesOf(value: unknown, path: Path): Generator<Path> {
  if (Array.isArray(value)) {
    if (value.length > 0) yield path;
    for (const [index, item] of value.entries()) yield* placesOf(item, [...path, index]);
  } else if (isPlain(value)) {
    for (const [key, item] of Object.entries(value)) yield* placesOf(item, [...path, key]);
  } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') yield path;
}

function changedAt(value: unknown, [first, ...rest]: Path): unknown {
  if (first === undefined) return wrong(value);
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === first ? changedAt(item, rest) : item));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [first]: changedAt(fields[first], rest) };
}

function wrong(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, -1);
  if (typeof value === 'string') return 'unknown';
  if (typeof value === 'number') return value + 1;
  return value === false;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
