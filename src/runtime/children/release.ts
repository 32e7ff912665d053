import type { Logger } from 'keelson/internal/definition';
import type { Informer, StoredObject } from '../cache/index.js';
import { type ApiClient, isNotFound, jsonPatch, type PatchOperation } from '../client/index.js';
import { describe } from './child.js';
import { ADOPTED_ANNOTATION, namedOwner, OWNER_ANNOTATION, OWNER_INDEX } from './marks.js';

export interface ReleaseOptions {
  readonly client: Pick<ApiClient, 'patch'>;
  readonly fieldManager: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Takes the owner off its children, so that the garbage collector leaves them when it is gone.
 *
 * The cache is refreshed first: the garbage collector would delete a child that the cache does not hold yet.
 */
export async function release(owner: StoredObject, informer: Informer, options: ReleaseOptions): Promise<void> {
  const { uid } = owner.metadata;
  await informer.refresh(options.signal);
  for (const child of informer.list({ index: { [OWNER_INDEX]: uid } })) {
    const { client, fieldManager, log, signal } = options;
    const { name, namespace } = child.metadata;
    const key = { name, ...(namespace === undefined ? {} : { namespace }) };
    try {
      const patch = jsonPatch(stepsFor(child, uid));
      informer.written((await client.patch(informer.kind, key as never, patch as never, { fieldManager, signal })) as StoredObject);
      log.info('child kept, its owner is being deleted', { child: describe(child) });
    } catch (error) {
      // A child that has changed since is an error: the finalizer keeps the owner, and the next run looks again.
      if (!isNotFound(error)) throw error;
    }
  }
}

function stepsFor({ metadata }: StoredObject, ownerUid: string): readonly PatchOperation[] {
  const { ownerReferences = [], annotations = {} } = metadata;
  const steps: PatchOperation[] = [{ op: 'test', path: '/metadata/uid', value: metadata.uid }];
  const index = ownerReferences.findIndex(({ uid }) => uid === ownerUid);
  if (index >= 0) {
    const path = `/metadata/ownerReferences/${index}`;
    steps.push({ op: 'test', path: `${path}/uid`, value: ownerUid }, { op: 'remove', path });
  }
  if (namedOwner(annotations)?.uid === ownerUid)
    for (const name of [OWNER_ANNOTATION, ADOPTED_ANNOTATION])
      if (annotations[name] !== undefined) steps.push({ op: 'remove', path: `/metadata/annotations/${name.replace('/', '~1')}` });
  return steps;
}
