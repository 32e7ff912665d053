import { trackUpdate } from '../apply/index.js';
import type { Draft, JsonObject, RequestBody, RequestContext, Served, StatusStrategy, Target, WrittenObject } from '../resources/index.js';
import { badRequest, notFound } from '../status/index.js';
import { emptyOf, namespaceOf } from './create.js';
import { decodeBody } from './decode.js';
import { Gate } from './gate.js';
import { draftMetadata, dropDuplicateOwners, ensureNamespace, metadataOf } from './metadata.js';
import type { Parts } from './parts.js';
import { resourceOf } from './refusals.js';
import { updateObject } from './update.js';
import { apiVersionAt } from './views.js';

/** `PUT` on an object or its status. Source of the steps: apiserver 1.34, `pkg/endpoints/handlers/update.go`. */
export async function putObject(
  parts: Parts,
  { target, body }: { target: Target; body: RequestBody },
  context: RequestContext,
): Promise<WrittenObject> {
  const { served } = target;
  const rules = rulesOf(target);
  const first = decodeNamed(target, body, context);
  dropDuplicateOwners(first, context, 'before admission');
  const gate = new Gate(parts.admission, { target, context });
  let next: Draft | undefined = first;
  return updateObject(parts, {
    target,
    context,
    gate,
    rules,
    createsMissing: target.subresource === '' && served.version.strategy.allowsCreateOnUpdate,
    uid: metadataOf(first).uid,
    async change(existing) {
      // The draft of the try before has been changed by it, and its warnings have been told.
      const draft = next ?? decodeNamed(target, body, { ...context, warn: () => {} });
      next = undefined;
      const admitted = await gate.mutate(trackChange(target, { draft, existing }, context), existing);
      dropDuplicateOwners(admitted, context, 'after admission');
      return admitted;
    },
  });
}

/** The rules of the object itself, or of its status. @throws StatusError 404 where the version has no such subresource */
export function rulesOf({ served, name, subresource }: Target): StatusStrategy {
  if (subresource === '') return served.version.strategy;
  const { status } = served.version;
  if (subresource !== 'status' || status === undefined) throw notFound(resourceOf(served), name);
  return status;
}

function decodeNamed(target: Target, body: RequestBody, context: RequestContext): Draft {
  const draft = decodeBody(target.served, body, context);
  ensureNamespace(draftMetadata(draft), namespaceOf(target));
  checkName(target, draft);
  return draft;
}

/** @throws StatusError 400 when the object is not the one that the URL names */
export function checkName({ name, namespace }: Target, object: JsonObject): void {
  const { name: given = '', namespace: givenNamespace = '' } = metadataOf(object);
  if (given === '') throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (given !== name) throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  if (namespace === '' || givenNamespace === '' || givenNamespace === namespace) return;
  throw badRequest(`the namespace of the object (${givenNamespace}) does not match the namespace on the request (${namespace})`);
}

/** The draft with the fields that its writer comes to own. */
export function trackChange(
  { served, subresource }: Target,
  { draft, existing }: { draft: Draft; existing: JsonObject | undefined },
  { fieldManager, now }: RequestContext,
): Draft {
  const live = existing ?? emptyObjectOf(served);
  return trackUpdate({ endpoint: served.version.endpoint(subresource), live, updated: draft, manager: fieldManager, now }).object as Draft;
}

export function emptyObjectOf({ resource, version }: Served): JsonObject {
  return emptyOf(version.strategy.empty, { kind: resource.kind, apiVersion: apiVersionAt(resource, version.version) });
}
