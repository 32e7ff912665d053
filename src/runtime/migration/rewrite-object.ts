import { apiVersionOf, type KindInfo, type ManagedFieldsEntry, type ObjectMeta } from '@keelson/kubernetes/apimachinery';
import { type ApiClient, isConflict, isInvalid, isNotFound, jsonPatch, mergePatch } from '../client/index.js';

export interface RewriteOptions {
  readonly client: Pick<ApiClient, 'get' | 'patch'>;
  /** Metadata alone is asked for: the content does not matter. */
  readonly kind: KindInfo;
  readonly servedVersions: readonly string[];
  readonly signal: AbortSignal;
}

/** Another client that writes the same object at the same time stores it anew as well. */
const TRIES = 4;
const SEED_MANAGER = 'keelson-stored-versions';

/**
 * Writes an object without a change: the API server stores it in the storage version, if it is stored in another one, and does nothing otherwise.
 *
 * Managed fields of versions that are served no more are taken away with the same write. With such an entry, server-side apply fails once the version is gone
 * from the CRD: `request to convert CR to an invalid group/version` (kubernetes/kubernetes#111937).
 */
export async function rewriteObject(metadata: ObjectMeta, options: RewriteOptions): Promise<void> {
  const { client, kind, signal } = options;
  const { name, namespace } = metadata;
  const key = { name, ...(namespace === undefined ? {} : { namespace }) } as never;
  let current = metadata;
  for (let left = TRIES; ; left -= 1) {
    const kept = keptFields(current.managedFields ?? [], options);
    try {
      if (kept === undefined) await client.patch(kind, key, mergePatch({}) as never, { signal });
      else await client.patch(kind, key, cleanPatch(current, kept.length === 0 ? [seedOf(kind)] : kept), { signal });
      return;
    } catch (error) {
      // An object that came later was stored in the right version from the beginning.
      if (isNotFound(error)) return;
      if (!(kept !== undefined && left > 1 && (isConflict(error) || isInvalid(error)))) throw error;
      const fresh = await read(key, options);
      if (fresh === undefined || fresh.uid !== metadata.uid) return;
      current = fresh;
    }
  }
}

/** `undefined`: all entries may stay. */
function keptFields(
  entries: readonly ManagedFieldsEntry[],
  { kind, servedVersions }: RewriteOptions,
): readonly ManagedFieldsEntry[] | undefined {
  const isKept = ({ apiVersion }: ManagedFieldsEntry): boolean =>
    servedVersions.some((version) => apiVersion === apiVersionOf({ group: kind.group, version }));
  const kept = entries.filter(isKept);
  return kept.length === entries.length ? undefined : kept;
}

/**
 * An entry in place of none. Without any the next server-side apply would find `before-first-apply` as the manager of all fields, and could remove none of them.
 */
function seedOf(kind: KindInfo): ManagedFieldsEntry {
  const fieldsV1 = { 'f:metadata': { 'f:name': {} } };
  return { manager: SEED_MANAGER, operation: 'Apply', apiVersion: apiVersionOf(kind), fieldsType: 'FieldsV1', fieldsV1 };
}

function cleanPatch({ resourceVersion }: ObjectMeta, kept: readonly ManagedFieldsEntry[]): ReturnType<typeof jsonPatch> {
  return jsonPatch([
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'replace', path: '/metadata/managedFields', value: kept },
  ]);
}

async function read(key: never, { client, kind, signal }: RewriteOptions): Promise<ObjectMeta | undefined> {
  try {
    return ((await client.get(kind, key, { signal })) as { readonly metadata: ObjectMeta }).metadata;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
