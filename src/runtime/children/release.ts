import type { Logger } from 'keelson/internal/definition';
import type { Informer, StoredObject } from '../cache/index.js';
import { type ApiClient, isNotFound, jsonPatch, type PatchOperation } from '../client/index.js';
import { describe } from './child.js';
import { ADOPTED_ANNOTATION, APPLIED_ANNOTATION, namedOwner, OWNER_ANNOTATION, OWNER_INDEX } from './marks.js';

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
  const { log, ...rest } = options;
  for (const child of informer.list({ index: { [OWNER_INDEX]: uid } }))
    if (await orphan(child, uid, { ...rest, informer })) log.info('child kept, its owner is being deleted', { child: describe(child) });
}

export interface OrphanOptions extends Omit<ReleaseOptions, 'log'> {
  readonly informer: Informer;
  /** Whether the mark of what was applied goes too: then no owner of the same name takes the child back. @defaultValue false */
  readonly isMarkTaken?: boolean | undefined;
}

/**
 * Takes the owner off one child. A child that has changed since is an error: the next run looks again.
 *
 * @returns `false` if it is gone
 */
export async function orphan(
  child: StoredObject,
  ownerUid: string,
  { informer, client, fieldManager, signal, isMarkTaken = false }: OrphanOptions,
): Promise<boolean> {
  const { name, namespace } = child.metadata;
  const key = { name, ...(namespace === undefined ? {} : { namespace }) };
  try {
    const taken = isMarkTaken ? [OWNER_ANNOTATION, ADOPTED_ANNOTATION, APPLIED_ANNOTATION] : [OWNER_ANNOTATION, ADOPTED_ANNOTATION];
    const patch = jsonPatch(stepsFor(child, ownerUid, taken));
    informer.written((await client.patch(informer.kind, key as never, patch as never, { fieldManager, signal })) as StoredObject);
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
}

function stepsFor({ metadata }: StoredObject, ownerUid: string, taken: readonly string[]): readonly PatchOperation[] {
  const { ownerReferences = [], annotations = {} } = metadata;
  const steps: PatchOperation[] = [{ op: 'test', path: '/metadata/uid', value: metadata.uid }];
  const index = ownerReferences.findIndex(({ uid }) => uid === ownerUid);
  if (index >= 0) {
    const path = `/metadata/ownerReferences/${index}`;
    steps.push({ op: 'test', path: `${path}/uid`, value: ownerUid }, { op: 'remove', path });
  }
  const isNamed = namedOwner(annotations)?.uid === ownerUid;
  for (const name of taken)
    if (isNamed || name === APPLIED_ANNOTATION)
      if (annotations[name] !== undefined) steps.push({ op: 'remove', path: `/metadata/annotations/${name.replace('/', '~1')}` });
  return steps;
}
