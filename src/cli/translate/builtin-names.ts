import { canonicalJson, isRecord } from '@keelson/kubernetes/apimachinery';
import { builtinSchema, builtinTypeNames } from '@keelson/kubernetes/kinds';
import type { JsonObject } from '../import/index.js';
import { plainSchema } from './plain-schema.js';

/** How many properties a type must have to be known by them: two fields of a name and a namespace are many things. */
const FEWEST_FIELDS = 2;

/** A built-in type, and whether its enumerations are open. */
export interface FoundBuiltin {
  readonly name: string;
  readonly open: boolean;
}

/** By the names of the fields, and below by the whole schema: few objects of a CRD are compared as a whole. */
let known: ReadonlyMap<string, ReadonlyMap<string, FoundBuiltin>> | undefined;

/** The built-in type that an object has been made from, found by its fields; `undefined` if none has just these. */
export function builtinOf(schema: JsonObject): FoundBuiltin | undefined {
  if (Object.keys(isRecord(schema['properties']) ? schema['properties'] : {}).length < FEWEST_FIELDS) return undefined;
  known ??= index();
  return known.get(namesOf(schema))?.get(keyOf(schema));
}

/** Prefers the shortest name of several types with the same fields, and the strict form of a type to the open one. */
function index(): ReadonlyMap<string, ReadonlyMap<string, FoundBuiltin>> {
  const found = new Map<string, Map<string, FoundBuiltin>>();
  const names = [...builtinTypeNames()].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  for (const open of [false, true]) {
    for (const name of names) {
      const schema = readable(name);
      if (schema === undefined) continue;
      const key = keyOf(open ? withoutEnums(schema) : schema);
      const alike = found.get(namesOf(schema)) ?? new Map<string, FoundBuiltin>();
      if (!alike.has(key)) alike.set(key, { name, open });
      found.set(namesOf(schema), alike);
    }
  }
  return found;
}

/** `undefined` for a type that contains itself. */
function readable(name: Parameters<typeof builtinSchema>[0]): JsonObject | undefined {
  try {
    return builtinSchema(name) as unknown as JsonObject;
  } catch {
    // A type without an end has no schema in a CRD either.
    return undefined;
  }
}

const namesOf = ({ properties }: JsonObject): string =>
  Object.keys(isRecord(properties) ? properties : {})
    .sort()
    .join(' ');
const keyOf = (schema: JsonObject): string => canonicalJson(stripped(plainSchema(schema)) as never);

/** Without descriptions, and without what the tolerated differences are about. */
function stripped(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((each) => stripped(each));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).flatMap(([key, each]) => {
    if (!isMap && key === 'description') return [];
    if (!isMap && key === 'required' && Array.isArray(each)) {
      const names = each.map(String).filter((name) => !hasDefault(value, name));
      return names.length === 0 ? [] : [[key, names.sort()]];
    }
    return [[key, stripped(each, !isMap && key === 'properties')]];
  });
  return Object.fromEntries(entries);
}

function hasDefault(schema: JsonObject, name: string): boolean {
  const { properties } = schema as { readonly properties?: JsonObject };
  const property = properties?.[name];
  return isRecord(property) && property['default'] !== undefined;
}

function withoutEnums(value: unknown, isMap = false): JsonObject {
  if (!isRecord(value)) return value as JsonObject;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      if (!isMap && key === 'enum') return [];
      return [[key, isRecord(each) ? withoutEnums(each, !isMap && key === 'properties') : each]];
    }),
  );
}
