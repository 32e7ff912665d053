import type { Json } from '@keelson/kubernetes/apimachinery';
import { isObject, type JsonObject } from '../../../contract/index.js';
import {
  anyValue,
  anyValues,
  bool,
  double,
  encode,
  type Field,
  int64,
  type Message,
  message,
  messages,
  namedValues,
  text,
  texts,
  wrapped,
} from './message.js';
import { WireWriter } from './wire-writer.js';

/**
 * The document of a group version as gnostic's message `openapi.v3.Document`, byte for byte as Go writes it.
 * Source: gnostic-models `openapiv3/OpenAPIv3.{proto,go}`, 0.7.
 * @throws TypeError if the document has a member that none of the server's documents has
 */
export function openApiProtobuf(document: JsonObject): Buffer {
  return encode(DOCUMENT, document);
}

/** Numbers of the two that a value can be. */
const [ITSELF, REFERENCE] = [1, 2];

/** gnostic reads three members of a reference, and ignores the others. */
function reference({ $ref, summary, description }: JsonObject): Buffer {
  const writer = new WireWriter();
  for (const [index, value] of [$ref, summary, description].entries()) writer.text(index + 1, typeof value === 'string' ? value : '');
  return writer.finish();
}

const orReference =
  (write: (value: JsonObject) => Buffer) =>
  (value: Json): Buffer => {
    const object = value as JsonObject;
    return object['$ref'] === undefined ? wrapped(ITSELF, write(object)) : wrapped(REFERENCE, reference(object));
  };

const plainSchema = (value: JsonObject): Buffer => encode(SCHEMA, value);
const schema = orReference(plainSchema);
const map =
  (write: (value: Json) => Buffer) =>
  (value: JsonObject): Buffer =>
    namedValues(value, write);

const EXTERNAL_DOCS: Message = { fields: { description: text(1), url: text(2) }, extensions: 3 };

const SCHEMA: Message = {
  fields: {
    nullable: bool(1),
    externalDocs: message(6, (value) => encode(EXTERNAL_DOCS, value as JsonObject)),
    example: anyValue(7),
    title: text(9),
    multipleOf: double(10),
    maximum: double(11),
    exclusiveMaximum: bool(12),
    minimum: double(13),
    exclusiveMinimum: bool(14),
    maxLength: int64(15),
    minLength: int64(16),
    pattern: text(17),
    maxItems: int64(18),
    minItems: int64(19),
    uniqueItems: bool(20),
    maxProperties: int64(21),
    minProperties: int64(22),
    required: texts(23),
    enum: anyValues(24),
    type: text(25),
    allOf: messages(26, schema),
    oneOf: messages(27, schema),
    anyOf: messages(28, schema),
    not: message(29, plainSchema),
    items: message(30, (value) => wrapped(1, schema(value))),
    properties: message(31, map(schema)),
    additionalProperties: (writer, value) => writer.bytes(32, additionalProperties(value)),
    default: (writer, value) => writer.bytes(33, defaultValue(value)),
    description: text(34),
    format: text(35),
  },
  extensions: 36,
};

function additionalProperties(value: Json): Buffer {
  const writer = new WireWriter();
  if (isObject(value)) writer.bytes(1, schema(value));
  else writer.alternativeBool(2, value === true);
  return writer.finish();
}

/** YAML reads whole numbers between these two as integers, gnostic does not: it writes 0. */
const [TOO_LARGE, NO_INTEGER_OF_YAML] = [2 ** 63, 2 ** 64];

/** A default that is a list, a map or nothing is there and says nothing. */
function defaultValue(value: Json): Buffer {
  const writer = new WireWriter();
  if (typeof value === 'number') writer.alternativeDouble(1, value >= TOO_LARGE && value < NO_INTEGER_OF_YAML ? 0 : value);
  else if (typeof value === 'boolean') writer.alternativeBool(2, value);
  else if (typeof value === 'string') writer.bytes(3, Buffer.from(value));
  return writer.finish();
}

const MEDIA_TYPE: Message = { fields: { schema: message(1, schema) }, extensions: 5 };
const content = map((value) => encode(MEDIA_TYPE, value as JsonObject));

const PARAMETER: Message = {
  fields: { name: text(1), in: text(2), description: text(3), required: bool(4), schema: message(10, schema) },
  extensions: 14,
};
const parameter = orReference((value) => encode(PARAMETER, value));
const REQUEST_BODY: Message = { fields: { description: text(1), content: message(2, content), required: bool(3) }, extensions: 4 };
const requestBody = orReference((value) => encode(REQUEST_BODY, value));
const RESPONSE: Message = { fields: { description: text(1), content: message(3, content) }, extensions: 5 };
const response = orReference((value) => encode(RESPONSE, value));

const OPERATION: Message = {
  fields: {
    tags: texts(1),
    summary: text(2),
    description: text(3),
    operationId: text(5),
    parameters: messages(6, parameter),
    requestBody: message(7, requestBody),
    responses: message(8, (value) => namedValues(value, response, 2)),
    deprecated: bool(10),
  },
  extensions: 13,
};
const operation = (field: number): Field => message(field, (value) => encode(OPERATION, value));

const PATH_ITEM: Message = {
  fields: {
    summary: text(2),
    description: text(3),
    get: operation(4),
    put: operation(5),
    post: operation(6),
    delete: operation(7),
    options: operation(8),
    head: operation(9),
    patch: operation(10),
    parameters: messages(13, parameter),
  },
  extensions: 14,
};

const SECURITY_SCHEME: Message = { fields: { type: text(1), description: text(2), name: text(3), in: text(4) }, extensions: 9 };
const COMPONENTS: Message = {
  fields: {
    schemas: message(1, map(schema)),
    securitySchemes: message(7, map(orReference((value) => encode(SECURITY_SCHEME, value)))),
  },
  extensions: 10,
};
const INFO: Message = { fields: { title: text(1), description: text(2), version: text(6) }, extensions: 7 };

const DOCUMENT: Message = {
  fields: {
    openapi: text(1),
    info: message(2, (value) => encode(INFO, value)),
    paths: message(
      4,
      map((item) => encode(PATH_ITEM, item as JsonObject)),
    ),
    components: message(5, (value) => encode(COMPONENTS, value)),
  },
  extensions: 9,
};
