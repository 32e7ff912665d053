import type { ClusterView, JsonObject, ObjectName, ResourceCatalog } from '../contract/index.js';
import type { Store } from '../store/index.js';

type Name = Parameters<ClusterView['get']>[0];

/** The store as strategies, admission and authorization see it. A resource that the catalog does not have has no objects. */
export class StoreView implements ClusterView {
  readonly #store: Store;
  readonly #catalog: ResourceCatalog;

  constructor(store: Store, catalog: ResourceCatalog) {
    this.#store = store;
    this.#catalog = catalog;
  }

  get revision(): number {
    return this.#store.revision;
  }

  get({ group, plural }: Name, { namespace, name }: ObjectName): JsonObject | undefined {
    const resource = this.#catalog.find(group, plural);
    return resource === undefined ? undefined : this.#store.get({ resource: resource.storageKey, namespace, name });
  }

  list({ group, plural }: Name, namespace?: string): readonly JsonObject[] {
    const resource = this.#catalog.find(group, plural);
    if (resource === undefined) return [];
    const page = this.#store.list({ resource: resource.storageKey, ...(namespace === undefined ? {} : { namespace }) });
    return page.ok ? page.value.items : [];
  }
}
