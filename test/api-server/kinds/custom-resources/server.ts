import { FakeClock } from '../../../../src/api-server/clock/index.js';
import {
  type Admission,
  type JsonObject,
  type RequestContext,
  ResourceCatalog,
  type Target,
} from '../../../../src/api-server/contract/index.js';
import { builtinResources } from '../../../../src/api-server/kinds/builtin/index.js';
import { DefinitionControllers, type WebhookCaller } from '../../../../src/api-server/kinds/custom-resources/index.js';
import { Registry, StoreView } from '../../../../src/api-server/registry/index.js';
import { StatusError, statusBody } from '../../../../src/api-server/status/index.js';
import { Store } from '../../../../src/api-server/store/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import { contextOf, types } from './definitions.js';

const ADMITS_ALL: Admission = {
  mutate: (request) => Promise.resolve(request.object),
  validate: () => Promise.resolve(),
};

/** The API without HTTP, with the controllers of definitions. */
export class Server {
  readonly clock = new FakeClock('2026-01-02T03:04:05Z');
  readonly catalog = new ResourceCatalog();
  readonly store = new Store({ clock: this.clock });
  readonly api: Registry;
  readonly controllers: DefinitionControllers;
  readonly problems: string[] = [];
  readonly warnings: string[] = [];

  constructor(webhooks: WebhookCaller = { call: () => Promise.reject(new Error('no webhook')) }) {
    let uids = 0;
    const cluster = new StoreView(this.store, this.catalog);
    for (const resource of builtinResources({ cluster, serviceRange: '10.0.0.0/24' }, { types })) this.catalog.put(resource);
    this.api = new Registry({ store: this.store, admission: ADMITS_ALL, uids: () => `uid-${++uids}`, types });
    this.controllers = new DefinitionControllers({
      api: this.api,
      catalog: this.catalog,
      store: this.store,
      clock: this.clock,
      types,
      webhooks,
      report: ({ error }) => this.problems.push(error.message),
    });
    this.controllers.start();
  }

  /** `example.com/v1/widgets/default/one`, with `/status` behind it; a cluster-scoped object has an empty namespace. */
  target(path: string): Target {
    const [group = '', version = '', plural = '', namespace = '', name = '', subresource = ''] = path.split('/');
    const served = this.catalog.served(group, version, plural);
    if (served === undefined) throw new Error(`${path} is not served`);
    return { served, namespace, name, subresource };
  }

  /** The object or the Status that a request is answered with. */
  async request(
    verb: 'create' | 'delete' | 'get' | 'update',
    path: string,
    body?: object,
    change: Partial<RequestContext> = {},
  ): Promise<JsonObject> {
    const context = contextOf({
      now: () => this.clock.now(),
      fieldManager: 'unknown',
      warn: (text) => this.warnings.push(text),
      ...change,
    });
    const request = { value: (body ?? null) as Json, strictProblems: [] };
    try {
      const target = this.target(path);
      if (verb === 'create') return await this.api.create(target, request, context);
      if (verb === 'update') return (await this.api.update(target, request, context)).object;
      if (verb === 'get') return await this.api.get(target, {});
      const deleted = await this.api.delete(target, {}, context);
      if ('object' in deleted) return deleted.object;
      // Whether a success tells its code is the business of HTTP.
      const { code: _code, ...status } = statusBody(deleted.status);
      return status as JsonObject;
    } catch (error) {
      if (StatusError.isStatusError(error)) return statusBody(error.status) as JsonObject;
      throw error;
    }
  }

  /** Creates a definition and waits until it is served. */
  async define(manifest: object): Promise<void> {
    const answer = await this.request('create', DEFINITIONS, manifest);
    if (answer['kind'] === 'Status') throw new Error(JSON.stringify(answer));
    await this.controllers.settled();
  }

  async definition(name: string): Promise<JsonObject> {
    return this.request('get', `${DEFINITIONS}//${name}`);
  }

  async conditions(name = 'widgets.example.com'): Promise<readonly string[]> {
    const { status } = (await this.definition(name)) as {
      status?: { conditions?: { type: string; status: string; reason: string; message: string }[] };
    };
    return (status?.conditions ?? []).map(({ type, status: value, reason, message }) => `${type} ${value} ${reason}: ${message}`);
  }
}

export const DEFINITIONS = 'apiextensions.k8s.io/v1/customresourcedefinitions';
