import type { Json } from '@keelson/kubernetes/apimachinery';
import type { JsonObject } from '../../../contract/index.js';
import { goYaml } from './go-yaml.js';
import { WireWriter } from './wire-writer.js';

/** Writes the value of a member as one field of a message. */
export type Field = (writer: WireWriter, value: Json) => void;

/** Fields of a message by the name that JSON has for them, in the order of their numbers. Other members are `x-` extensions. */
export interface Message {
  readonly fields: Readonly<Record<string, Field>>;
  /** Number of the field that holds the extensions; undefined if the message takes none. */
  readonly extensions?: number;
}

export function encode({ fields, extensions }: Message, object: JsonObject): Buffer {
  const writer = new WireWriter();
  for (const [name, field] of Object.entries(fields)) {
    const value = object[name];
    if (value !== undefined) field(writer, value);
  }
  for (const [name, value] of Object.entries(object)) {
    if (Object.hasOwn(fields, name)) continue;
    if (extensions === undefined || !name.startsWith('x-')) throw new TypeError(`an OpenAPI document has no member ${name} here`);
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

function named(name: string, value: Buffer): Buffer {
  const writer = new WireWriter();
  writer.text(1, name);
  writer.bytes(2, value);
  return writer.finish();
}

/** A message with one field: how gnostic writes alternatives, maps and lists that stand alone. */
export function wrapped(field: number, value: Buffer): Buffer {
  const writer = new WireWriter();
  writer.bytes(field, value);
  return writer.finish();
}

export const text =
  (field: number): Field =>
  (writer, value) =>
    writer.text(field, String(value));
export const texts =
  (field: number): Field =>
  (writer, value) =>
    writer.texts(field, listOf(value) as readonly string[]);
export const bool =
  (field: number): Field =>
  (writer, value) =>
    writer.bool(field, value === true);
export const int64 =
  (field: number): Field =>
  (writer, value) =>
    writer.int64(field, Number(value));
export const double =
  (field: number): Field =>
  (writer, value) =>
    writer.double(field, Number(value));
export const anyValue =
  (field: number): Field =>
  (writer, value) =>
    writer.bytes(field, any(value));
export const anyValues =
  (field: number): Field =>
  (writer, value) => {
    for (const one of listOf(value)) writer.bytes(field, any(one));
  };
/** A message that is written by a function: those refer to each other. */
export const message =
  (field: number, write: (value: JsonObject) => Buffer): Field =>
  (writer, value) =>
    writer.bytes(field, write(value as JsonObject));
export const messages =
  (field: number, write: (value: JsonObject) => Buffer): Field =>
  (writer, value) => {
    for (const one of listOf(value)) writer.bytes(field, write(one as JsonObject));
  };

/** A map, as a list of names with their values. */
export function namedValues(values: JsonObject, write: (value: Json) => Buffer, field = 1): Buffer {
  const writer = new WireWriter();
  for (const [name, value] of Object.entries(values)) writer.bytes(field, named(name, write(value)));
  return writer.finish();
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** As a type or the scopes of a requirement are written: a message with a list of texts. */
export function stringArray(value: Json): Buffer {
  const writer = new WireWriter();
  writer.texts(1, (Array.isArray(value) ? value : [value]) as readonly string[]);
  return writer.finish();
}
