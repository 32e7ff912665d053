import { apiVersionOf, goQuote, type Json } from '@keelson/kubernetes/apimachinery';
import type { Draft, JsonObject, RequestContext, Resource, ResourceCatalog, ServedVersion } from '../../contract/index.js';
import type { BuiltinHandlers } from '../../kinds/index.js';
import { checkType, decoderOfOthers, draftMetadata, ensureNamespace, wipeSystemFields } from '../../registry/index.js';
import { badRequest } from '../../status/index.js';
import { GoDecodeError, type GoTypes, trackUpdate } from '../../values/index.js';

type Handler = BuiltinHandlers[string];

/** Kinds whose uid is a precondition. Source: `SubresourceObjectMetaPreserver` in kubernetes `pkg/registry`. */
const KEEPS_SYSTEM_FIELDS: ReadonlySet<string> = new Set(['pods/binding']);

/** The types that bodies are read by. */
export interface BodyTypes {
  readonly types: GoTypes;
  readonly catalog: ResourceCatalog;
}

/** A kind of bodies. */
interface BodyKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * Handlers that get what the server would have read: bodies in the form of their kind, unknown fields reported, and (for a body that is its own answer) with the
 * managed fields of its sender. `names` are those of the handlers: `tokenreviews.authentication.k8s.io`, `pods/binding`.
 *
 * Source of the steps: apiserver, `pkg/endpoints/handlers/create.go`.
 */
export function typedHandlers(handlers: BuiltinHandlers, from: BodyTypes): BuiltinHandlers {
  return Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, typedHandler(name, handler, from)]));
}

function typedHandler(name: string, handler: Handler, from: BodyTypes): Handler {
  const [qualified = '', subresource = ''] = name.split('/');
  return async (request, context) => {
    if (request.verb !== 'create') return handler(request, context);
    const { resource, version } = servedBy(qualified, from.catalog);
    const kind = kindOf({ resource, version }, subresource);
    const expected = { apiVersion: apiVersionOf(kind), kind: kind.kind };
    checkType(
      expected,
      request.body ?? {},
      decoderOfOthers(() => from.types),
    );
    const draft = decoded(request.body, kind, { types: from.types, context });
    if (!KEEPS_SYSTEM_FIELDS.has(name)) wipeSystemFields(draftMetadata(draft));
    ensureNamespace(draftMetadata(draft), request.namespace);
    const body = subresource === '' ? tracked(draft, version, context) : draft;
    return handler({ ...request, body: body as Json }, context);
  };
}

interface ServedBy {
  readonly resource: Resource;
  readonly version: ServedVersion;
}

function servedBy(qualified: string, catalog: ResourceCatalog): ServedBy {
  const dot = qualified.indexOf('.');
  const [plural, group] = dot < 0 ? [qualified, ''] : [qualified.slice(0, dot), qualified.slice(dot + 1)];
  const resource = catalog.find(group, plural);
  const version = resource?.versions[0];
  if (resource === undefined || version === undefined) throw new RangeError(`${qualified} has a handler and is not served`);
  return { resource, version };
}

function kindOf({ resource, version }: ServedBy, name: string): BodyKind {
  const own = { group: resource.group, version: version.version, kind: resource.kind };
  if (name === '') return own;
  const subresource = version.subresources.find((candidate) => candidate.name === name);
  if (subresource === undefined) throw new RangeError(`${resource.plural}/${name} has a handler and is not served`);
  const { group = own.group, version: at = own.version, kind } = subresource;
  return { group, version: at, kind };
}

/** @throws StatusError 400 */
function decoded(body: Json | undefined, kind: BodyKind, { types, context }: { types: GoTypes; context: RequestContext }): Draft {
  const struct = types.typeOf(kind);
  if (struct === undefined) throw new RangeError(`there is no Go type of ${kind.kind}: generate the table again`);
  const refuse = (cause: string): Error =>
    badRequest(`${kind.kind} in version ${goQuote(kind.version)} cannot be handled as a ${kind.kind}: ${cause}`);
  try {
    const { value, unknown } = types.decodeJson(struct, body ?? {});
    if (unknown.length > 0 && context.fieldValidation === 'Strict') throw refuse(`strict decoding error: ${unknown.join(', ')}`);
    if (context.fieldValidation === 'Warn') for (const problem of unknown) context.warn(problem);
    const { kind: _kind, apiVersion: _apiVersion, ...fields } = value as Draft;
    return { kind: kind.kind, apiVersion: apiVersionOf(kind), ...fields };
  } catch (error) {
    if (GoDecodeError.isGoDecodeError(error)) throw refuse(error.message);
    throw error;
  }
}

function tracked(draft: Draft, version: ServedVersion, { fieldManager, now }: RequestContext): JsonObject {
  return trackUpdate({ endpoint: version.endpoint(''), live: version.strategy.empty, updated: draft, manager: fieldManager, now })
    .object as JsonObject;
}
