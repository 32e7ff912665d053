import { goJson } from '../go-format.js';
import type { JsonObject } from '../json.js';
import type { Json } from '../structural-schema.js';
import { addMember, asContainer, type Container, during, getMember, MemberProblem, removeMember, setMember } from './container.js';
import { doesNotApply, type PatchRefused, serverPanic } from './errors.js';
import { type FieldValidation, MAX_OPERATIONS, readJsonPatch, textOf } from './json-patch-document.js';
import { readPointer } from './json-pointer.js';
import { copyWorking, equalWorking, fromWorking, GIVEN_NULL, toWorking, type WorkingValue } from './working-value.js';

export interface JsonPatchOptions {
  /**
   * How the request wants its fields to be read. Other than `Ignore` refuses an `op`, `path` or `from` that is not a text with 400 instead of 422.
   * @defaultValue 'Ignore', as the server reads the patches of webhooks; it reads requests with 'Warn' unless they say otherwise
   */
  readonly fieldValidation?: FieldValidation;
  /** @defaultValue 10_000, the server's limit for requests. The patches of webhooks have none: Infinity */
  readonly maxOperations?: number;
  /** How many bytes of JSON all `copy` operations together may add. @defaultValue 3 MiB, the server's limit */
  readonly maxCopiedBytes?: number;
}

const MAX_COPIED_BYTES = 3 * 1024 * 1024;

/**
 * Applies a JSON Patch as the API server does (evanphx/json-patch v4), which is not quite RFC 6902: `replace` creates a field that is missing, `test` for null
 * holds for one, `copy` of one writes null; negative indexes count from the end; nothing but `replace` and `test` reaches the whole document.
 *
 * One thing is kinder here: the server compares numbers and texts in `test` as they are spelled, so that `1.0` is not `1`, and `"<"` not what it has
 * stored as `"\u003c"`. Here values are compared.
 *
 * @param patch the decoded document: whatever a client has sent.
 * @returns the new document; `document` stays as it is.
 * @throws PatchRefused 400 no patch document, 413 too many operations, 422 an operation does not apply, 500 where the server's library panics.
 */
export function applyJsonPatch(document: Json, patch: Json, options: JsonPatchOptions = {}): Json {
  const { fieldValidation = 'Ignore', maxOperations = MAX_OPERATIONS, maxCopiedBytes = MAX_COPIED_BYTES } = options;
  const operations = readJsonPatch(patch, fieldValidation, maxOperations);
  if (operations.length === 0) return document;
  const run = new PatchRun(document, maxCopiedBytes);
  for (const operation of operations) run.perform(operation);
  return fromWorking(run.root);
}

interface Place {
  readonly container: Container;
  readonly key: string;
}

class PatchRun {
  root: WorkingValue;
  readonly #maxCopiedBytes: number;
  #copiedBytes = 0;

  constructor(document: Json, maxCopiedBytes: number) {
    this.root = toWorking(document);
    this.#maxCopiedBytes = maxCopiedBytes;
  }

  perform(operation: JsonObject): void {
    const op = textOf(operation, 'op');
    const kind = 'text' in op ? op.text : 'unknown';
    switch (kind) {
      case 'add':
        this.#add(operation);
        break;
      case 'remove':
        this.#remove(operation);
        break;
      case 'replace':
        this.#replace(operation);
        break;
      case 'move':
        this.#move(operation);
        break;
      case 'test':
        this.#test(operation);
        break;
      case 'copy':
        this.#copy(operation);
        break;
      default:
        throw doesNotApply(`Unexpected kind: ${kind}`);
    }
  }

  #add(operation: JsonObject): void {
    const path = textOr(operation, 'path', 'add operation failed to decode path: missing value');
    const place = this.#find(path, `add operation does not apply: doc is missing path: "${path}": missing value`);
    const value = givenValue(operation) ?? null;
    during(`error in add for path: '${path}'`, () => addMember(place.container, place.key, value));
  }

  #remove(operation: JsonObject): void {
    const path = textOr(operation, 'path', 'remove operation failed to decode path: missing value');
    const place = this.#find(path, `remove operation does not apply: doc is missing path: "${path}": missing value`);
    during(`error in remove for path: '${path}'`, () => removeMember(place.container, place.key));
  }

  #replace(operation: JsonObject): void {
    const path = textOr(operation, 'path', 'replace operation failed to decode path');
    const value = givenValue(operation);
    if (path === '') {
      this.#replaceRoot(value);
      return;
    }
    const { container, key } = this.#find(path, `replace operation does not apply: doc is missing path: ${path}: missing value`);
    try {
      getMember(container, key);
    } catch (error) {
      if (!(error instanceof MemberProblem)) throw error;
      throw doesNotApply(`replace operation does not apply: doc is missing key: ${path}: missing value`);
    }
    setMember(container, key, value ?? null);
  }

  #replaceRoot(value: WorkingValue | undefined): void {
    if (value === undefined) throw serverPanic('the whole document is replaced without a value');
    // A scalar is passed over in silence: the library wraps an error that is not there.
    if (Array.isArray(value) || value instanceof Map) this.root = value;
  }

  #move(operation: JsonObject): void {
    const from = textOr(operation, 'from', 'move operation failed to decode from');
    const source = this.#find(from, `move operation does not apply: doc is missing from path: ${from}: missing value`);
    const value = during(`error in move for path: '${source.key}'`, () => {
      const found = getMember(source.container, source.key);
      removeMember(source.container, source.key);
      return found;
    });
    const path = textOr(operation, 'path', 'move operation failed to decode path');
    const target = this.#find(path, `move operation does not apply: doc is missing destination path: ${path}: missing value`);
    during(`error in move for path: '${path}'`, () => addMember(target.container, target.key, value));
  }

  #test(operation: JsonObject): void {
    const path = textOr(operation, 'path', 'test operation failed to decode path');
    const given = givenValue(operation);
    if (path === '') {
      if (given === undefined) throw serverPanic('the whole document is tested without a value');
      if (!equalWorking(this.root, given)) throw testFailed(path);
      return;
    }
    const { container, key } = this.#find(path, `test operation does not apply: is missing path: ${path}: missing value`);
    const value = during(`error in test for path: '${path}'`, () => getMember(container, key));
    const holds = value === null ? given === GIVEN_NULL || given === undefined : given !== undefined && equalWorking(value, given);
    if (!holds) throw testFailed(path);
  }

  #copy(operation: JsonObject): void {
    const from = textOr(operation, 'from', 'copy operation failed to decode from');
    const source = this.#find(from, `copy operation does not apply: doc is missing from path: ${from}: missing value`);
    const value = during(`error in copy for from: '${from}'`, () => getMember(source.container, source.key));
    const path = textOr(operation, 'path', 'copy operation failed to decode path: missing value');
    const target = this.#find(path, `copy operation does not apply: doc is missing destination path: ${path}: missing value`);
    const copy = this.#countedCopy(value);
    during('error while adding value during copy', () => addMember(target.container, target.key, copy));
  }

  /** Without a limit, ten thousand copies could double the document ten thousand times. */
  #countedCopy(value: WorkingValue): WorkingValue {
    if (value === null) return null;
    const { copy, json } = copyWorking(value);
    this.#copiedBytes += new TextEncoder().encode(goJson(json)).length;
    if (this.#copiedBytes <= this.#maxCopiedBytes) return copy;
    const sizes = `the accumulated size increase of copy is ${this.#copiedBytes}, exceeding the limit ${this.#maxCopiedBytes}`;
    throw doesNotApply(`Unable to complete the copy, ${sizes}`);
  }

  #find(path: string, problem: string): Place {
    const pointer = readPointer(path);
    if (pointer === undefined) throw doesNotApply(problem);
    let container = asContainer(this.root);
    for (const part of pointer.parents) {
      if (container === undefined) break;
      container = reach(container, part);
    }
    if (container === undefined) throw doesNotApply(problem);
    return { container, key: pointer.key };
  }
}

function reach(container: Container, key: string): Container | undefined {
  try {
    return asContainer(getMember(container, key));
  } catch (error) {
    if (error instanceof MemberProblem) return undefined;
    throw error;
  }
}

/** Undefined: the operation has no value, which is not the value null. */
function givenValue(operation: JsonObject): WorkingValue | undefined {
  if (!Object.hasOwn(operation, 'value') || operation['value'] === undefined) return undefined;
  return operation['value'] === null ? GIVEN_NULL : toWorking(operation['value']);
}

/** @param problem what is said of a field that is not a text; with its cause after it where the problem has none of its own. */
function textOr(operation: JsonObject, name: 'path' | 'from', problem: string): string {
  const result = textOf(operation, name);
  if ('text' in result) return result.text;
  throw doesNotApply(problem.endsWith(': missing value') ? problem : `${problem}: ${result.problem}`);
}

function testFailed(path: string): PatchRefused {
  return doesNotApply(`testing value ${path} failed: test failed`);
}
