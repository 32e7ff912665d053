import { Document, isScalar, parseDocument, Scalar, visit } from 'yaml';
import type { Json } from '../../../../kubernetes/index.js';
import { isObject, type JsonObject } from '../../../contract/index.js';
import { WireWriter } from './wire-writer.js';

/** Writes the value of a member as one field of a message. */
type Field = (writer: WireWriter, value: Json) => void;

/** Fields of a message by the name that JSON has for them, in the order of their numbers. Other members are `x-` extensions. */
interface Message {
  readonly fields: Readonly<Record<string, Field>>;
  /** Number of the field that holds the extensions; undefined if the message takes none. */
  readonly extensions?: number;
}

/**
 * The document as gnostic's message `openapi.v2.Document`, byte for byte as Go writes it.
 * Source: gnostic-models `openapiv2/OpenAPIv2.{proto,go}`, 0.7.
 * @throws TypeError if the document has a member that OpenAPI 2 does not know: gnostic refuses it too
 */
export function swaggerProtobuf(document: JsonObject): Buffer {
  return encode(DOCUMENT, document);
}

function encode({ fields, extensions }: Message, object: JsonObject): Buffer {
  const writer = new WireWriter();
  for (const [name, field] of Object.entries(fields)) {
    const value = object[name];
    if (value !== undefined) field(writer, value);
  }
  for (const [name, value] of Object.entries(object)) {
    if (name in fields) continue;
    if (extensions === undefined || !name.startsWith('x-')) throw new TypeError(`OpenAPI 2 has no member ${name} here`);
    writer.bytes(extensions, named(name, any(value)));
  }
  return writer.finish();
}

/** A value of any type, as YAML. */
function any(value: Json): Buffer {
  const writer = new WireWriter();
  writer.text(2, goYaml(value));
  return writer.finish();
}

/** Quotes as Go's YAML has them: two marks for a text that would be something else, one for a text that could not stand alone. */
function goYaml(value: Json): string {
  const document = new Document(value);
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && isOtherScalar(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ lineWidth: 0, singleQuote: true });
}

/** Whether a text without quotes would be a number, a boolean, a date or nothing. A map or a list needs quotes too, but Go takes the other ones. */
function isOtherScalar(text: string): boolean {
  if (text === '') return true;
  if (/^[A-Za-z][\w-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)) return false;
  const { contents, errors } = parseDocument(text, { version: '1.1' });
  return errors.length === 0 && isScalar(contents) && typeof contents.value !== 'string';
}

function named(name: string, value: Buffer): Buffer {
  const writer = new WireWriter();
  writer.text(1, name);
  writer.bytes(2, value);
  return writer.finish();
}

/** A message with one field: how gnostic writes alternatives, maps and lists that stand alone. */
function wrapped(field: number, value: Buffer): Buffer {
  const writer = new WireWriter();
  writer.bytes(field, value);
  return writer.finish();
}

const text =
  (field: number): Field =>
  (writer, value) =>
    writer.text(field, String(value));
const texts =
  (field: number): Field =>
  (writer, value) =>
    writer.texts(field, listOf(value) as readonly string[]);
const bool =
  (field: number): Field =>
  (writer, value) =>
    writer.bool(field, value === true);
const int64 =
  (field: number): Field =>
  (writer, value) =>
    writer.int64(field, Number(value));
const double =
  (field: number): Field =>
  (writer, value) =>
    writer.double(field, Number(value));
const anyValue =
  (field: number): Field =>
  (writer, value) =>
    writer.bytes(field, any(value));
const anyValues =
  (field: number): Field =>
  (writer, value) => {
    for (const one of listOf(value)) writer.bytes(field, any(one));
  };
/** A message that is written by a function: those refer to each other. */
const message =
  (field: number, write: (value: JsonObject) => Buffer): Field =>
  (writer, value) =>
    writer.bytes(field, write(value as JsonObject));
const messages =
  (field: number, write: (value: JsonObject) => Buffer): Field =>
  (writer, value) => {
    for (const one of listOf(value)) writer.bytes(field, write(one as JsonObject));
  };

/** A map, as a list of names with their values. */
function namedValues(values: JsonObject, write: (value: Json) => Buffer, field = 1): Buffer {
  const writer = new WireWriter();
  for (const [name, value] of Object.entries(values)) writer.bytes(field, named(name, write(value)));
  return writer.finish();
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

const schema = (value: Json): Buffer => encode(SCHEMA, value as JsonObject);

const EXTERNAL_DOCS: Message = { fields: { description: text(1), url: text(2) }, extensions: 3 };

const SCHEMA: Message = {
  fields: {
    $ref: text(1),
    format: text(2),
    title: text(3),
    description: text(4),
    default: anyValue(5),
    multipleOf: double(6),
    maximum: double(7),
    exclusiveMaximum: bool(8),
    minimum: double(9),
    exclusiveMinimum: bool(10),
    maxLength: int64(11),
    minLength: int64(12),
    pattern: text(13),
    maxItems: int64(14),
    minItems: int64(15),
    uniqueItems: bool(16),
    maxProperties: int64(17),
    minProperties: int64(18),
    required: texts(19),
    enum: anyValues(20),
    additionalProperties: (writer, value) => writer.bytes(21, additionalProperties(value)),
    type: (writer, value) => writer.bytes(22, stringArray(value)),
    items: message(23, (value) => wrapped(1, schema(value))),
    allOf: messages(24, schema),
    properties: message(25, (value) => namedValues(value, schema)),
    discriminator: text(26),
    readOnly: bool(27),
    externalDocs: message(29, (value) => encode(EXTERNAL_DOCS, value)),
    example: anyValue(30),
  },
  extensions: 31,
};

function additionalProperties(value: Json): Buffer {
  if (isObject(value)) return wrapped(1, schema(value));
  // A oneof is written although it is false.
  return Buffer.from([2 << 3, value === true ? 1 : 0]);
}

/** As a type or the scopes of a requirement are written: a message with a list of texts. */
function stringArray(value: Json): Buffer {
  const writer = new WireWriter();
  writer.texts(1, (Array.isArray(value) ? value : [value]) as readonly string[]);
  return writer.finish();
}

const BODY_PARAMETER: Message = {
  fields: { description: text(1), name: text(2), in: text(3), required: bool(4), schema: message(5, schema) },
  extensions: 6,
};
const QUERY_PARAMETER: Message = {
  fields: { required: bool(1), in: text(2), description: text(3), name: text(4), type: text(6), format: text(7), uniqueItems: bool(20) },
  extensions: 23,
};
const PATH_PARAMETER: Message = {
  fields: { required: bool(1), in: text(2), description: text(3), name: text(4), type: text(5), format: text(6), uniqueItems: bool(19) },
  extensions: 22,
};
const REFERENCE: Message = { fields: { $ref: text(1), description: text(2) } };

function parameter(value: JsonObject): Buffer {
  const place = value['in'];
  if (place === 'body') return wrapped(1, encode(BODY_PARAMETER, value));
  if (place === 'query') return wrapped(2, wrapped(3, encode(QUERY_PARAMETER, value)));
  if (place === 'path') return wrapped(2, wrapped(4, encode(PATH_PARAMETER, value)));
  throw new TypeError(`no parameter of the API server is in ${JSON.stringify(place)}`);
}

const parameterOrReference = (value: JsonObject): Buffer =>
  value['$ref'] === undefined ? wrapped(1, parameter(value)) : wrapped(2, encode(REFERENCE, value));

const RESPONSE: Message = { fields: { description: text(1), schema: message(2, (value) => wrapped(1, schema(value))) }, extensions: 5 };
const response = (value: Json): Buffer => wrapped(1, encode(RESPONSE, value as JsonObject));

const OPERATION: Message = {
  fields: {
    tags: texts(1),
    summary: text(2),
    description: text(3),
    externalDocs: message(4, (value) => encode(EXTERNAL_DOCS, value)),
    operationId: text(5),
    produces: texts(6),
    consumes: texts(7),
    parameters: messages(8, parameterOrReference),
    responses: message(9, (value) => namedValues(value, response)),
    schemes: texts(10),
    deprecated: bool(11),
  },
  extensions: 13,
};
const operation =
  (field: number): Field =>
  (writer, value) =>
    writer.bytes(field, encode(OPERATION, value as JsonObject));

const PATH_ITEM: Message = {
  fields: {
    get: operation(2),
    put: operation(3),
    post: operation(4),
    delete: operation(5),
    options: operation(6),
    head: operation(7),
    patch: operation(8),
    parameters: messages(9, parameterOrReference),
  },
  extensions: 10,
};

const API_KEY: Message = { fields: { type: text(1), name: text(2), in: text(3), description: text(4) }, extensions: 5 };
const INFO: Message = { fields: { title: text(1), version: text(2), description: text(3) }, extensions: 7 };

const DOCUMENT: Message = {
  fields: {
    swagger: text(1),
    info: message(2, (value) => encode(INFO, value)),
    paths: message(8, (value) => namedValues(value, (item) => encode(PATH_ITEM, item as JsonObject), 2)),
    definitions: message(9, (value) => namedValues(value, schema)),
    parameters: message(10, (value) => namedValues(value, (one) => parameter(one as JsonObject))),
    security: messages(12, (value) => namedValues(value, stringArray)),
    securityDefinitions: message(13, (value) => namedValues(value, (one) => wrapped(2, encode(API_KEY, one as JsonObject)))),
  },
  extensions: 16,
};
