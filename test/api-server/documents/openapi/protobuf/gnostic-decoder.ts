import { parse } from 'yaml';
import type { JsonObject } from '../../../../../src/api-server/contract/index.js';

/** What a field holds. `named`: entries of a map, each with the message of its value. */
type Kind =
  | 'any'
  | 'bool'
  | 'double'
  | 'int'
  | 'text'
  | { readonly message: string; readonly field?: number }
  | { readonly named: string; readonly field?: number };

interface FieldOf {
  readonly name: string;
  readonly kind: Kind;
  readonly isList?: true;
}

/** Fields of gnostic's messages by number. Source: gnostic-models `openapiv3/OpenAPIv3.proto`, 0.7. Written down apart from the encoder, to judge it. */
const MESSAGES: Readonly<Record<string, Readonly<Record<number, FieldOf>>>> = {
  Document: {
    1: { name: 'openapi', kind: 'text' },
    2: { name: 'info', kind: { message: 'Info' } },
    4: { name: 'paths', kind: { named: 'PathItem' } },
    5: { name: 'components', kind: { message: 'Components' } },
  },
  Info: { 1: { name: 'title', kind: 'text' }, 6: { name: 'version', kind: 'text' } },
  Components: {
    1: { name: 'schemas', kind: { named: 'SchemaOrReference' } },
    7: { name: 'securitySchemes', kind: { named: 'SecuritySchemeOrReference' } },
  },
  SecurityScheme: { 1: { name: 'type', kind: 'text' }, 3: { name: 'name', kind: 'text' }, 4: { name: 'in', kind: 'text' } },
  PathItem: {
    4: { name: 'get', kind: { message: 'Operation' } },
    5: { name: 'put', kind: { message: 'Operation' } },
    6: { name: 'post', kind: { message: 'Operation' } },
    7: { name: 'delete', kind: { message: 'Operation' } },
    8: { name: 'options', kind: { message: 'Operation' } },
    9: { name: 'head', kind: { message: 'Operation' } },
    10: { name: 'patch', kind: { message: 'Operation' } },
    13: { name: 'parameters', kind: { message: 'ParameterOrReference' }, isList: true },
  },
  Operation: {
    1: { name: 'tags', kind: 'text', isList: true },
    5: { name: 'operationId', kind: 'text' },
    6: { name: 'parameters', kind: { message: 'ParameterOrReference' }, isList: true },
    7: { name: 'requestBody', kind: { message: 'RequestBodyOrReference' } },
    8: { name: 'responses', kind: { named: 'ResponseOrReference', field: 2 } },
    13: { name: 'x-', kind: 'any' },
  },
  Parameter: {
    1: { name: 'name', kind: 'text' },
    2: { name: 'in', kind: 'text' },
    4: { name: 'required', kind: 'bool' },
    10: { name: 'schema', kind: { message: 'SchemaOrReference' } },
  },
  RequestBody: { 2: { name: 'content', kind: { named: 'MediaType' } }, 3: { name: 'required', kind: 'bool' } },
  Response: { 1: { name: 'description', kind: 'text' }, 3: { name: 'content', kind: { named: 'MediaType' } } },
  MediaType: { 1: { name: 'schema', kind: { message: 'SchemaOrReference' } } },
  Reference: { 1: { name: '$ref', kind: 'text' } },
  ExternalDocs: { 1: { name: 'description', kind: 'text' }, 2: { name: 'url', kind: 'text' } },
  Schema: {
    1: { name: 'nullable', kind: 'bool' },
    6: { name: 'externalDocs', kind: { message: 'ExternalDocs' } },
    7: { name: 'example', kind: 'any' },
    9: { name: 'title', kind: 'text' },
    10: { name: 'multipleOf', kind: 'double' },
    11: { name: 'maximum', kind: 'double' },
    12: { name: 'exclusiveMaximum', kind: 'bool' },
    13: { name: 'minimum', kind: 'double' },
    14: { name: 'exclusiveMinimum', kind: 'bool' },
    15: { name: 'maxLength', kind: 'int' },
    16: { name: 'minLength', kind: 'int' },
    17: { name: 'pattern', kind: 'text' },
    18: { name: 'maxItems', kind: 'int' },
    19: { name: 'minItems', kind: 'int' },
    20: { name: 'uniqueItems', kind: 'bool' },
    21: { name: 'maxProperties', kind: 'int' },
    22: { name: 'minProperties', kind: 'int' },
    23: { name: 'required', kind: 'text', isList: true },
    24: { name: 'enum', kind: 'any', isList: true },
    25: { name: 'type', kind: 'text' },
    26: { name: 'allOf', kind: { message: 'SchemaOrReference' }, isList: true },
    27: { name: 'oneOf', kind: { message: 'SchemaOrReference' }, isList: true },
    28: { name: 'anyOf', kind: { message: 'SchemaOrReference' }, isList: true },
    29: { name: 'not', kind: { message: 'Schema' } },
    30: { name: 'items', kind: { message: 'SchemaOrReference', field: 1 } },
    31: { name: 'properties', kind: { named: 'SchemaOrReference' } },
    32: { name: 'additionalProperties', kind: { message: 'AdditionalProperties' } },
    33: { name: 'default', kind: { message: 'Default' } },
    34: { name: 'description', kind: 'text' },
    35: { name: 'format', kind: 'text' },
    36: { name: 'x-', kind: 'any' },
  },
};

/** Messages that are one of several things. */
const ALTERNATIVES: Readonly<Record<string, Readonly<Record<number, Kind>>>> = {
  SchemaOrReference: { 1: { message: 'Schema' }, 2: { message: 'Reference' } },
  ParameterOrReference: { 1: { message: 'Parameter' }, 2: { message: 'Reference' } },
  RequestBodyOrReference: { 1: { message: 'RequestBody' }, 2: { message: 'Reference' } },
  ResponseOrReference: { 1: { message: 'Response' }, 2: { message: 'Reference' } },
  SecuritySchemeOrReference: { 1: { message: 'SecurityScheme' }, 2: { message: 'Reference' } },
  AdditionalProperties: { 1: { message: 'SchemaOrReference' }, 2: 'bool' },
  Default: { 1: 'double', 2: 'bool', 3: 'text' },
};

/** A document as its JSON would be; a default that is a list or a map is `{}`. @throws Error for a field that the server's documents do not have */
export function decodedDocument(bytes: Buffer): JsonObject {
  return decoded('Document', bytes) as JsonObject;
}

function decoded(message: string, bytes: Buffer): unknown {
  const alternatives = ALTERNATIVES[message];
  const fields = [...fieldsOf(bytes)];
  if (alternatives !== undefined) {
    const [found] = fields;
    if (found === undefined) return {};
    return contentOf(kindOf(alternatives[found.number], message, found.number), found.value);
  }
  const result: Record<string, unknown> = {};
  for (const { number, value } of fields) {
    const field = MESSAGES[message]?.[number];
    if (field === undefined) throw new Error(`${message} has no field ${number} here`);
    if (field.name === 'x-') Object.assign(result, entryOf(value as Buffer, 'any'));
    else if (field.isList) result[field.name] = [...((result[field.name] as unknown[] | undefined) ?? []), contentOf(field.kind, value)];
    else result[field.name] = contentOf(field.kind, value);
  }
  return result;
}

function kindOf(kind: Kind | undefined, message: string, number: number): Kind {
  if (kind === undefined) throw new Error(`${message} has no alternative ${number}`);
  return kind;
}

function contentOf(kind: Kind, value: Buffer | bigint): unknown {
  if (kind === 'bool') return value === 1n;
  if (kind === 'int') return Number(value);
  const bytes = value as Buffer;
  if (kind === 'double') return bytes.readDoubleLE();
  if (kind === 'text') return bytes.toString();
  if (kind === 'any') return parse(textIn(bytes, 2), { version: '1.2' });
  if ('message' in kind) return decoded(kind.message, kind.field === undefined ? bytes : onlyOne(bytes, kind.field));
  const entries = [...fieldsOf(bytes)].map(({ number, value: entry }) => {
    if (number !== (kind.field ?? 1)) throw new Error(`a map of ${kind.named} has no field ${number}`);
    return entryOf(entry as Buffer, { message: kind.named });
  });
  return Object.assign({}, ...entries);
}

function entryOf(bytes: Buffer, kind: Kind): Record<string, unknown> {
  const value = [...fieldsOf(bytes)].find(({ number }) => number === 2)?.value;
  if (value === undefined) throw new Error('an entry of a map has no value');
  return { [textIn(bytes, 1)]: contentOf(kind, value) };
}

function textIn(bytes: Buffer, wanted: number): string {
  const found = [...fieldsOf(bytes)].find(({ number }) => number === wanted)?.value;
  return found === undefined ? '' : (found as Buffer).toString();
}

function onlyOne(bytes: Buffer, wanted: number): Buffer {
  const fields = [...fieldsOf(bytes)];
  if (fields.length !== 1 || fields[0]?.number !== wanted) throw new Error(`a message with field ${wanted} alone was expected`);
  return fields[0].value as Buffer;
}

interface WireField {
  readonly number: number;
  readonly value: Buffer | bigint;
}

function* fieldsOf(bytes: Buffer): Generator<WireField> {
  let at = 0;
  const varint = (): bigint => {
    let result = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('the message ends in the middle of a number');
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return result;
    }
  };
  const slice = (length: number): Buffer => {
    at += length;
    if (at > bytes.length) throw new Error('the message ends in the middle of a field');
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    if ((tag & 7) === 0) yield { number, value: varint() };
    else if ((tag & 7) === 1) yield { number, value: slice(8) };
    else if ((tag & 7) === 2) yield { number, value: slice(Number(varint())) };
    else throw new Error(`wire type ${tag & 7} is of no field of gnostic's`);
  }
}
