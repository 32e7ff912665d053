import type {
  Api,
  ApiEvent,
  ApiWatch,
  Deleted,
  DeleteOptions,
  JsonObject,
  ListOptions,
  ObjectList,
  PatchRequest,
  RequestBody,
  RequestContext,
  Resource,
  ServedVersion,
  Target,
  WatchOptions,
  WrittenObject,
} from '../../../src/api-server/contract/index.js';
import { ResourceCatalog } from '../../../src/api-server/contract/index.js';
import { alreadyExists, notFound } from '../../../src/api-server/status/index.js';
import { apiVersionOf } from '../../../src/kubernetes/apimachinery/index.js';

/** What was asked of the API, without what is of no interest to the HTTP layer. */
export interface Call {
  readonly verb: string;
  readonly target: { readonly namespace: string; readonly name: string; readonly subresource: string };
  readonly options?: ListOptions | WatchOptions | DeleteOptions;
  readonly context?: RequestContext;
  readonly body?: RequestBody | PatchRequest;
}

/** Objects in a Map, events by hand: enough to hold the HTTP layer to its contract. */
export class FakeApi implements Api {
  readonly objects = new Map<string, JsonObject>();
  readonly calls: Call[] = [];
  readonly watches: FakeWatch[] = [];
  /** Called before each verb; may throw or wait. */
  before: (call: Call) => void | Promise<void> = () => undefined;
  #revision = 1;

  async #called(verb: string, target: Target, rest: Omit<Call, 'verb' | 'target'> = {}): Promise<void> {
    const { namespace, name, subresource } = target;
    const call = { verb, target: { namespace, name, subresource }, ...rest };
    this.calls.push(call);
    await this.before(call);
  }

  #named({ served, namespace, name }: Target): JsonObject {
    const found = this.objects.get(`${namespace}/${name}`);
    if (found === undefined) throw notFound(served.resource, name);
    return found;
  }

  put({ served, namespace }: Pick<Target, 'served' | 'namespace'>, value: JsonObject): JsonObject {
    this.#revision += 1;
    const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = value;
    const { resource, version } = served;
    const apiVersion = apiVersionOf({ group: resource.group, version: version.version });
    const named = { ...(metadata as JsonObject), namespace, resourceVersion: String(this.#revision) };
    const typeMeta = resource.isCustom ? { apiVersion, kind: resource.kind } : { kind: resource.kind, apiVersion };
    const object = Object.freeze({ ...typeMeta, metadata: named, ...rest });
    this.objects.set(`${namespace}/${String((metadata as JsonObject)['name'])}`, object);
    return object;
  }

  async create(target: Target, body: RequestBody, context: RequestContext): Promise<JsonObject> {
    await this.#called('create', target, { body, context });
    const value = body.value as JsonObject;
    const name = String((value['metadata'] as JsonObject)['name']);
    if (this.objects.has(`${target.namespace}/${name}`)) throw alreadyExists(target.served.resource, name);
    return this.put(target, value);
  }

  async get(target: Target, options: Pick<ListOptions, 'resourceVersion'>): Promise<JsonObject> {
    await this.#called('get', target, { options });
    return this.#named(target);
  }

  async list(target: Target, options: ListOptions): Promise<ObjectList> {
    await this.#called('list', target, { options });
    return { items: [...this.objects.values()], resourceVersion: String(this.#revision) };
  }

  async watch(target: Target, options: WatchOptions): Promise<ApiWatch> {
    await this.#called('watch', target, { options });
    const watch = new FakeWatch();
    this.watches.push(watch);
    return watch;
  }

  async update(target: Target, body: RequestBody, context: RequestContext): Promise<WrittenObject> {
    await this.#called('update', target, { body, context });
    this.#named(target);
    return { object: this.put(target, body.value as JsonObject), isCreated: false };
  }

  async patch(target: Target, patch: PatchRequest, context: RequestContext): Promise<WrittenObject> {
    await this.#called('patch', target, { body: patch, context });
    const live = this.#named(target);
    return {
      object: this.put(target, { ...live, ...(patch.value as JsonObject), metadata: live['metadata'] as JsonObject }),
      isCreated: false,
    };
  }

  async delete(target: Target, options: DeleteOptions, context: RequestContext): Promise<Deleted> {
    await this.#called('delete', target, { options, context });
    this.#named(target);
    this.objects.delete(`${target.namespace}/${target.name}`);
    return {
      isPending: false,
      status: { status: 'Success', code: 200, details: { name: target.name, kind: target.served.resource.plural, uid: 'u' } },
    };
  }

  async deleteCollection(
    target: Target,
    options: { list: ListOptions; delete: DeleteOptions },
    context: RequestContext,
  ): Promise<ObjectList> {
    await this.#called('deletecollection', target, { options: options.delete, context });
    const items = [...this.objects.values()];
    this.objects.clear();
    return { items, resourceVersion: String(this.#revision) };
  }
}

export class FakeWatch implements ApiWatch {
  readonly #waiting: (ApiEvent | Promise<ApiEvent>)[] = [];
  #listener: () => void = () => undefined;
  #isFinished = false;
  isClosed = false;
  taken = 0;

  get isEnded(): boolean {
    return this.#isFinished && this.#waiting.length === 0;
  }

  next(): ApiEvent | Promise<ApiEvent> | undefined {
    const event = this.#waiting.shift();
    if (event !== undefined) this.taken += 1;
    return event;
  }

  onEvent(listener: () => void): void {
    this.#listener = listener;
  }

  push(...events: (ApiEvent | Promise<ApiEvent>)[]): void {
    for (const event of events) this.#waiting.push(event);
    this.#listener();
  }

  finish(): void {
    this.#isFinished = true;
    this.#listener();
  }

  close(): void {
    this.isClosed = true;
    this.#waiting.length = 0;
  }
}

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;
const status = { name: 'status', kind: 'Sheet', verbs: ['get', 'patch', 'update'] as const };

function resourceOf(
  fields: Partial<Resource> & Pick<Resource, 'group' | 'plural' | 'kind' | 'isCustom'>,
  version: Partial<ServedVersion> = {},
): Resource {
  const served = {
    version: 'v1',
    verbs: VERBS,
    subresources: [],
    table: {
      columns: [{ name: 'Name', type: 'string', format: 'name', description: 'The name', priority: 0 }],
      cells: (object: JsonObject) => [((object['metadata'] as JsonObject)['name'] ?? '') as string],
    },
    ...version,
  } as unknown as ServedVersion;
  return {
    singular: '',
    listKind: `${fields.kind}List`,
    scope: 'Namespaced',
    shortNames: [],
    categories: [],
    storageKey: fields.plural,
    versions: [served],
    storageVersion: 'v1',
    convert: (objects) => objects,
    ...fields,
  };
}

export function fakeCatalog(): ResourceCatalog {
  const catalog = new ResourceCatalog();
  catalog.put(resourceOf({ group: '', plural: 'configmaps', kind: 'ConfigMap', isCustom: false }));
  catalog.put(
    resourceOf(
      { group: '', plural: 'namespaces', kind: 'Namespace', isCustom: false, scope: 'Cluster' },
      { verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] },
    ),
  );
  catalog.put(
    resourceOf(
      { group: '', plural: 'pods', kind: 'Pod', isCustom: false },
      {
        subresources: [
          { ...status, kind: 'Pod' },
          { name: 'log', kind: 'Pod', verbs: ['get'], handle: async ({ name }) => ({ code: 200, body: `log of ${name}\n` }) },
          {
            name: 'eviction',
            group: 'policy',
            version: 'v1',
            kind: 'Eviction',
            verbs: ['create'],
            handle: async ({ body }) => ({ code: 201, body: { kind: 'Status', apiVersion: 'v1', got: body ?? null } }),
          },
        ],
      },
    ),
  );
  catalog.put(
    resourceOf(
      { group: 'authorization.k8s.io', plural: 'subjectaccessreviews', kind: 'SubjectAccessReview', isCustom: false, scope: 'Cluster' },
      { verbs: ['create'] },
    ),
  );
  catalog.put(
    resourceOf(
      { group: 'h.example.com', plural: 'sheets', kind: 'Sheet', isCustom: true },
      { subresources: [status], deprecationWarning: 'sheets are old' },
    ),
  );
  return catalog;
}
