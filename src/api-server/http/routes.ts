import type { ResourceCatalog, Served, Subresource, Verb } from '../contract/index.js';
import { methodNotSupported, notFound } from '../status/index.js';
import { methodNotAllowed, resourceNotFound } from './generic-errors.js';
import { pageNotFound } from './plain-answer.js';
import type { RequestInfo } from './request-info.js';

export interface Route {
  readonly served: Served;
  readonly verb: Verb;
  readonly namespace: string;
  readonly name: string;
  /** `''`: the object or the collection itself. */
  readonly subresource: string;
  /** The subresource of the request, if it names one. */
  readonly description?: Subresource;
}

/** Verbs of a method at a collection, an object, a subresource. */
const COLLECTION_VERBS: Readonly<Record<string, Verb>> = { GET: 'list', POST: 'create', DELETE: 'deletecollection' };
const OBJECT_VERBS: Readonly<Record<string, Verb>> = { GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
const SUBRESOURCE_VERBS: Readonly<Record<string, Verb>> = { ...OBJECT_VERBS, POST: 'create' };

/** Verbs that custom resources take at `/status` and `/scale`. */
const CUSTOM_SUBRESOURCE_VERBS = new Set(['get', 'update', 'patch']);
const CUSTOM_VERBS = new Set(['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']);

/**
 * Finds who answers a resource request.
 *
 * Built-in resources have routes: a path is there or not, a method is allowed there or not, and the errors name nothing. Custom resources are looked up by name, and
 * the errors name them. Source: apiserver `pkg/endpoints/installer.go`, apiextensions `pkg/apiserver/customresource_handler.go`.
 */
export class Routes {
  readonly #catalog: ResourceCatalog;
  #builtinGroups: ReadonlySet<string> = new Set();
  #revision = -1;

  constructor(catalog: ResourceCatalog) {
    this.#catalog = catalog;
  }

  /** @throws StatusError or PlainAnswer when there is no route */
  find(method: string, info: RequestInfo): Route {
    const served = this.#catalog.served(info.group, info.version, info.resource);
    if (served === undefined) throw this.unknownPath(info.path, info.group);
    return served.resource.isCustom ? customRoute(served, info) : builtinRoute(served, method, info);
  }

  /** A path below a group of built-in resources belongs to them, with a Status; any other path belongs to none. */
  unknownPath(path: string, group: string): Error {
    return path.startsWith('/api/') || this.#isBuiltin(group) ? resourceNotFound() : pageNotFound();
  }

  #isBuiltin(group: string): boolean {
    if (this.#revision !== this.#catalog.revision) {
      this.#builtinGroups = new Set(this.#catalog.resources.filter(({ isCustom }) => !isCustom).map((resource) => resource.group));
      this.#revision = this.#catalog.revision;
    }
    return group !== '' && this.#builtinGroups.has(group);
  }
}

function customRoute(served: Served, info: RequestInfo): Route {
  const { resource, version } = served;
  const isNamespaced = resource.scope === 'Namespaced';
  if (!isNamespaced && info.namespace !== '') throw pageNotFound();
  if (isNamespaced && info.namespace === '' && info.verb !== 'list' && info.verb !== 'watch') throw pageNotFound();
  const description = version.subresources.find(({ name }) => name === info.subresource);
  if (info.subresource !== '' && description === undefined) throw notFound(resource, info.name);
  const verbs = description === undefined ? CUSTOM_VERBS : CUSTOM_SUBRESOURCE_VERBS;
  if (!verbs.has(info.verb)) throw methodNotSupported(resource, info.verb);
  const { namespace, name, subresource } = info;
  return { served, verb: info.verb as Verb, namespace, name, subresource, ...(description === undefined ? {} : { description }) };
}

function builtinRoute(served: Served, method: string, info: RequestInfo): Route {
  const { resource, version } = served;
  const { parts, verb } = info;
  // For `namespaces/x` the name says the namespace, too: the object itself is in none.
  const namespace = resource.scope === 'Namespaced' ? info.namespace : '';
  const isOwn = resource.plural === 'namespaces' && parts[1] === info.namespace;
  const isForeign = resource.scope === 'Cluster' && info.namespace !== '' && !isOwn;
  // Behind `proxy` comes the path of what is connected to.
  const isConnected = version.subresources.some(({ name, connects }) => connects === true && name === 'proxy' && name === parts[2]);
  if (isForeign || (parts.length > 3 && !isConnected) || verb === 'proxy') throw resourceNotFound();
  const isAcrossNamespaces = resource.scope === 'Namespaced' && info.namespace === '';
  if (isAcrossNamespaces && parts.length > 1) throw resourceNotFound();
  const [, name = '', subresource = ''] = parts;
  const place = { served, namespace, name: verb === 'list' || verb === 'watch' ? name : info.name, subresource };
  if (info.hasWatchPrefix) return watchRoute(place, method, parts.length);
  if (subresource !== '') return subresourceRoute(place, method);
  const methods = parts.length === 1 ? COLLECTION_VERBS : OBJECT_VERBS;
  if (!Object.values(methods).some((candidate) => version.verbs.includes(candidate))) throw resourceNotFound();
  const asked = methods[method];
  if (asked === undefined || !version.verbs.includes(asked) || (isAcrossNamespaces && asked !== 'list')) throw methodNotAllowed();
  return { ...place, name, verb: asked === 'list' && verb === 'watch' ? 'watch' : asked };
}

type Place = Omit<Route, 'verb' | 'description'>;

function watchRoute(place: Place, method: string, parts: number): Route {
  if (parts > 2 || !place.served.version.verbs.includes('watch')) throw resourceNotFound();
  if (method !== 'GET') throw methodNotAllowed();
  return { ...place, verb: 'watch' };
}

function subresourceRoute(place: Place, method: string): Route {
  const description = place.served.version.subresources.find(({ name }) => name === place.subresource);
  if (description === undefined) throw resourceNotFound();
  const verb = SUBRESOURCE_VERBS[method];
  if (verb === undefined || !description.verbs.includes(verb)) throw methodNotAllowed();
  return { ...place, verb, description };
}
