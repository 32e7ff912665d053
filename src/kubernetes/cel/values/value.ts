import type { Json } from '../../apimachinery/index.js';

/**
 * CEL values at run time.
 *
 * int is a bigint (64 bits exactly), double a number; values that JavaScript cannot distinguish carry a `kind`.
 */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelUint
  | CelList
  | CelMap
  | CelTimestamp
  | CelDuration
  | CelTypeValue
  | CelOptional
  | CelOpaque
  | CelMessage
  | CelError;

export interface CelUint {
  readonly kind: 'uint';
  readonly value: bigint;
}

export interface CelList {
  readonly kind: 'list';
  readonly size: number;
  /** @param index - within `0 … size - 1` */
  at(index: number): CelValue;
  /** Lists typed `set` or `map` by their schema compare and merge by identity instead of by position. */
  readonly merge?: ListMerge | undefined;
}

/** How a list of a schema (`x-kubernetes-list-type`) compares and concatenates. */
export interface ListMerge {
  /** Identity of an element. */
  keyOf(element: CelValue): string;
  /** `set`: keep the first; `map`: the later element takes the place of the earlier. */
  readonly type: 'set' | 'map';
}

export interface CelMap {
  readonly kind: 'map';
  readonly size: number;
  /** `undefined`: no such key. */
  get(key: CelValue): CelValue | undefined;
  keys(): Iterable<CelValue>;
  /** Keys by which two maps are compared; those of `keys()` if not given. */
  comparedKeys?(): Iterable<string>;
  /** Fields that the schema does not describe: no expression can read them, but they count when objects are compared. */
  readonly undescribed?: Readonly<Record<string, Json>> | undefined;
}

/** A point in time. */
export interface CelTimestamp {
  readonly kind: 'timestamp';
  /** Nanoseconds since 1970. */
  readonly nanoseconds: bigint;
}

export interface CelDuration {
  readonly kind: 'duration';
  readonly nanoseconds: bigint;
}

export interface CelTypeValue {
  readonly kind: 'type';
  readonly name: string;
}

export interface CelOptional {
  readonly kind: 'optional';
  readonly value: CelValue | undefined;
}

/** A value of one of Kubernetes' libraries, for example a quantity. */
export interface CelOpaque {
  readonly kind: 'opaque';
  readonly typeName: string;
  readonly data: unknown;
}

/** An object that an expression makes, `Object.spec{replicas: 3}`: its fields are what was written. */
export interface CelMessage {
  readonly kind: 'message';
  readonly typeName: string;
  readonly fields: ReadonlyMap<string, CelValue>;
}

/** A failed evaluation, passed along as a value: `&&`, `||`, `all` and `exists` may absorb it. */
export interface CelError {
  readonly kind: 'error';
  readonly message: string;
}

export function celError(message: string): CelError {
  return { kind: 'error', message };
}

export function isError(value: CelValue): value is CelError {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'error';
}

/** The kind by which functions choose their overload. */
export type ValueKind =
  | 'null'
  | 'bool'
  | 'int'
  | 'double'
  | 'string'
  | 'bytes'
  | Exclude<CelValue, null | boolean | bigint | number | string | Uint8Array>['kind'];

export function kindOf(value: CelValue): ValueKind {
  switch (typeof value) {
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    default:
      if (value === null) return 'null';
      return 'kind' in value ? value.kind : 'bytes';
  }
}

/** The name that `type(value)` shows. */
export function typeNameOf(value: CelValue): string {
  const kind = kindOf(value);
  switch (kind) {
    case 'null':
      return 'null_type';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    case 'optional':
      return 'optional_type';
    case 'opaque':
    case 'message':
      return (value as CelMessage | CelOpaque).typeName;
    default:
      return kind;
  }
}

export const uintOf = (value: bigint): CelUint => ({ kind: 'uint', value });
export const durationOf = (nanoseconds: bigint): CelDuration => ({ kind: 'duration', nanoseconds });
export const timestampOf = (nanoseconds: bigint): CelTimestamp => ({ kind: 'timestamp', nanoseconds });
export const optional = (value: CelValue | undefined): CelOptional => ({ kind: 'optional', value });
export const opaqueValue = (typeName: string, data: unknown): CelOpaque => ({ kind: 'opaque', typeName, data });

class ArrayList implements CelList {
  readonly kind = 'list';
  readonly #elements: readonly CelValue[];
  constructor(elements: readonly CelValue[]) {
    this.#elements = elements;
  }
  get size(): number {
    return this.#elements.length;
  }
  at(index: number): CelValue {
    return this.#elements[index] as CelValue;
  }
}

export function listValue(elements: readonly CelValue[]): CelList {
  return new ArrayList(elements);
}

export function elementsOf(list: CelList): CelValue[] {
  return Array.from({ length: list.size }, (_, index) => list.at(index));
}

/** Keys that are equal in CEL (1, 1u, 1.0) have the same text; `undefined`: not a legal key. */
export function keyText(key: CelValue): string | undefined {
  switch (typeof key) {
    case 'string':
      return `s${key}`;
    case 'bigint':
      return `n${key}`;
    case 'boolean':
      return `b${key}`;
    case 'number':
      return Number.isInteger(key) ? `n${BigInt(key)}` : `d${key}`;
    default:
      return kindOf(key) === 'uint' ? `n${(key as CelUint).value}` : undefined;
  }
}

class EntryMap implements CelMap {
  readonly kind = 'map';
  readonly #entries: ReadonlyMap<string, readonly [CelValue, CelValue]>;
  constructor(entries: ReadonlyMap<string, readonly [CelValue, CelValue]>) {
    this.#entries = entries;
  }
  get size(): number {
    return this.#entries.size;
  }
  get(key: CelValue): CelValue | undefined {
    const text = keyText(key);
    return text === undefined ? undefined : this.#entries.get(text)?.[1];
  }
  *keys(): Iterable<CelValue> {
    for (const [key] of this.#entries.values()) yield key;
  }
}

export function mapValue(entries: ReadonlyMap<string, readonly [CelValue, CelValue]>): CelMap {
  return new EntryMap(entries);
}
