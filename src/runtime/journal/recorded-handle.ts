import type { StoredObject } from '../cache/index.js';
import type { RunRecord } from './run-record.js';

interface CachedHandle {
  readonly get: (key: never) => StoredObject | undefined;
  readonly list: (options?: never) => readonly StoredObject[];
}

/** A handle of a cached kind whose reads the record keeps. */
export function recordedHandle(
  handle: object,
  { name, kind, record }: { readonly name: string; readonly kind: string; readonly record: RunRecord },
): object {
  const { get, list } = handle as CachedHandle;
  return Object.freeze({
    ...handle,
    get(key: never): StoredObject | undefined {
      const found = get(key);
      const asked = typeof key === 'string' ? key : (key as { readonly name: string }).name;
      const object = found === undefined ? asked : textOf(found);
      record.read({ handle: name, kind, verb: 'get', from: 'cache', object, version: found?.metadata.resourceVersion });
      return found;
    },
    list(options?: never): readonly StoredObject[] {
      const found = list(options);
      record.read({ handle: name, kind, verb: 'list', from: 'cache', count: found.length });
      return found;
    },
  });
}

function textOf({ metadata: { name, namespace } }: StoredObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
