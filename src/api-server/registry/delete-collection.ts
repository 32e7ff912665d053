import type { DeleteOptions, JsonObject, ListOptions, ObjectList, RequestContext, Target } from '../contract/index.js';
import { StatusError } from '../status/index.js';
import { deleteObject } from './delete.js';
import { metadataOf } from './metadata.js';
import type { Parts } from './parts.js';
import { listObjects } from './read.js';

/** Objects that are listed at a time. */
const PAGE_SIZE = 10_000;

/** `DELETE` of a collection: one by one, until all are gone or one is refused. Source: apiserver, `pkg/registry/generic/registry/store.go`. */
export async function deleteCollection(
  parts: Parts,
  { target, options }: { target: Target; options: { readonly list: ListOptions; readonly delete: DeleteOptions } },
  context: RequestContext,
): Promise<ObjectList> {
  const { limit = 0 } = options.list;
  const items: JsonObject[] = [];
  let query: ListOptions = { ...options.list, limit: limit > 0 ? limit : PAGE_SIZE };
  let first: ObjectList | undefined;
  for (;;) {
    const page = await listObjects(parts, target, query);
    for (const object of page.items) await deleteListed(parts, { target: targetOf(target, object), options: options.delete }, context);
    if (limit > 0) return page;
    items.push(...page.items);
    first ??= page;
    if (page.continue === undefined) return { items, resourceVersion: first.resourceVersion };
    const { resourceVersion: _version, resourceVersionMatch: _match, ...rest } = query;
    query = { ...rest, continue: page.continue };
  }
}

function targetOf(target: Target, object: JsonObject): Target {
  const { name = '', namespace = '' } = metadataOf(object);
  return { ...target, name, namespace };
}

async function deleteListed(parts: Parts, request: { target: Target; options: DeleteOptions }, context: RequestContext): Promise<void> {
  try {
    await deleteObject(parts, request, context);
  } catch (error) {
    // Another client has deleted it meanwhile.
    if (!StatusError.isStatusError(error) || error.status.reason !== 'NotFound') throw error;
  }
}
