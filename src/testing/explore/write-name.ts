import type { LeavingRequest } from './carried-transport.js';
import { prefixOf } from './history.js';

/** A write of an operator, named so that the same write of another run has the same name. */
export interface NamedWrite {
  /** `apply configmaps/a`, `patch volumes/a/status`. */
  readonly what: string;
  /** `configmaps/a`. */
  readonly object: string;
}

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
/** Written by the runtime for itself. */
const OWN: ReadonlySet<string> = new Set(['leases', 'events', 'selfsubjectrulesreviews', 'selfsubjectaccessreviews']);

/** @returns `undefined` for reads, dry runs, and what the runtime writes for itself */
export function nameOfWrite({ method, path, headers, body }: LeavingRequest): NamedWrite | undefined {
  const verb = VERBS[method];
  if (verb === undefined) return undefined;
  const [route = '', query = ''] = path.split('?');
  if (query.includes('dryRun=')) return undefined;
  const { resource, namespace, name, subresource } = routeOf(route);
  if (OWN.has(resource)) return undefined;
  const isApply = String(headers['content-type'] ?? '').includes('apply-patch');
  const named = `${prefixOf(namespace)}${name === '' ? nameIn(body) : name}`;
  const field = method === 'PATCH' && String(body ?? '').includes('/metadata/finalizers') ? ' (finalizers)' : '';
  const what = `${isApply ? 'apply' : verb} ${[resource, named, ...(subresource === undefined ? [] : [subresource])].join('/')}${field}`;
  return { what, object: `${resource}/${named}` };
}

export interface Route {
  readonly resource: string;
  /** `deployments.apps`, `pods`. */
  readonly groupResource: string;
  readonly namespace: string | undefined;
  /** Empty for a collection. */
  readonly name: string;
  readonly subresource: string | undefined;
}

/** The parts of a path of the API, without its query. */
export function routeOf(path: string): Route {
  const parts = path.split('/').filter((part) => part !== '');
  const isCore = parts[0] === 'api';
  const rest = parts.slice(isCore ? 2 : 3);
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2;
  const [resource = '', name = '', subresource] = isNamespaced ? rest.slice(2) : rest;
  return {
    resource,
    namespace: isNamespaced ? rest[1] : undefined,
    groupResource: isCore ? resource : `${resource}.${parts[1]}`,
    name,
    subresource,
  };
}

/** `create secrets`, `patch notes/status`: the verb and the resource of a write that is named. */
export function kindOfWrite(what: string): string {
  const [verb = '', place = ''] = what.split(' ');
  const [resource = '', ...rest] = place.split('/');
  const isStatus = rest.length > 1 && rest.at(-1) === 'status';
  return `${verb} ${resource}${isStatus ? '/status' : ''}`;
}

/** The uid that a deletion asks for. `undefined`: it deletes any object of the name. */
export function deletedUid({ method, body }: LeavingRequest): string | undefined {
  if (method !== 'DELETE' || body === undefined || body.length === 0) return undefined;
  const { preconditions } = JSON.parse(body.toString()) as { readonly preconditions?: { readonly uid?: string } };
  return preconditions?.uid;
}

function nameIn(body: Buffer | undefined): string {
  const { metadata } = JSON.parse(body?.toString() ?? '{}') as {
    readonly metadata?: { readonly name?: string; readonly generateName?: string };
  };
  return metadata?.name ?? `${metadata?.generateName ?? ''}*`;
}
