import type { Json, JsonObject } from '../../apimachinery/index.js';
import { APPLIED_OBJECT } from '../types/index.js';
import {
  type CelDuration,
  type CelList,
  type CelMap,
  type CelMessage,
  type CelOptional,
  type CelTimestamp,
  type CelUint,
  type CelValue,
  elementsOf,
  formatDuration,
  formatTimestamp,
  kindOf,
  misnamedMessages,
  typeNameOf,
} from '../values/index.js';

/** A value of CEL has no form in a patch, in the API server's words. */
class NoPatchValue extends Error {}

export type PatchOperations = readonly JsonObject[];

/** `panics`: the API server does not answer such a request. */
export type Converted<T> = { readonly value: T } | { readonly failed: string } | { readonly panics: string };

/**
 * The configuration that an `Object` stands for.
 *
 * Source: apiserver `pkg/admission/plugin/policy/mutating/patch/smd.go`, `pkg/cel/mutation/dynamic/objects.go`.
 */
export function configurationOf(result: CelValue): Converted<JsonObject> {
  const misnamed = misnamedMessages(result, APPLIED_OBJECT.name);
  if (misnamed.length > 0) return { failed: `type mismatch: ${misnamed.join('\n')}` };
  return attempt(() => fieldsOf((result as CelMessage).fields, configured));
}

/**
 * The operations that a list of `JSONPatch` stands for.
 *
 * Source: apiserver `pkg/admission/plugin/policy/mutating/patch/json_patch.go`.
 */
export function operationsOf(result: CelValue): Converted<PatchOperations> {
  const operations: JsonObject[] = [];
  for (const element of elementsOf(result as CelList)) {
    const { fields } = element as CelMessage;
    const [op = '', path = '', from = '', value] = ['op', 'path', 'from', 'value'].map((name) => fields.get(name)) as string[];
    const converted: Converted<Json> | undefined = value === undefined ? undefined : operandOf(value);
    if (converted !== undefined && !('value' in converted)) return converted;
    operations.push({ op, path, ...(from === '' ? {} : { from }), ...converted });
  }
  return { value: operations };
}

function operandOf(value: CelValue): Converted<Json> {
  if (kindOf(value) === 'message') {
    const misnamed = misnamedMessages(value, (value as CelMessage).typeName);
    if (misnamed.length > 0) return { failed: `type mismatch: ${misnamed.join('\n')}` };
  } else if (holdsMessage(value)) {
    return { panics: 'the value of a JSONPatch is a list or a map of Objects, which the API server cannot turn into JSON' };
  }
  const converted = attempt(() => patched(value));
  return 'failed' in converted
    ? { failed: `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${converted.failed}` }
    : converted;
}

function holdsMessage(value: CelValue): boolean {
  switch (kindOf(value)) {
    case 'message':
      return true;
    case 'list':
      return elementsOf(value as CelList).some(holdsMessage);
    case 'map':
      return [...(value as CelMap).keys()].some((key) => holdsMessage((value as CelMap).get(key) ?? null));
    default:
      return false;
  }
}

function attempt<T>(convert: () => T): Converted<T> {
  try {
    return { value: convert() };
  } catch (error) {
    if (error instanceof NoPatchValue) return { failed: error.message };
    throw error;
  }
}

/** A value as the patched document will hold it: protobuf's JSON. */
function patched(value: CelValue): Json {
  switch (kindOf(value)) {
    case 'int':
    case 'uint': {
      const number = kindOf(value) === 'int' ? (value as bigint) : (value as CelUint).value;
      return isExact(number) ? Number(number) : String(number);
    }
    case 'bytes':
      return btoa(String.fromCharCode(...(value as Uint8Array)));
    case 'timestamp':
      return formatTimestamp((value as CelTimestamp).nanoseconds);
    case 'duration':
      return formatDuration((value as CelDuration).nanoseconds);
    case 'list':
      return elementsOf(value as CelList).map(patched);
    case 'map':
      return entriesOf(value as CelMap, patched, (key) => `unsupported type conversion from '${typeNameOf(key)}' to string`);
    case 'message':
      return fieldsOf((value as CelMessage).fields, member);
    case 'optional': {
      const { value: inner } = value as CelOptional;
      return inner === undefined ? null : patched(inner);
    }
    case 'type':
      throw new NoPatchValue("type conversion not supported for 'type'");
    case 'opaque':
      throw new NoPatchValue(`type conversion error from '${typeNameOf(value).replace(/^.*\./, '')}' to '*structpb.Value'`);
    default:
      return value as boolean | number | string | null;
  }
}

/** A field of a message, which protobuf takes from a Go value: below a list another one cannot be. */
function member(value: CelValue): Json {
  if (kindOf(value) !== 'list') return patched(value);
  return elementsOf(value as CelList).map((element) => {
    if (kindOf(element) === 'list') throw new NoPatchValue('proto: invalid type: []ref.Val');
    return patched(element);
  });
}

const MAX_EXACT = 2n ** 53n - 1n;

function isExact(number: bigint): boolean {
  return number >= -MAX_EXACT && number <= MAX_EXACT;
}

/** A value of an applied configuration. */
function configured(value: CelValue): Json {
  switch (kindOf(value)) {
    case 'int':
      return Number(value);
    case 'uint':
      return Number((value as CelUint).value);
    case 'list':
      return elementsOf(value as CelList).map(configured);
    case 'map':
      return entriesOf(value as CelMap, configured, () => 'invalid return type: *dynamic.ObjectVal');
    case 'message':
      return fieldsOf((value as CelMessage).fields, configured);
    case 'optional': {
      const { value: inner } = value as CelOptional;
      return inner === undefined ? null : configured(inner);
    }
    case 'bytes':
    case 'timestamp':
    case 'duration':
    case 'type':
    case 'opaque':
      throw new NoPatchValue(`a value of type ${typeNameOf(value)} has no form in an object: make a text of it with string(...)`);
    default:
      return value as boolean | number | string | null;
  }
}

function fieldsOf(fields: ReadonlyMap<string, CelValue>, convert: (value: CelValue) => Json): JsonObject {
  return Object.fromEntries([...fields].map(([name, value]) => [name, convert(value)]));
}

function entriesOf(map: CelMap, convert: (value: CelValue) => Json, problem: (key: CelValue) => string): JsonObject {
  return Object.fromEntries(
    [...map.keys()].map((key) => {
      if (typeof key !== 'string') throw new NoPatchValue(problem(key));
      return [key, convert(map.get(key) ?? null)];
    }),
  );
}
