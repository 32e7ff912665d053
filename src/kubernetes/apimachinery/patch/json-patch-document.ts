import { compareUtf8 } from '../go-format.js';
import { fieldOf, isJsonObject, type JsonObject } from '../json.js';
import type { Json } from '../structural-schema.js';
import { badPatch, PatchRefused } from './errors.js';
import { isList } from './json-tree.js';

/** How strictly a request wants its fields to be read; the server's default is `Warn`. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** The most operations of one request. */
export const MAX_OPERATIONS = 10_000;

/** The server decodes with two decoders: the strict one, which it asks unless the request wants `Ignore`, knows what each field must be. */
const STRICT = { prefix: 'error decoding patch: ', list: '[]handlers.jsonPatchOp', item: 'handlers.jsonPatchOp' };
const LENIENT = { prefix: '', list: 'jsonpatch.Patch', item: 'jsonpatch.Operation' };

const TEXT_FIELDS = ['op', 'path', 'from'];
const KNOWN_FIELDS = new Set([...TEXT_FIELDS, 'value']);

/**
 * The operations of a patch document. An operation may be null: it then is one of unknown kind.
 *
 * @throws PatchRefused 400 for what is not a patch document, 413 for too many operations.
 */
export function readJsonPatch(patch: Json, validation: FieldValidation, maxOperations: number): readonly JsonObject[] {
  if (validation !== 'Ignore') decode(patch, STRICT);
  const operations = decode(patch, LENIENT);
  if (operations.length > maxOperations) {
    const counts = `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`;
    throw new PatchRefused({ status: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: ${counts}` });
  }
  return operations;
}

function decode(patch: Json, decoder: typeof STRICT): readonly JsonObject[] {
  if (patch === null) return [];
  if (!isList(patch)) throw mismatch(decoder, patch, `Go value of type ${decoder.list}`);
  return patch.map((operation) => {
    if (operation === null) return {};
    if (!isJsonObject(operation)) throw mismatch(decoder, operation, `Go value of type ${decoder.item}`);
    if (decoder === STRICT) checkTexts(operation);
    return operation;
  });
}

function checkTexts(operation: JsonObject): void {
  for (const name of Object.keys(operation)) {
    const value = operation[name] ?? null;
    if (TEXT_FIELDS.includes(name) && value !== null && typeof value !== 'string')
      throw mismatch(STRICT, value, `Go struct field jsonPatchOp.${name} of type string`);
  }
}

function mismatch({ prefix }: typeof STRICT, value: Json, target: string): PatchRefused {
  return badPatch(`${prefix}json: cannot unmarshal ${jsonKind(value)} into ${target}`);
}

/** The name that Go's decoder has for the kind of a JSON value. */
export function jsonKind(value: Json): string {
  if (isList(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** A field of an operation that is a text. Undefined: it is absent or null. */
export function textOf(operation: JsonObject, name: 'op' | 'path' | 'from'): { text: string } | { problem: string } {
  const value = fieldOf(operation, name) ?? null;
  if (typeof value === 'string') return { text: value };
  if (value !== null) return { problem: `json: cannot unmarshal ${jsonKind(value)} into Go value of type string` };
  return { problem: `operation${name === 'from' ? ',' : ''} missing ${name} field: missing value` };
}

/**
 * The error of a request with `fieldValidation=Strict`, and the warning of one with `Warn`: fields that operations do not have.
 *
 * @returns one text for each, in the server's words; none for what is not a patch document.
 */
export function unknownJsonPatchFields(patch: Json): string[] {
  const unknown = (isList(patch) ? patch : []).flatMap((operation, index) =>
    Object.keys(isJsonObject(operation) ? operation : {})
      .filter((name) => !KNOWN_FIELDS.has(name))
      .map((name) => `json patch unknown field "[${index}].${name}"`),
  );
  return unknown.sort(compareUtf8);
}
