import { type Draft, draftOf, type JsonObject, type RequestBody, type RequestContext, type Target } from '../contract/index.js';
import { invalidObject, plainError, StatusError } from '../status/index.js';
import type { StoreKey } from '../store/index.js';
import { decodeBody } from './decode.js';
import { Gate } from './gate.js';
import {
  draftMetadata,
  dropDuplicateOwners,
  ensureNamespace,
  metadataOf,
  prepareForStorage,
  timeText,
  wipeSystemFields,
} from './metadata.js';
import { metaErrors } from './object-meta-rules.js';
import type { Parts } from './parts.js';
import { existsRefusal } from './refusals.js';
import { writtenResourceVersion } from './resource-version.js';
import { keyOf } from './storage-key.js';
import { track } from './track.js';
import { toStoredForm, unwrittenView } from './views.js';

/** An object that is about to come into being, and for whom. */
export interface Creation {
  readonly target: Target;
  readonly context: RequestContext;
  readonly gate: Gate;
  /** For a create that was asked for as something else. @throws StatusError 403 */
  readonly authorize?: (() => void) | undefined;
}

/** A name is made this many times before the server gives up. */
const NAME_ATTEMPTS = 8;
const MAX_NAME_PREFIX = 58;

/** `POST`. Source of the steps: apiserver, `pkg/endpoints/handlers/create.go`, `pkg/registry/generic/registry/store.go`, `pkg/registry/rest/create.go`. */
export async function createObject(
  parts: Parts,
  { target, body }: { target: Target; body: RequestBody },
  context: RequestContext,
): Promise<JsonObject> {
  const { served } = target;
  served.version.checkCreate?.();
  const subject = parts.subjectOf(target);
  const draft = decodeBody(subject, body, context);
  const metadata = draftMetadata(draft);
  wipeSystemFields(metadata);
  ensureNamespace(metadata, namespaceOf(target));
  dropDuplicateOwners(draft, context, 'before admission');
  const gate = new Gate(parts.admission, { target, context });
  const admitted = await gate.mutate(await track(subject, { draft, live: undefined }, context), undefined);
  dropDuplicateOwners(admitted, context, 'after admission');
  return createNamed(parts, admitted, { target, context, gate });
}

async function createNamed(parts: Parts, draft: Draft, creation: Creation): Promise<JsonObject> {
  const { generateName = '', name = '' } = metadataOf(draft);
  if (generateName === '' || name !== '') return created(parts, draft, creation);
  const prefix = generateName.slice(0, MAX_NAME_PREFIX);
  for (let attempt = 1; ; attempt += 1) {
    const named = draftOf(draft);
    draftMetadata(named).name = `${prefix}${parts.suffixes()}`;
    try {
      return await created(parts, named, creation);
    } catch (error) {
      if (attempt === NAME_ATTEMPTS || !StatusError.isStatusError(error) || error.status.reason !== 'AlreadyExists') throw error;
    }
  }
}

async function created(parts: Parts, draft: Draft, creation: Creation): Promise<JsonObject> {
  const { target, context, gate } = creation;
  const object = await completeCreation(parts, draft, creation);
  await gate.validate(object, undefined);
  const name = metadataOf(object).name ?? '';
  const key = keyOf({ ...target, name });
  const refuse = (current: JsonObject): StatusError =>
    existsRefusal(target.served, name, { generated: (metadataOf(object).generateName ?? '') !== '', current });
  if (context.isDryRun) {
    const current = parts.store.get(key);
    if (current !== undefined) throw refuse(current);
    return unwrittenView(parts.views, target.served, object);
  }
  const outcome = await store(parts, object, { key, target });
  if (outcome.ok) return parts.views.one(target.served, outcome.value.object);
  if (outcome.problem.kind === 'AlreadyExists') throw refuse(outcome.problem.current);
  throw plainError(outcome.problem.message);
}

async function store(
  parts: Parts,
  object: Draft,
  { key, target }: { key: StoreKey; target: Target },
): Promise<ReturnType<Parts['store']['create']>> {
  // A resource version of anything but a number is overlooked.
  const { resourceVersion = '' } = metadataOf(object);
  if (/^[0-9]+$/.test(resourceVersion) && writtenResourceVersion(resourceVersion) !== 0n) {
    throw plainError('resourceVersion should not be set on objects to be created');
  }
  prepareForStorage(object, target.served.resource.isCustom);
  return parts.store.create(key, await toStoredForm(target.served, object));
}

/** The steps between admission's two: the object as it will be stored. @throws StatusError 422 */
export async function completeCreation(parts: Pick<Parts, 'uids'>, draft: Draft, { target, context, authorize }: Creation): Promise<Draft> {
  const { resource, version } = target.served;
  const { strategy } = version;
  const metadata = draftMetadata(draft);
  metadata.creationTimestamp = timeText(context.now());
  metadata.uid = parts.uids();
  ensureNamespace(metadata, namespaceOf(target));
  await strategy.prepareForCreate(draft, context);
  const metadataErrors = metaErrors(metadataOf(draft), resource, (name, isPrefix) => strategy.nameProblems(name, isPrefix));
  const found = [...metadataErrors, ...(await strategy.validate(draft, context, metadataErrors))];
  const errors = strategy.settleErrors?.(found) ?? found;
  if (errors.length > 0) throw invalidObject(resource, metadataOf(draft).name ?? '', errors);
  for (const warning of strategy.warningsOnCreate?.(draft) ?? []) context.warn(warning);
  strategy.canonicalize?.(draft);
  authorize?.();
  return draft;
}

/** The namespace that objects of the request have. */
export function namespaceOf({ served: { resource }, namespace }: Target): string {
  return resource.scope === 'Namespaced' ? namespace : '';
}
