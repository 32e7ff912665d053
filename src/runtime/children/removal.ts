import type { OwnPolicy } from 'keelson/internal/definition';
import type { Informer, StoredObject } from '../cache/index.js';
import { type ApiClient, isConflict, isNotFound, mergePatch } from '../client/index.js';
import { ADOPTED_ANNOTATION, APPLIED_ANNOTATION } from './marks.js';

interface Removal {
  readonly client: Pick<ApiClient, 'delete' | 'patch'>;
  readonly fieldManager: string;
  readonly signal: AbortSignal;
}

/** @returns `false` if there was nothing to delete any more: it is not a write, and must not count as one (H38) */
export async function deleteChild(
  informer: Informer,
  live: StoredObject,
  { client, signal, propagation }: Removal & { readonly propagation?: OwnPolicy['propagation'] | undefined },
): Promise<boolean> {
  const { uid } = live.metadata;
  const key = keyOf(live);
  try {
    const answer = await client.delete(informer.kind, key as never, { uid, propagationPolicy: propagation, signal });
    // An answer with the object: finalizers or a grace period still hold it.
    if (answer?.metadata.deletionTimestamp === undefined) informer.deleted({ key, uid });
    else informer.written(answer as StoredObject);
    return true;
  } catch (error) {
    // Gone already, or another object of this name by now: the watch will report it.
    if (!isNotFound(error) && !isConflict(error)) throw error;
    return false;
  }
}

/** Takes the marks off a child that was there before its owner. @returns `false` if it is gone, or another object by now */
export async function letGo(informer: Informer, live: StoredObject, { client, fieldManager, signal }: Removal): Promise<boolean> {
  const { uid } = live.metadata;
  const patch = mergePatch({ metadata: { uid, annotations: { [APPLIED_ANNOTATION]: null, [ADOPTED_ANNOTATION]: null } } });
  try {
    informer.written((await client.patch(informer.kind, keyOf(live) as never, patch as never, { fieldManager, signal })) as StoredObject);
    return true;
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
    return false;
  }
}

function keyOf({ metadata: { name, namespace } }: StoredObject): { readonly name: string; readonly namespace?: string } {
  return { name, ...(namespace === undefined ? {} : { namespace }) };
}
