import { canonicalJson } from '@keelson/kubernetes/apimachinery';
import { z } from 'zod';
import { type KeelsonCheck, markCheck, withCheck } from '../marks.js';

type ObjectSchema = z.core.SomeType & { readonly _zod: { readonly output: object } };

/**
 * A list whose items are all different (`x-kubernetes-list-type: set`). Under server-side apply each item has an owner. Items are scalars or atomic.
 *
 * @example
 * ```ts
 * z.object({ zones: k.set(z.string()) });
 * ```
 */
export function set<TItem extends z.core.SomeType>(item: TItem): z.ZodArray<TItem> {
  return withCheck(z.array(item), markCheck<readonly unknown[]>({ mark: 'set' }, firstDuplicate));
}

/** Names of `TItem`'s fields: the keys of a list-map. */
export type ListMapKey<TItem extends ObjectSchema> = Extract<keyof TItem['_zod']['output'], string>;

/**
 * A list of objects that differ in the values of `keys` (`x-kubernetes-list-type: map`).
 *
 * A key must be required or have a default. Items keep their identity through updates: transition rules and immutability work below.
 *
 * @example
 * ```ts
 * z.object({ members: k.listMap(z.object({ name: z.string(), weight: k.int32().optional() }), 'name') });
 * ```
 */
export function listMap<TItem extends ObjectSchema>(item: TItem, ...keys: [ListMapKey<TItem>, ...ListMapKey<TItem>[]]): z.ZodArray<TItem> {
  const verify = (items: readonly unknown[]) => firstDuplicate(items.map((entry) => pick(entry, keys)));
  return withCheck(z.array(item), markCheck<readonly unknown[]>({ mark: 'listMap', keys }, verify));
}

/**
 * A list, record or object that is replaced as a whole: one owner under server-side apply.
 *
 * @example
 * ```ts
 * z.object({ ports: k.atomic(z.array(k.port())) });
 * ```
 */
export function atomic<TSchema extends z.core.SomeType>(schema: TSchema): TSchema {
  return withCheck(schema, markCheck({ mark: 'atomic' }));
}

/**
 * At least this many keys: for a record or an object, `.check(k.minProperties(1))`.
 *
 * @example
 * ```ts
 * z.object({ limits: z.record(z.string(), z.string()).check(k.minProperties(1)) });
 * ```
 */
export function minProperties(min: number): KeelsonCheck<object> {
  return markCheck({ mark: 'properties', min }, (value) =>
    fieldCount(value) < min ? `should have at least ${min} properties` : undefined,
  );
}

/**
 * At most this many keys.
 *
 * @example
 * ```ts
 * z.object({ limits: z.record(z.string(), z.string()).check(k.maxProperties(8)) });
 * ```
 */
export function maxProperties(max: number): KeelsonCheck<object> {
  return markCheck({ mark: 'properties', max }, (value) => (fieldCount(value) > max ? `must have at most ${max} properties` : undefined));
}

/** JSON has no field without a value; zod keeps one that is `undefined`. */
function fieldCount(value: object): number {
  return Object.values(value).filter((field) => field !== undefined).length;
}

function firstDuplicate(items: readonly unknown[]): string | undefined {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = canonicalJson(item);
    if (seen.has(key)) return `item ${index} is a duplicate: ${key}`;
    seen.add(key);
  }
  return undefined;
}

function pick(entry: unknown, keys: readonly string[]): unknown {
  const fields = (entry ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(keys.flatMap((key) => (fields[key] === undefined ? [] : [[key, fields[key]]])));
}
