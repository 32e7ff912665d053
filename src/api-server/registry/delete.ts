import type { Deleted, DeleteOptions, DeleteRequest, Draft, JsonObject, RequestContext, Target } from '../contract/index.js';
import { draftOf } from '../contract/index.js';
import { conflict } from '../status/index.js';
import type { StoreKey } from '../store/index.js';
import { Gate } from './gate.js';
import { draftMetadata, metadataOf, orderMetadata, prepareForStorage, timeText } from './metadata.js';
import type { Parts } from './parts.js';
import { missing, resourceOf } from './refusals.js';
import { keyOf } from './storage-key.js';
import { toStoredForm } from './views.js';

/** One DELETE on its way. */
interface Deletion {
  readonly target: Target;
  readonly context: RequestContext;
  readonly options: DeleteOptions;
  readonly request: DeleteRequest;
  readonly gate: Gate;
  readonly key: StoreKey;
}

/**
 * `DELETE` of one object.
 *
 * Source of the steps: apiserver, `pkg/endpoints/handlers/delete.go`, `pkg/registry/generic/registry/store.go` (Delete), `pkg/registry/rest/delete.go`.
 */
export async function deleteObject(
  parts: Parts,
  { target, options }: { target: Target; options: DeleteOptions },
  context: RequestContext,
): Promise<Deleted> {
  const deletion: Deletion = {
    target,
    context,
    options,
    request: requestOf(options),
    gate: new Gate(parts.admission, { target, context }),
    key: keyOf(target),
  };
  for (;;) {
    const stored = parts.store.get(deletion.key);
    if (stored === undefined) throw missing(target);
    const deleted = await deleteOnce(parts, deletion, stored);
    if (deleted !== undefined) return deleted;
    context.signal.throwIfAborted();
  }
}

/** A negative grace is as good as one second. */
function requestOf({ gracePeriodSeconds: grace, propagationPolicy }: DeleteOptions): DeleteRequest {
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace < 0 ? 1 : grace }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
  };
}

/** `undefined`: another client has written the object meanwhile. */
async function deleteOnce(parts: Parts, deletion: Deletion, stored: JsonObject): Promise<Deleted | undefined> {
  const { target, context } = deletion;
  const { strategy } = target.served.version;
  const existing = await parts.views.one(target.served, stored);
  checkPreconditions(deletion, existing);
  strategy.checkDelete?.(existing, context, deletion.request);
  const isFirst = metadataOf(existing).deletionTimestamp === undefined;
  if (isFirst && (strategy.terminate !== undefined || strategy.mayBeRemoved?.(existing) === false))
    return terminate(parts, deletion, { stored, existing });
  if (strategy.mayBeRemoved?.(existing) === false) return { object: existing, isPending: true };
  const draft = draftOf(existing);
  const grace = graceOf(deletion, draft);
  if (grace === 'pending') return answer(deletion, existing, true);
  const finalizers = setFinalizers(deletion, draft);
  if (!grace && finalizers === 0) return remove(parts, deletion, { stored, existing });
  if (!grace) markAsDeleting(draft, context);
  const isOver = finalizers === 0 && draftMetadata(draft).deletionGracePeriodSeconds === 0;
  return isOver ? removeMarked(parts, deletion, { stored, existing, draft }) : mark(parts, deletion, { stored, existing, draft });
}

function checkPreconditions({ target, options: { preconditions } }: Deletion, existing: JsonObject): void {
  const { resource, version } = target.served;
  const { uid = '', resourceVersion = '', name = '' } = metadataOf(existing);
  const { uid: wantedUid = uid, resourceVersion: wantedVersion = resourceVersion } = preconditions ?? {};
  // Kinds that are marked first have words of their own for it.
  const isMarked = version.strategy.terminate !== undefined;
  const named = isMarked ? resourceOf(target.served) : { group: resource.group, plural: resource.kind };
  const refuse = (field: string, { wanted, found, cause }: { wanted: string; found: string; cause: string }): never => {
    const text = `the ${field} in the precondition (${wanted}) does not match the ${field} in record (${found}). ${cause}`;
    throw conflict(
      named,
      name,
      isMarked ? `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${found}` : text,
    );
  };
  if (wantedUid !== uid) refuse('UID', { wanted: wantedUid, found: uid, cause: 'The object might have been deleted and then recreated' });
  if (wantedVersion !== resourceVersion) {
    refuse('ResourceVersion', { wanted: wantedVersion, found: resourceVersion, cause: 'The object might have been modified' });
  }
}

/** Sets when the object has to be gone. False: the object has no grace (any more); pending: it is being deleted, and no sooner. */
function graceOf({ target, context, request }: Deletion, draft: Draft): boolean | 'pending' {
  const { strategy } = target.served.version;
  if (strategy.gracePeriodSeconds === undefined) return false;
  const metadata = draftMetadata(draft);
  const { deletionTimestamp, deletionGracePeriodSeconds: left = 0 } = metadata;
  if (deletionTimestamp !== undefined) return left === 0 ? false : shorten(metadata, request, context);
  const grace = strategy.gracePeriodSeconds(draft, request);
  if (grace === undefined) return false;
  metadata.deletionTimestamp = timeText(new Date(context.now().getTime() + grace * 1000));
  metadata.deletionGracePeriodSeconds = grace;
  grow(metadata);
  return true;
}

/** The grace of an object that is being deleted can only become shorter. */
function shorten(
  metadata: ReturnType<typeof draftMetadata>,
  { gracePeriodSeconds: grace }: DeleteRequest,
  { now }: RequestContext,
): true | 'pending' {
  const { deletionTimestamp = '', deletionGracePeriodSeconds: left = 0 } = metadata;
  if (grace === undefined || grace >= (left < 0 ? 1 : left)) return 'pending';
  const wanted = Date.parse(deletionTimestamp) - left * 1000 + grace * 1000;
  const isPast = wanted < now().getTime();
  metadata.deletionTimestamp = timeText(isPast ? now() : new Date(wanted));
  metadata.deletionGracePeriodSeconds = isPast && grace !== 0 ? 1 : grace;
  return true;
}

function grow(metadata: ReturnType<typeof draftMetadata>): void {
  if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
}

function markAsDeleting(draft: Draft, { now }: RequestContext): void {
  const metadata = draftMetadata(draft);
  const { deletionTimestamp } = metadata;
  if (deletionTimestamp === undefined) grow(metadata);
  if (deletionTimestamp === undefined || Date.parse(deletionTimestamp) > now().getTime()) metadata.deletionTimestamp = timeText(now());
  metadata.deletionGracePeriodSeconds = 0;
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** Asks the garbage collector, by finalizers, for what is to happen to dependents. @returns how many finalizers the object has */
function setFinalizers({ target, request }: Deletion, draft: Draft): number {
  const metadata = draftMetadata(draft);
  const { finalizers = [] } = metadata;
  const { defaultPropagation } = target.served.version.strategy;
  const isSupported = defaultPropagation !== 'Unsupported';
  const asked = isSupported ? (request.propagationPolicy ?? finalizerPolicy(finalizers) ?? defaultPropagation) : undefined;
  const wanted = asked === 'Orphan' ? [ORPHAN] : asked === 'Foreground' ? [FOREGROUND] : [];
  const next = [...finalizers.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND), ...wanted];
  const isSame = next.length === finalizers.length && next.every((finalizer) => finalizers.includes(finalizer));
  if (isSame) return finalizers.length;
  if (next.length === 0) delete metadata.finalizers;
  else metadata.finalizers = next;
  return next.length;
}

function finalizerPolicy(finalizers: readonly string[]): DeleteRequest['propagationPolicy'] {
  const first = finalizers.find((finalizer) => finalizer === ORPHAN || finalizer === FOREGROUND);
  return first === undefined ? undefined : first === ORPHAN ? 'Orphan' : 'Foreground';
}

interface Found {
  /** As it was found: the write depends on it. */
  readonly stored: JsonObject;
  readonly existing: JsonObject;
}

type Marked = Found & { readonly draft: Draft };

async function write(parts: Parts, { target, key }: Deletion, { stored, draft }: Marked): Promise<JsonObject | undefined> {
  prepareForStorage(draft, target.served.resource.isCustom);
  const revision = Number(metadataOf(stored).resourceVersion);
  const outcome = parts.store.update(key, await toStoredForm(target.served, draft), { revision });
  return outcome.ok ? outcome.value.object : undefined;
}

/** The answer of a dry run. */
function unwritten({ target }: Deletion, { draft }: Marked): JsonObject {
  orderMetadata(draft, target.served.resource.isCustom);
  return draft;
}

/** The object stays, and is marked. */
async function mark(parts: Parts, deletion: Deletion, marked: Marked): Promise<Deleted | undefined> {
  await deletion.gate.validateDelete(marked.existing, deletion.options);
  if (deletion.context.isDryRun) return { object: unwritten(deletion, marked), isPending: true };
  const written = await write(parts, deletion, marked);
  return written === undefined ? undefined : { object: await parts.views.one(deletion.target.served, written), isPending: true };
}

async function terminate(parts: Parts, deletion: Deletion, found: Found): Promise<Deleted | undefined> {
  const draft = draftOf(found.existing);
  draftMetadata(draft).deletionTimestamp = timeText(deletion.context.now());
  deletion.target.served.version.strategy.terminate?.(draft, deletion.request, deletion.context);
  return mark(parts, deletion, { ...found, draft });
}

/** A grace that is over at once: the object is marked, for all who watch to see, and then goes. */
async function removeMarked(parts: Parts, deletion: Deletion, marked: Marked): Promise<Deleted | undefined> {
  await deletion.gate.validateDelete(marked.existing, deletion.options);
  if (deletion.context.isDryRun) return { object: unwritten(deletion, marked), isPending: false };
  const written = await write(parts, deletion, marked);
  if (written === undefined) return undefined;
  const existing = await parts.views.one(deletion.target.served, written);
  return (await remove(parts, deletion, { stored: written, existing })) ?? answer(deletion, existing, false);
}

async function remove(parts: Parts, deletion: Deletion, { stored, existing }: Found): Promise<Deleted | undefined> {
  await deletion.gate.validateDelete(existing, deletion.options);
  if (deletion.context.isDryRun) return answer(deletion, existing, false);
  const outcome = parts.store.delete(deletion.key, { revision: Number(metadataOf(stored).resourceVersion) });
  if (!outcome.ok) return undefined;
  return answer(deletion, await parts.views.one(deletion.target.served, outcome.value.object), false);
}

function answer({ target }: Deletion, object: JsonObject, isPending: boolean): Deleted {
  const { resource, version } = target.served;
  if (version.strategy.returnsDeleted) return { object, isPending };
  const { name = '', uid = '' } = metadataOf(object);
  // The plural stands where the kind should.
  const details = { name, group: resource.group, kind: resource.plural, uid };
  return { status: { status: 'Success', details, code: 200, isCodeless: true }, isPending };
}
