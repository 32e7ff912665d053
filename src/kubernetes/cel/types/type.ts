/**
 * CEL's static types, as cel-go's checker knows them.
 *
 * A type is a plain frozen value: two copies of the package can exchange them.
 */
export type CelType =
  | { readonly kind: 'bool' | 'bytes' | 'double' | 'int' | 'string' | 'uint' | 'null' | 'timestamp' | 'duration' | 'dyn' | 'error' }
  | { readonly kind: 'list'; readonly item: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly value: CelType }
  | ObjectType
  /** A type that only its library can look into, for example `kubernetes.Quantity` or `optional_type(V)`. */
  | { readonly kind: 'opaque'; readonly name: string; readonly parameters: readonly CelType[] }
  | { readonly kind: 'type'; readonly of?: CelType }
  | { readonly kind: 'parameter'; readonly name: string };

/** An object with declared fields; the names are escaped as CEL needs them. */
export interface ObjectType {
  readonly kind: 'object';
  /** Identity: two object types are the same when their names are. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, CelType>;
  /** Whether fields that are not declared may stand in it too, of any type. */
  readonly isOpen?: true;
}

export const BOOL: CelType = { kind: 'bool' };
export const BYTES: CelType = { kind: 'bytes' };
export const DOUBLE: CelType = { kind: 'double' };
export const INT: CelType = { kind: 'int' };
export const STRING: CelType = { kind: 'string' };
export const UINT: CelType = { kind: 'uint' };
export const NULL: CelType = { kind: 'null' };
export const TIMESTAMP: CelType = { kind: 'timestamp' };
export const DURATION: CelType = { kind: 'duration' };
export const DYN: CelType = { kind: 'dyn' };
export const ERROR: CelType = { kind: 'error' };

export const listOf = (item: CelType): CelType => ({ kind: 'list', item });
export const mapOf = (key: CelType, value: CelType): CelType => ({ kind: 'map', key, value });
export const opaque = (name: string, ...parameters: readonly CelType[]): CelType => ({ kind: 'opaque', name, parameters });
export const optionalOf = (value: CelType): CelType => opaque('optional_type', value);
export const typeOf = (of: CelType): CelType => ({ kind: 'type', of });
export const parameter = (name: string): CelType => ({ kind: 'parameter', name });

/** The types that a type is made of. */
export function partsOf(type: CelType): readonly CelType[] {
  switch (type.kind) {
    case 'list':
      return [type.item];
    case 'map':
      return [type.key, type.value];
    case 'opaque':
      return type.parameters;
    case 'type':
      return type.of === undefined ? [] : [type.of];
    default:
      return [];
  }
}

/** The same type over other parts. */
export function withParts(type: CelType, parts: readonly CelType[]): CelType {
  const [first, second] = parts;
  if (first === undefined) return type;
  switch (type.kind) {
    case 'list':
      return listOf(first);
    case 'map':
      return mapOf(first, second ?? DYN);
    case 'opaque':
      return opaque(type.name, ...parts);
    case 'type':
      return typeOf(first);
    default:
      return type;
  }
}

export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || nameOf(a) !== nameOf(b)) return false;
  const left = partsOf(a);
  const right = partsOf(b);
  return left.length === right.length && left.every((part, index) => sameType(part, right[index] as CelType));
}

/** The name without parameters: `list`, `kubernetes.Quantity`. */
export function nameOf(type: CelType): string {
  switch (type.kind) {
    case 'opaque':
    case 'object':
    case 'parameter':
      return type.name;
    case 'error':
      return '!error!';
    default:
      return type.kind;
  }
}

/** A type as error messages write it: `map(string, list(int))`. */
export function formatType(type: CelType): string {
  const parts = partsOf(type);
  return parts.length === 0 ? nameOf(type) : `${nameOf(type)}(${parts.map(formatType).join(', ')})`;
}

/** `optional_type(V)` → `V`; anything else → undefined. */
export function unwrapOptional(type: CelType): CelType | undefined {
  return type.kind === 'opaque' && type.name === 'optional_type' ? type.parameters[0] : undefined;
}

const RUNTIME_NAMES: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

/** The name that values of the type carry: `list`, `null_type`. */
export function runtimeTypeName(type: CelType): string {
  const name = nameOf(type);
  return RUNTIME_NAMES[name] ?? name;
}

/** {@link runtimeTypeName} with its parameters: `list(google.protobuf.Timestamp)`. */
export function formatRuntimeType(type: CelType): string {
  const parts = partsOf(type);
  return parts.length === 0 ? runtimeTypeName(type) : `${runtimeTypeName(type)}(${parts.map(formatRuntimeType).join(', ')})`;
}
