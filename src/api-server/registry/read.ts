import { parseGoUint } from '@keelson/kubernetes/apimachinery';
import type { JsonObject, ListOptions, ObjectList, Target } from '../contract/index.js';
import { badRequest, internalError, plainError, StatusError } from '../status/index.js';
import type { ListQuery, Store } from '../store/index.js';
import { rulesOf } from './endpoint-update.js';
import type { Parts } from './parts.js';
import { missing, readRefusal, tooLargeRevision } from './refusals.js';
import { resourceVersionProblem } from './resource-version.js';
import { Scaling } from './scale.js';
import { type Selected, selectionOf } from './selection.js';
import { keyOf, storagePathOf } from './storage-key.js';

/** `GET` of one object, or of its Scale: the current one, whatever older version would do. */
export async function getObject(
  parts: Parts,
  target: Target,
  { resourceVersion = '' }: Pick<ListOptions, 'resourceVersion'>,
): Promise<JsonObject> {
  const key = keyOf(target);
  const problem = resourceVersionProblem(resourceVersion);
  if (problem !== undefined) throw plainError(problem);
  refuseFuture(parts.store, resourceVersion);
  const stored = parts.store.get(key);
  if (stored === undefined) throw missing(target);
  const view = await viewOf(parts, target, stored);
  if (target.subresource === 'scale') return new Scaling(target).shown(view);
  if (target.subresource !== '') rulesOf(target);
  return view;
}

/** @throws StatusError 500 if the object cannot be converted to the version that is asked for. Source: apiserver `pkg/storage/etcd3/corrupt_obj_deleter.go` */
async function viewOf(parts: Parts, target: Target, stored: JsonObject): Promise<JsonObject> {
  try {
    return await parts.views.one(target.served, stored);
  } catch (error) {
    if (!StatusError.isStatusError(error) || error.status.reason !== undefined) throw error;
    const { resourceVersion } = stored['metadata'] as { readonly resourceVersion?: string };
    const place = `Key: ${storagePathOf(target)}, ResourceVersion: 0`;
    throw internalError(
      `StorageError: corrupt object, Code: 7, ${place}, AdditionalErrorMsg: object not decodable revision=${resourceVersion}: ${error.message}`,
    );
  }
}

/** A version that is still to come cannot be read: the server does not wait for it, because no write is ever late here. @throws StatusError 504 */
export function refuseFuture(store: Store, resourceVersion: string): void {
  const wanted = parseGoUint(resourceVersion === '' ? '0' : resourceVersion);
  if (typeof wanted === 'bigint' && wanted > BigInt(store.revision)) throw tooLargeRevision(String(wanted), store.revision);
}

/** `GET` of a collection. Source of the rules: apiserver, `pkg/storage/interfaces.go`, `pkg/storage/cacher`. */
export async function listObjects(parts: Parts, target: Target, options: ListOptions): Promise<ObjectList> {
  const selected = selectionOf(target, options);
  const problem = resourceVersionProblem(options.resourceVersion ?? '');
  if (problem !== undefined) throw badRequest(`invalid resource version: ${problem}`);
  const outcome = parts.store.list(queryOf(parts.store, selected, options));
  if (!outcome.ok) throw readRefusal(outcome.problem);
  const { items, revision, continue: token, remainingItemCount } = outcome.value;
  return {
    items: await parts.views.many(target.served, items),
    resourceVersion: String(revision),
    ...(token === undefined ? {} : { continue: token }),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  };
}

function queryOf(
  store: Store,
  selected: Selected,
  { resourceVersion = '', resourceVersionMatch: match, limit, continue: token = '' }: ListOptions,
): ListQuery {
  if (token === '') refuseFuture(store, resourceVersion);
  const hasMatch = match === 'Exact' || match === 'NotOlderThan';
  return {
    ...selected,
    // A negative limit counts as no limit.
    ...(limit === undefined || limit < 0 ? {} : { limit }),
    ...(token === '' ? {} : { continue: token }),
    ...(resourceVersion === '' ? {} : { resourceVersion: Number(resourceVersion) }),
    ...(hasMatch ? { resourceVersionMatch: match } : {}),
  };
}
