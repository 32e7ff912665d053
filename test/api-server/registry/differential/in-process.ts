import {
  type Deleted,
  type DeleteOptions,
  type FieldValidationMode,
  isObject,
  type JsonObject,
  type RequestContext,
  ResourceCatalog,
  type Target,
} from '../../../../src/api-server/contract/index.js';
import { builtinResources } from '../../../../src/api-server/kinds/builtin/index.js';
import { Registry, StoreView } from '../../../../src/api-server/registry/index.js';
import { type Status, StatusError, statusBody } from '../../../../src/api-server/status/index.js';
import { Store } from '../../../../src/api-server/store/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import { HandClock } from '../../store/hand-clock.js';
import type { Answer, Exchange } from './exchange.js';

const GROUPS = { configmaps: '', secrets: '', replicasets: 'apps' };

/** The registry over the built-in kinds, asked without HTTP. */
export class InProcess {
  readonly #store = new Store({ clock: new HandClock() });
  readonly #catalog = new ResourceCatalog();
  readonly #registry = new Registry({ store: this.#store, admission: { mutate: async () => undefined, validate: async () => undefined } });
  readonly #namespace: string;

  constructor(namespace: string) {
    this.#namespace = namespace;
    const cluster = new StoreView(this.#store, this.#catalog);
    for (const resource of builtinResources({ cluster, serviceRange: '10.0.0.0/24' })) this.#catalog.put(resource);
  }

  /** Identity of an object as it is stored. */
  known({ resource, name = '' }: Exchange): { readonly uid: string; readonly rv: string } {
    const stored = new StoreView(this.#store, this.#catalog).get(
      { group: GROUPS[resource], plural: resource },
      { namespace: this.#namespace, name },
    );
    const { uid = '', resourceVersion = '' } = (stored?.['metadata'] ?? {}) as { uid?: string; resourceVersion?: string };
    return { uid, rv: resourceVersion };
  }

  async answer(exchange: Exchange): Promise<Answer> {
    const warnings: string[] = [];
    try {
      const { status, body } = await this.#ask(exchange, (text) => warnings.push(text));
      return { status, body, warnings: [...new Set(warnings)] };
    } catch (error) {
      if (!StatusError.isStatusError(error)) throw error;
      return { status: error.status.code, body: statusBody(error.status), warnings: [...new Set(warnings)] };
    }
  }

  async #ask(exchange: Exchange, warn: (text: string) => void): Promise<{ readonly status: number; readonly body: unknown }> {
    const { query = {}, format = 'merge', body: value = null } = exchange;
    const target = this.#target(exchange);
    const context = contextOf(query, warn);
    const body = { value, strictProblems: [] };
    switch (exchange.verb) {
      case 'create':
        return { status: 201, body: await this.#registry.create(target, body, context) };
      case 'get':
        return { status: 200, body: await this.#registry.get(target, query) };
      case 'update': {
        const { object, isCreated } = await this.#registry.update(target, body, context);
        return { status: isCreated ? 201 : 200, body: object };
      }
      case 'patch': {
        const patch = { ...body, format, force: query['force'] === 'true' };
        const { object, isCreated } = await this.#registry.patch(target, patch, context);
        return { status: isCreated ? 201 : 200, body: object };
      }
      case 'delete':
        return { status: 200, body: deletedBody(await this.#registry.delete(target, deleteOptions(value), deleteContext(value, context))) };
      case 'list':
      case 'deletecollection':
        return { status: 200, body: await this.#list(exchange, target, context) };
      case 'watch':
        return { status: 200, body: await this.#watch(target, query) };
    }
  }

  async #list({ verb, query = {}, body = null }: Exchange, target: Target, context: RequestContext): Promise<unknown> {
    const { limit, ...texts } = query;
    const options = { ...texts, ...(limit === undefined ? {} : { limit: Number(limit) }) };
    const list =
      verb === 'list'
        ? await this.#registry.list(target, options)
        : await this.#registry.deleteCollection(target, { list: options, delete: deleteOptions(body) }, context);
    const { items, resourceVersion, continue: token, remainingItemCount } = list;
    const metadata = { resourceVersion, ...(token && { continue: token }), ...(remainingItemCount && { remainingItemCount }) };
    // Lists of Go types leave out what their items are.
    return { metadata, items: items.map(({ kind: _kind, apiVersion: _version, ...item }) => item) };
  }

  async #watch(target: Target, { allowWatchBookmarks, sendInitialEvents, ...texts }: Readonly<Record<string, string>>): Promise<unknown> {
    const watch = await this.#registry.watch(target, {
      ...texts,
      ...(allowWatchBookmarks && { allowWatchBookmarks: allowWatchBookmarks === 'true' }),
      ...(sendInitialEvents && { sendInitialEvents: sendInitialEvents === 'true' }),
    });
    const events: unknown[] = [];
    for (let event = watch.next(); event !== undefined; event = watch.next()) {
      const got = await event;
      events.push(got.type === 'ERROR' ? { type: 'ERROR', object: statusBody(got.status) } : { type: got.type, object: got.object });
    }
    return events;
  }

  #target({ resource: plural, name = '', subresource = '' }: Exchange): Target {
    const served = this.#catalog.served(GROUPS[plural], 'v1', plural);
    if (served === undefined) throw new Error(`there are no ${plural}`);
    return { served, namespace: this.#namespace, name, subresource };
  }
}

function contextOf(query: Readonly<Record<string, string>>, warn: (text: string) => void): RequestContext {
  return {
    user: { username: 'admin', groups: [] },
    fieldManager: query['fieldManager'] ?? 'unknown',
    fieldValidation: (query['fieldValidation'] ?? 'Warn') as FieldValidationMode,
    isDryRun: query['dryRun'] === 'All',
    now: () => new Date(),
    warn,
    signal: new AbortController().signal,
    authorize: () => undefined,
  };
}

function deleteOptions(body: Json): DeleteOptions {
  return (isObject(body) ? body : {}) as DeleteOptions;
}

/** With a body, the parameters do not count. */
function deleteContext(body: Json, context: RequestContext): RequestContext {
  return { ...context, isDryRun: isObject(body) && body['dryRun'] !== undefined };
}

function deletedBody(deleted: Deleted): JsonObject {
  return 'object' in deleted ? deleted.object : (statusBody(deleted.status as Status) as JsonObject);
}
