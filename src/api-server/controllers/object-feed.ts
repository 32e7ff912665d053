import type { Resource, ResourceCatalog } from '../contract/index.js';
import type { ObjectEvent, Store, Watch } from '../store/index.js';

export interface FedEvent extends ObjectEvent {
  readonly resource: Resource;
}

/** All events of all resources, present and to come, in the order of the store; at first everything that is there. */
export class ObjectFeed {
  readonly #store: Store;
  readonly #catalog: ResourceCatalog;
  readonly #watches = new Map<string, Watch>();
  readonly #wants: (resource: Resource) => boolean;
  readonly #listener: (event: FedEvent) => void;
  #endListening: (() => void) | undefined;

  constructor(
    { store, catalog }: { readonly store: Store; readonly catalog: ResourceCatalog },
    options: { readonly wants?: (resource: Resource) => boolean; readonly onEvent: (event: FedEvent) => void },
  ) {
    this.#store = store;
    this.#catalog = catalog;
    this.#wants = options.wants ?? (() => true);
    this.#listener = options.onEvent;
  }

  start(): void {
    this.#endListening = this.#catalog.onChange(() => this.#follow());
    this.#follow();
  }

  stop(): void {
    this.#endListening?.();
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
  }

  #follow(): void {
    for (const resource of this.#catalog.resources) {
      if (this.#watches.has(resource.storageKey) || !this.#wants(resource)) continue;
      this.#watch(resource);
    }
  }

  /** A watch outlives its resource: the objects of a definition that goes are deleted before, and it may come back. */
  #watch(resource: Resource): void {
    const outcome = this.#store.watch({
      resource: resource.storageKey,
      sendInitialEvents: true,
      maxPendingEvents: Number.POSITIVE_INFINITY,
    });
    if (!outcome.ok) throw new RangeError(`a watch from now on cannot be refused: ${outcome.problem.message}`);
    const watch = outcome.value;
    this.#watches.set(resource.storageKey, watch);
    const take = (): void => {
      for (let event = watch.next(); event !== undefined; event = watch.next()) {
        if (event.type === 'BOOKMARK') continue;
        if (event.type === 'ERROR') throw new RangeError(`a watch without a limit cannot fail: ${event.problem.message}`);
        this.#listener({ ...event, resource });
      }
    };
    watch.onEvent(take);
    take();
  }
}
