import { JSON_PATCH } from '../types/index.js';
import {
  type CelList,
  type CelMap,
  type CelMessage,
  type CelOptional,
  type CelValue,
  celError,
  elementsOf,
  kindOf,
  listValue,
  mapValue,
  type ValueKind,
} from './value.js';

/** A message of fields that have been evaluated; an error where `op`, `path` or `from` of a `JSONPatch` is not a text. */
export function newMessage(typeName: string, fields: ReadonlyMap<string, CelValue>): CelValue {
  if (typeName === JSON_PATCH.name) {
    for (const name of ['op', 'path', 'from']) {
      const value = fields.get(name);
      if (value !== undefined && typeof value !== 'string')
        return celError(`unexpected type ${nativeTypeName(value)} for JSONPatchType '${name}' field`);
    }
  }
  return { kind: 'message', typeName, fields };
}

const NATIVE_TYPES: Partial<Record<ValueKind, string>> = {
  int: 'int64',
  uint: 'uint64',
  double: 'float64',
  bool: 'bool',
  bytes: '[]uint8',
  null: 'structpb.NullValue',
  timestamp: 'time.Time',
  duration: 'time.Duration',
  list: '[]ref.Val',
  map: 'map[ref.Val]ref.Val',
  message: 'map[string]interface {}',
  type: 'string',
};

/** `%T` of a value's Go form. */
function nativeTypeName(value: CelValue): string {
  return NATIVE_TYPES[kindOf(value)] ?? 'interface {}';
}

/** A field as an expression reads it: messages below have become maps, as cel-go has them there. A field that was not written is null, or the empty text in a JSONPatch. */
export function fieldOfMessage({ typeName, fields }: CelMessage, name: string): CelValue {
  const value = fields.get(name);
  if (value !== undefined) return plain(value);
  return typeName === JSON_PATCH.name && name !== 'value' ? '' : null;
}

export function hasFieldOfMessage({ typeName, fields }: CelMessage, name: string): boolean {
  const value = fields.get(name);
  return value !== undefined && !(typeName === JSON_PATCH.name && value === '');
}

function plain(value: CelValue): CelValue {
  switch (kindOf(value)) {
    case 'message': {
      const { fields } = value as CelMessage;
      return mapValue(new Map([...fields].map(([name, field]) => [`s${name}`, [name, plain(field)] as const])));
    }
    case 'list':
      return listValue(elementsOf(value as CelList).map(plain));
    default:
      return value;
  }
}

/**
 * Whether two messages are the same. Values of JSONPatch compare as CEL does; those of an Object as Go compares memory: numbers of two kinds are different,
 * and a list is not even equal to its like.
 *
 * Source: apiserver `pkg/cel/mutation/{jsonpatch,dynamic/objects}.go`.
 */
export function equalMessages(a: CelMessage, b: CelMessage, equal: (a: CelValue, b: CelValue) => boolean): boolean {
  if (a.typeName !== b.typeName) return false;
  if (a.typeName !== JSON_PATCH.name) return sameMemory(a, b);
  const [value, other] = [a.fields.get('value'), b.fields.get('value')];
  const isSameValue = value === undefined || other === undefined ? value === other : equal(value, other);
  return isSameValue && ['op', 'path', 'from'].every((name) => (a.fields.get(name) ?? '') === (b.fields.get(name) ?? ''));
}

function sameMemory(a: CelValue, b: CelValue): boolean {
  if (a === b) return true;
  const kind = kindOf(a);
  if (kind !== kindOf(b)) return false;
  switch (kind) {
    case 'message':
      return sameFields((a as CelMessage).fields, (b as CelMessage).fields) && (a as CelMessage).typeName === (b as CelMessage).typeName;
    case 'map':
      return sameFields(entriesOf(a as CelMap), entriesOf(b as CelMap));
    case 'uint':
      return (a as { readonly value: bigint }).value === (b as { readonly value: bigint }).value;
    case 'timestamp':
    case 'duration':
      return (a as { readonly nanoseconds: bigint }).nanoseconds === (b as { readonly nanoseconds: bigint }).nanoseconds;
    default:
      return false;
  }
}

function sameFields(a: ReadonlyMap<CelValue, CelValue>, b: ReadonlyMap<CelValue, CelValue>): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.has(name) && sameMemory(value, b.get(name) as CelValue));
}

function entriesOf(map: CelMap): ReadonlyMap<CelValue, CelValue> {
  return new Map([...map.keys()].map((key) => [key, map.get(key) as CelValue]));
}

/**
 * The places where the name of a message is not the path of the field that it stands in.
 *
 * @param path of the value: the name that its message has to have
 */
export function misnamedMessages(value: CelValue, path: string): readonly string[] {
  switch (kindOf(value)) {
    case 'message': {
      const { typeName, fields } = value as CelMessage;
      const own =
        typeName === path
          ? []
          : [
              `unexpected type name ${JSON.stringify(typeName)}, expected ${JSON.stringify(path)}, which matches field name path from root Object type`,
            ];
      return [...own, ...[...fields].flatMap(([name, field]) => misnamedMessages(field, `${path}.${name}`))];
    }
    case 'list':
      return elementsOf(value as CelList).flatMap((element) => misnamedMessages(element, path));
    case 'map':
      return [...(value as CelMap).keys()].flatMap((key) => misnamedMessages((value as CelMap).get(key) ?? null, path));
    case 'optional': {
      const { value: inner } = value as CelOptional;
      return inner === undefined ? [] : misnamedMessages(inner, path);
    }
    default:
      return [];
  }
}
