import { goJson, type Json } from '@keelson/kubernetes/apimachinery';
import { isObject, type PatchFormat } from '../contract/index.js';

/** Where a patch has looked into a document: by field or index. */
type Touched = Map<string, Touched>;

/**
 * A document as messages show it after a patch: what the patch has reached into is sorted, all else stands as the server had written it.
 *
 * Source: evanphx/json-patch v4, which takes a document apart only as far as it has to.
 */
export function patchedText(result: Json, { value, format }: { readonly value: Json; readonly format: PatchFormat }): string {
  const touched: Touched = new Map();
  if (format === 'json') for (const operation of Array.isArray(value) ? (value as readonly Json[]) : []) touchOperation(touched, operation);
  else touchFields(touched, value);
  return goJson(shown(result, touched));
}

function touchOperation(touched: Touched, operation: Json): void {
  if (!isObject(operation)) return;
  for (const pointer of [operation['path'], operation['from']]) {
    if (typeof pointer !== 'string') continue;
    let place = touched;
    for (const part of partsOf(pointer).slice(0, -1)) place = at(place, part);
  }
  const { op, from, path } = operation;
  // A value that has been reached into stays sorted wherever it goes.
  if ((op === 'move' || op === 'copy') && typeof from === 'string' && typeof path === 'string')
    carry(touched, partsOf(from), partsOf(path));
}

function carry(touched: Touched, from: readonly string[], path: readonly string[]): void {
  let found: Touched | undefined = touched;
  for (const part of from) found = found?.get(part);
  const name = path.at(-1);
  if (found === undefined || name === undefined) return;
  path.slice(0, -1).reduce(at, touched).set(name, structuredClone(found));
}

function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Lists of a merge patch are read through, too: nulls are looked for. */
function touchFields(touched: Touched, patch: Json): void {
  if (typeof patch !== 'object' || patch === null) return;
  for (const [name, item] of Object.entries(patch)) if (typeof item === 'object' && item !== null) touchFields(at(touched, name), item);
}

function at(touched: Touched, name: string): Touched {
  const next = touched.get(name) ?? new Map<string, Touched>();
  touched.set(name, next);
  return next;
}

/** Maps print in their own order, objects sorted. */
function shown(value: Json, touched: Touched | undefined): unknown {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item, index) => shown(item, touched?.get(String(index))));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, shown(item as Json, touched?.get(name))] as const);
  return touched === undefined ? new Map(entries) : Object.fromEntries(entries);
}
