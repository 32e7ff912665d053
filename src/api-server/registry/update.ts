import { invalid } from '@keelson/kubernetes/apimachinery';
import type { Draft, JsonObject, RequestContext, StatusStrategy, Target, WrittenObject } from '../contract/index.js';
import { conflict, invalidObject } from '../status/index.js';
import type { StoreKey } from '../store/index.js';
import { revertTimes } from '../values/index.js';
import { completeCreation, namespaceOf } from './create.js';
import type { Gate } from './gate.js';
import { draftMetadata, ensureNamespace, metadataOf, prepareForStorage } from './metadata.js';
import { commonUpdateErrors, metaErrors, metaUpdateErrors } from './object-meta-rules.js';
import type { Parts } from './parts.js';
import { missing, modified, resourceOf } from './refusals.js';
import { writtenResourceVersion } from './resource-version.js';
import { etcdKeyOf, keyOf, storagePathOf } from './storage-key.js';
import { toStoredForm, unwrittenView } from './views.js';

/** A write of an object that may be there already: PUT, PATCH, and both on subresources. */
export interface Update {
  readonly target: Target;
  readonly context: RequestContext;
  readonly gate: Gate;
  /** Rules of the object itself, or of its status. */
  readonly rules: StatusStrategy;
  readonly createsMissing: boolean;
  /** The object must have it: taken from the body of a PUT. */
  readonly uid?: string | undefined;
  /** The form in which validating admission sees objects. Default: as they are. */
  shown?(object: JsonObject): JsonObject;
  /** The new object, with its managed fields, as mutating admission left it. Called anew whenever another client was faster. */
  change(existing: JsonObject | undefined): Promise<Draft>;
}

/**
 * Writes what `change` makes of the current object, again after each conflict, until it succeeds.
 *
 * Source of the steps: apiserver, `pkg/registry/generic/registry/store.go` (Update), `pkg/registry/rest/update.go`, `pkg/storage/etcd3/store.go`
 * (GuaranteedUpdate).
 */
export async function updateObject(parts: Parts, update: Update): Promise<WrittenObject> {
  const key = keyOf(update.target);
  for (;;) {
    const stored = parts.store.get(key);
    if (stored === undefined && !update.createsMissing) throw missing(update.target);
    checkUid(update, stored);
    const current = stored === undefined ? undefined : { stored, key, existing: await parts.views.one(update.target.served, stored) };
    const draft = await update.change(current?.existing);
    const written = current === undefined ? await insert(parts, draft, { update, key }) : await replace(parts, draft, { update, current });
    if (written !== undefined) return written;
    update.context.signal.throwIfAborted();
  }
}

function checkUid({ uid, target, context }: Update, stored: JsonObject | undefined): void {
  const { uid: found = '' } = stored === undefined ? {} : metadataOf(stored);
  if (uid === undefined || uid === '' || uid === found) return;
  throw conflict(
    resourceOf(target.served),
    target.name,
    preconditionFailure(target, { field: 'UID', wanted: uid, found, isDryRun: context.isDryRun }),
  );
}

/** The server shows its storage's own error. */
function preconditionFailure(
  target: Target,
  failure: { readonly field: string; readonly wanted: string; readonly found: string; readonly isDryRun: boolean },
): string {
  const { field, wanted, found, isDryRun } = failure;
  // A dry run does not get as far as etcd.
  const key = isDryRun ? storagePathOf(target) : etcdKeyOf(target);
  const message = `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${found}`;
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${message}`;
}

/** `undefined`: another client has created it meanwhile. */
async function insert(parts: Parts, draft: Draft, { update, key }: { update: Update; key: StoreKey }): Promise<WrittenObject | undefined> {
  const { target, context, gate } = update;
  const authorize = (): void => context.authorize('create');
  const object = await completeCreation(parts, draft, { target, context, gate, authorize });
  await gate.validate(object, undefined);
  if (context.isDryRun) return { object: await unwrittenView(parts.views, target.served, object), isCreated: true };
  prepareForStorage(object, target.served.resource.isCustom);
  const outcome = parts.store.create(key, await toStoredForm(target.served, object));
  return outcome.ok ? { object: await parts.views.one(target.served, outcome.value.object), isCreated: true } : undefined;
}

/** The object as it was found. */
interface Current {
  readonly stored: JsonObject;
  /** The same at the version of the request. */
  readonly existing: JsonObject;
  readonly key: StoreKey;
}

/** `undefined`: another client has written it meanwhile. */
async function replace(
  parts: Parts,
  draft: Draft,
  { update, current }: { update: Update; current: Current },
): Promise<WrittenObject | undefined> {
  const { target, context, gate } = update;
  const { existing, stored, key } = current;
  checkResourceVersion(update, draft, existing);
  await completeUpdate(update, draft, existing);
  const object = revertTimes(existing, draft) as Draft;
  await gate.validate(update.shown?.(object) ?? object, update.shown?.(existing) ?? existing);
  if (isFinished(target, object, existing)) return removed(parts, object, { context, key });
  if (context.isDryRun) return { object: await unwrittenView(parts.views, target.served, object), isCreated: false };
  prepareForStorage(object, target.served.resource.isCustom);
  const revision = Number(metadataOf(stored).resourceVersion);
  const outcome = parts.store.update(key, await toStoredForm(target.served, object), { revision });
  return outcome.ok ? { object: await parts.views.one(target.served, outcome.value.object), isCreated: false } : undefined;
}

/** Without a resource version the write is unconditional, where the kind allows that. */
function checkResourceVersion({ target }: Update, draft: Draft, existing: JsonObject): void {
  const { resource, version } = target.served;
  const metadata = draftMetadata(draft);
  const current = metadataOf(existing).resourceVersion ?? '';
  const given = writtenResourceVersion(metadata.resourceVersion);
  if (given === 0n && version.strategy.allowsUnconditionalUpdate) {
    metadata.resourceVersion = current;
    return;
  }
  if (given === 0n) {
    const error = invalid('metadata.resourceVersion', 0, 'must be specified for an update');
    // The plural stands where the kind should.
    throw invalidObject({ group: resource.group, kind: resource.plural }, target.name, [error]);
  }
  if (given !== BigInt(current)) throw modified(target);
}

/** The rules that no update gets past. @throws StatusError 422 */
async function completeUpdate({ target, context, rules }: Update, draft: Draft, existing: JsonObject): Promise<void> {
  const { resource, version } = target.served;
  const old = metadataOf(existing);
  const metadata = draftMetadata(draft);
  ensureNamespace(metadata, namespaceOf(target));
  if (old.generation === undefined) delete metadata.generation;
  else metadata.generation = old.generation;
  await rules.prepareForUpdate(draft, existing, context);
  keepSystemFields(draft, existing);
  const meta = metadataOf(draft);
  const { strategy } = version;
  // The kinds check it once more by themselves, and what they find stays among what they look at.
  const own = [
    ...metaUpdateErrors(meta, old),
    ...(strategy.revalidatesMetadata === true && target.subresource !== 'status'
      ? metaErrors(meta, resource, (name, isPrefix) => strategy.nameProblems(name, isPrefix))
      : []),
  ];
  const found = [...commonUpdateErrors(meta, old, resource), ...own, ...(await rules.validateUpdate(draft, existing, context, own))];
  const errors = rules.settleErrors?.(found) ?? found;
  if (errors.length > 0) throw invalidObject(resource, meta.name ?? '', errors);
  for (const warning of rules.warningsOnUpdate?.(draft, existing) ?? []) context.warn(warning);
  rules.canonicalize?.(draft);
}

function keepSystemFields(draft: Draft, existing: JsonObject): void {
  const old = metadataOf(existing);
  const metadata = draftMetadata(draft);
  if ((metadata.uid ?? '') === '' && old.uid !== undefined) metadata.uid = old.uid;
  if (old.creationTimestamp !== undefined) metadata.creationTimestamp = old.creationTimestamp;
  if (old.deletionTimestamp !== undefined) metadata.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined) metadata.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
}

/** The last finalizer of a deleted object is gone: so is the object. */
function isFinished({ served }: Target, object: JsonObject, existing: JsonObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadataOf(existing);
  if ((metadataOf(object).finalizers ?? []).length > 0 || deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0) return false;
  return served.version.strategy.mayBeRemoved?.(object) ?? true;
}

/** The answer is the object that the client sent, although it was not written. */
function removed(parts: Parts, object: Draft, { context, key }: { context: RequestContext; key: StoreKey }): WrittenObject {
  // The faster request has done the same.
  if (!context.isDryRun) parts.store.delete(key);
  return { object, isCreated: false };
}
