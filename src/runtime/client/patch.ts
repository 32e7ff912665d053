import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { Patch } from 'keelson/internal/definition';
import type { ObjectOf } from './kind-types.js';

/** One step of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** A change to an object, in one of the three forms that the API server takes beside server-side apply. */
export type PatchBody =
  | { readonly type: 'json'; readonly body: readonly PatchOperation[] }
  | { readonly type: 'merge' | 'strategic'; readonly body: unknown };

export const PATCH_MEDIA_TYPES: Readonly<Record<PatchBody['type'], string>> = Object.freeze({
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
});

/**
 * Step by step, all or nothing; a `test` guards the others.
 *
 * @example
 * ```ts
 * const key = { namespace: 'shop', name: 'settings' };
 * await client.patch(ConfigMap, key, jsonPatch([
 *   { op: 'test', path: '/data/color', value: 'red' },
 *   { op: 'replace', path: '/data/color', value: 'blue' },
 * ]));
 * ```
 */
export function jsonPatch(operations: readonly PatchOperation[]): { readonly type: 'json'; readonly body: readonly PatchOperation[] } {
  return { type: 'json', body: operations };
}

/**
 * The fields to be set; `null` removes one, lists are replaced whole. With `metadata.resourceVersion` it applies to that version only.
 *
 * @example
 * ```ts
 * await client.patch(ConfigMap, { namespace: 'shop', name: 'settings' }, mergePatch({ data: { color: 'blue', old: null } }));
 * ```
 */
export function mergePatch<const TBody extends object>(body: TBody): { readonly type: 'merge'; readonly body: Mutable<TBody> } {
  return { type: 'merge', body: body as Mutable<TBody> };
}

/**
 * As {@link mergePatch}, but lists are merged by their keys, as `$patch` and `$setElementOrder` say. Built-in kinds only: custom resources answer 415.
 *
 * @example
 * ```ts
 * const patch = strategicPatch({ spec: { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } } });
 * await client.patch(Deployment, { namespace: 'shop', name: 'web' }, patch);
 * ```
 */
export function strategicPatch(body: object): { readonly type: 'strategic'; readonly body: object } {
  return { type: 'strategic', body };
}

/** `const` keeps literals as they are written, which a union of literals needs, but makes lists read-only, which no API type is. */
type Mutable<T> = T extends object ? { -readonly [P in keyof T]: Mutable<T[P]> } : T;

/** The patches that `patch` takes for a kind. */
export type PatchOf<TKind extends KindInfo> =
  | { readonly type: 'json'; readonly body: readonly PatchOperation[] }
  | { readonly type: 'merge'; readonly body: Patch<ObjectOf<TKind>> }
  | { readonly type: 'strategic'; readonly body: object };
