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
  stringArray,
  text,
  texts,
  wrapped,
} from './message.js';
import { WireWriter } from './wire-writer.js';

/**
 * The document as gnostic's message `openapi.v2.Document`, byte for byte as Go writes it.
 * Source: gnostic-models `openapiv2/OpenAPIv2.{proto,go}`, 0.7.
 * @throws TypeError if the document has a member that OpenAPI 2 does not know: gnostic refuses it too
 */
export function swaggerProtobuf(document: JsonObject): Buffer {
  return encode(DOCUMENT, document);
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
  const writer = new WireWriter();
  writer.alternativeBool(2, value === true);
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
