import { groupVersionOf, groupVersionPath, type KindInfo, type ObjectKey } from '@keelson/kubernetes/apimachinery';
import { MalformedResponseError } from '../http/index.js';
import { RequestError } from './errors.js';
import type { Requester } from './requester.js';

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/**
 * Asks the server what it calls a kind, for objects that come as manifests.
 *
 * @throws RequestError when the group and version are served but not the kind; NotFoundError when they are not
 */
export async function discoverKind(
  requester: Requester,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  call: { readonly signal?: AbortSignal | undefined } = {},
): Promise<KindInfo> {
  const path = groupVersionPath(apiVersion);
  const { resources } = (await requester.object({ method: 'GET', path, ...call })) as { resources?: unknown };
  if (!Array.isArray(resources) || !resources.every(isApiResource))
    throw new MalformedResponseError(`GET ${path}`, 'the answer is not a list of resources: is this the address of an API server?');
  // A subresource is listed as `name/status`, under the parent's kind.
  const found = resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
  if (found === undefined)
    throw new RequestError(`GET ${path}: the server does not serve ${kind} in ${apiVersion}; is its CustomResourceDefinition installed?`);
  const prefix = `${found.name}/`;
  return Object.freeze({
    ...groupVersionOf(apiVersion),
    kind,
    plural: found.name,
    scope: found.namespaced ? 'Namespaced' : 'Cluster',
    subresources: Object.freeze(resources.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => name.slice(prefix.length))),
  });
}

function isApiResource(value: unknown): value is ApiResource {
  const { name, kind, namespaced } = (value ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof kind === 'string' && typeof namespaced === 'boolean';
}

/** The key of an object that was read. */
export function keyOf({
  metadata: { name, namespace },
}: {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}): ObjectKey {
  return namespace === undefined ? { name } : { namespace, name };
}
