import { deepFreeze, isJsonObject, type Json, type JsonObject } from '@keelson/kubernetes/apimachinery';
import { FieldsV1Error } from './errors.js';
import { FieldSet } from './field-set.js';
import { parsePathElement } from './path-element.js';

/** The wire form of a field set (`metadata.managedFields[].fieldsV1`), its keys in the server's order. */
export function encodeFieldsV1(set: FieldSet): JsonObject {
  let encoded = ENCODED.get(set);
  if (encoded === undefined) {
    encoded = deepFreeze(encode(set));
    ENCODED.set(set, encoded);
  }
  return encoded;
}

/** A write leaves the sets of most managers as they were, and both forms are immutable. */
const ENCODED: WeakMap<FieldSet, JsonObject> = new WeakMap();
const DECODED: WeakMap<JsonObject, FieldSet> = new WeakMap();

function encode(set: FieldSet): JsonObject {
  const entries = set.nodes().map(({ element, isMember, children }): [string, Json] => {
    const below = encode(children);
    return [element.id, isMember && !children.isEmpty ? { '.': {}, ...below } : below];
  });
  return Object.fromEntries(entries);
}

/**
 * Reads the wire form. Elements of a kind that we do not know are dropped, as the server does.
 *
 * @throws FieldsV1Error when it is not one.
 */
export function decodeFieldsV1(fields: Json): FieldSet {
  if (!isJsonObject(fields)) throw new FieldsV1Error(`fieldsV1 must be an object, it is ${JSON.stringify(fields)}`);
  // Stored objects are frozen all the way down, and each write decodes them again.
  if (!Object.isFrozen(fields)) return decodeLevel(fields);
  let decoded = DECODED.get(fields);
  if (decoded === undefined) {
    decoded = decodeLevel(fields);
    DECODED.set(fields, decoded);
  }
  return decoded;
}

function decodeLevel(fields: JsonObject): FieldSet {
  const nodes = Object.entries(fields).flatMap(([key, below]) => {
    if (key === '.') return [];
    const element = parsePathElement(key);
    if (element === undefined) return [];
    if (!isJsonObject(below)) throw new FieldsV1Error(`${key} must hold an object, it holds ${JSON.stringify(below)}`);
    const children = decodeLevel(below);
    // Nothing below it: the path itself is meant.
    return [{ element, isMember: children.isEmpty || Object.hasOwn(below, '.'), children }];
  });
  return FieldSet.fromNodes(nodes);
}
