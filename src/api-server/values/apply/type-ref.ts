import { isJsonObject, type Json } from '@keelson/kubernetes/apimachinery';
import { isList, isScalar } from './json-value.js';

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListType {
  /** Undefined: nothing is known about the items. */
  readonly elementType: TypeRef | undefined;
  readonly isAtomic: boolean;
  /** The keys of an associative list of maps; absent: a set of scalars. */
  readonly keys: readonly string[];
}

export interface FieldType {
  readonly type: TypeRef;
  /** Counts only where the field is the key of a list. */
  readonly default?: Json;
}

export interface MapType {
  readonly fields: ReadonlyMap<string, FieldType>;
  /** Type of what {@link fields} does not name; undefined: nothing else is allowed. */
  readonly elementType: TypeRef | undefined;
  readonly isAtomic: boolean;
}

/** The kinds that a value may have. More than one: its own kind decides. */
export interface Atom {
  readonly scalar?: ScalarType;
  readonly list?: ListType;
  readonly map?: MapType;
}

/** A type whose atom is found when it is first asked for: types may contain themselves. */
export interface TypeRef {
  /** For messages. */
  readonly name: string | undefined;
  readonly atom: Atom;
}

export function lazyType(resolve: () => Atom, name?: string): TypeRef {
  let atom: Atom | undefined;
  return {
    name,
    get atom() {
      atom ??= resolve();
      return atom;
    },
  };
}

/** A value about which the schema says nothing, as one leaf. */
export const UNTYPED_ATOMIC: TypeRef = lazyType(
  () => ({
    scalar: 'untyped',
    list: { elementType: UNTYPED_ATOMIC, isAtomic: true, keys: [] },
    map: { fields: new Map(), elementType: UNTYPED_ATOMIC, isAtomic: true },
  }),
  '__untyped_atomic_',
);

/** A value about which the schema says nothing: its maps are taken apart, its lists are leaves. */
export const UNTYPED_DEDUCED: TypeRef = lazyType(
  () => ({
    scalar: 'untyped',
    list: { elementType: UNTYPED_ATOMIC, isAtomic: true, keys: [] },
    map: { fields: new Map(), elementType: UNTYPED_DEDUCED, isAtomic: false },
  }),
  '__untyped_deduced_',
);

export function fieldType(map: MapType, name: string): TypeRef | undefined {
  return map.fields.get(name)?.type ?? map.elementType;
}

/** A map that is known by its values alone: no change of schema can be seen in it. */
export function isDeducedMap({ elementType, fields }: MapType): boolean {
  if (fields.size > 0 || elementType === undefined) return false;
  return elementType.name === UNTYPED_DEDUCED.name || (elementType.name === undefined && elementType.atom.scalar === 'untyped');
}

/** The part of an atom that a value belongs to; the whole atom where the value is null, absent or of no kind that the atom allows. */
export function deduceAtom(atom: Atom, value: Json | undefined): Atom {
  if (isScalar(value)) return atom.scalar === undefined ? atom : { scalar: atom.scalar };
  if (isList(value)) return atom.list === undefined ? atom : { list: atom.list };
  if (isJsonObject(value)) return atom.map === undefined ? atom : { map: atom.map };
  return atom;
}

/** Whether two deductions from one atom came to the same. */
export function sameDeduction(left: Atom, right: Atom): boolean {
  return left.scalar === right.scalar && left.list === right.list && left.map === right.map;
}
