import { compareUtf8 } from '../go-format.js';
import { fieldOf, isJsonObject, type JsonObject } from '../json.js';
import type { Json } from '../structural-schema.js';
import { alignLists, likeness } from './align-lists.js';
import { escapeSegment } from './json-pointer.js';
import { checkNesting, fieldsOf, isList } from './json-tree.js';

/** An operation as {@link createJsonPatch} writes it. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

/**
 * The JSON Patch that makes `after` of `before`: what a mutating webhook answers.
 *
 * It touches only what differs: equal parts are never written, fields in order of their names, items of lists aligned so that an insertion does not rewrite
 * those behind it. The same values give the same patch. Fields that are `undefined` are not there.
 */
export function createJsonPatch(before: Json, after: Json): JsonPatchOperation[] {
  checkNesting(before);
  checkNesting(after);
  const operations: JsonPatchOperation[] = [];
  write(operations, '', { before, after });
  return operations;
}

interface Change {
  readonly before: Json;
  readonly after: Json;
}

function write(operations: JsonPatchOperation[], path: string, { before, after }: Change): void {
  if (before === after) return;
  if (isJsonObject(before) && isJsonObject(after)) writeFields(operations, path, { before, after });
  else if (isList(before) && isList(after)) writeItems(operations, path, { before, after });
  else operations.push({ op: 'replace', path, value: after });
}

function writeFields(operations: JsonPatchOperation[], path: string, change: { before: JsonObject; after: JsonObject }): void {
  const names = new Set([...fieldsOf(change.before), ...fieldsOf(change.after)].map(([name]) => name));
  for (const name of [...names].sort(compareUtf8)) {
    const [before, after] = [fieldOf(change.before, name), fieldOf(change.after, name)];
    const here = `${path}/${escapeSegment(name)}`;
    if (after === undefined) operations.push({ op: 'remove', path: here });
    else if (before === undefined) operations.push({ op: 'add', path: here, value: after });
    else write(operations, here, { before, after });
  }
}

/** From front to back: indexes are those of the list as the operations before have left it. */
function writeItems(operations: JsonPatchOperation[], path: string, change: { before: readonly Json[]; after: readonly Json[] }): void {
  let index = 0;
  let left = change.before.length;
  for (const alignment of alignLists(change.before, change.after)) {
    const here = `${path}/${index}`;
    switch (alignment.step) {
      case 'remove':
        operations.push({ op: 'remove', path: here });
        left -= 1;
        continue;
      case 'insert':
        operations.push({ op: 'add', path: left === 0 ? `${path}/-` : here, value: alignment.to });
        break;
      case 'change':
        writeItem(operations, here, { before: alignment.from, after: alignment.to });
        left -= 1;
        break;
      default:
        left -= 1;
    }
    index += 1;
  }
}

/** An item that has nothing in common with the old one is another item: one operation instead of one for each field. */
function writeItem(operations: JsonPatchOperation[], path: string, change: Change): void {
  const { before, after } = change;
  if (isJsonObject(before) && isJsonObject(after) && likeness(before, after) === 0) operations.push({ op: 'replace', path, value: after });
  else write(operations, path, change);
}
