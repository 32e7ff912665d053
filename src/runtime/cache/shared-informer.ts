import { isError, type KindInfo, type ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import { CacheNotSyncedError } from './errors.js';
import { Feed, type FeedOptions } from './feed.js';
import type { CacheChange, ChangeListener, IndexFunction, InvalidObject, OwnDeletion, StoredObject } from './informer.js';
import type { IntakeOptions } from './intake.js';
import { Listeners } from './listeners.js';
import { type ObjectQuery, ObjectStore } from './object-store.js';
import type { CacheProblem } from './problem.js';
import type { ObjectSelection } from './selection.js';
import { textOf } from './text-of.js';
import { publishHeard } from './watch-channel.js';

export interface SharedInformerOptions extends IntakeOptions, Omit<FeedOptions, 'kind' | 'namespace' | 'store' | 'changed'> {
  /** The form that the server is asked for: the kind, or its metadata alone. */
  readonly asked: KindInfo;
  readonly namespaces: readonly (string | undefined)[];
  readonly selection: ObjectSelection;
  readonly log: Logger;
}

interface Part {
  readonly store: ObjectStore;
  readonly feed: Feed;
}

/** The objects of equal requests: one feed per namespace, behind one face. */
export class SharedInformer {
  readonly kind: KindInfo;
  readonly #options: SharedInformerOptions;
  readonly #parts: ReadonlyMap<string | undefined, Part>;
  readonly #listeners: Listeners;
  readonly #servedListeners = new Set<() => void>();
  /** As the listeners know it; `undefined` before there is an answer. */
  #wasServed: boolean | undefined;

  constructor(options: SharedInformerOptions) {
    this.kind = options.kind;
    this.#options = options;
    this.#listeners = new Listeners((error, change) => this.#listenerFailed(error, change));
    this.#parts = new Map(options.namespaces.map((namespace) => [namespace, this.#part(namespace)]));
  }

  get hasSynced(): boolean {
    return this.#all(({ feed }) => feed.hasSynced);
  }

  get isComplete(): boolean {
    return this.#all(({ feed }) => feed.isComplete);
  }

  get isServed(): boolean {
    return this.#all(({ feed }) => feed.isServed);
  }

  get resourceVersion(): string | undefined {
    const [only, ...others] = this.#parts.values();
    return others.length === 0 ? only?.store.resourceVersion : undefined;
  }

  get problems(): readonly CacheProblem[] {
    return [...this.#parts.values()].flatMap(({ feed }) => feed.report.problem ?? []);
  }

  get invalidObjects(): readonly InvalidObject[] {
    return [...this.#parts.values()].flatMap(({ store }) => store.invalidObjects);
  }

  /** Ends on abort. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#parts.values()].map(({ feed }) => feed.run(signal)));
  }

  async refresh(signal: AbortSignal): Promise<void> {
    for (const { feed } of this.#parts.values()) await feed.refresh(signal);
  }

  addIndex(indexFunction: IndexFunction): void {
    for (const { store } of this.#parts.values()) store.addIndex(indexFunction);
  }

  get(key: ObjectKey): StoredObject | undefined {
    this.#throwUnlessListed();
    return this.#partOf(key)?.store.get(key);
  }

  find(query: ObjectQuery): StoredObject[] {
    this.#throwUnlessListed();
    const found: StoredObject[] = [];
    const { namespace } = query;
    if (namespace === undefined || this.#parts.has(undefined)) for (const { store } of this.#parts.values()) store.find(query, found);
    else this.#parts.get(namespace)?.store.find(query, found);
    return found;
  }

  /** Calls the listener when the kind has come or gone since that was known. */
  onServed(listener: () => void): () => void {
    this.#servedListeners.add(listener);
    return () => void this.#servedListeners.delete(listener);
  }

  onChange(listener: ChangeListener): () => void {
    return this.#listeners.add(listener, this.#present());
  }

  written(object: StoredObject): void {
    this.#partOf(object.metadata)?.store.written(object);
  }

  deleted(deletion: OwnDeletion): void {
    this.#partOf(deletion.key)?.store.deleted(deletion);
  }

  #part(namespace: string | undefined): Part {
    const { asked, observer, kind, log } = this.#options;
    const store = new ObjectStore({
      ...this.#options,
      invalid: ({ key, message }) => {
        observer.invalid(kind);
        log.error(`${kind.kind}: an object cannot be taken in as it should: ${message}`, { kind: kind.kind, object: key });
      },
    });
    return {
      store,
      feed: new Feed({
        ...this.#options,
        kind: asked,
        namespace,
        store,
        changed: (changes) => this.#tell(changes),
        synced: () => this.#synced(),
      }),
    };
  }

  #synced(): void {
    const { isServed } = this;
    this.#options.synced();
    if (isServed && !this.hasSynced) return;
    const before = this.#wasServed;
    this.#wasServed = isServed;
    if (before !== undefined && before !== isServed) for (const listener of [...this.#servedListeners]) listener();
  }

  #tell(changes: readonly CacheChange[]): Promise<void> | undefined {
    const { observer, kind } = this.#options;
    const counts = new Map<CacheChange['type'], number>();
    for (const { type } of changes) counts.set(type, (counts.get(type) ?? 0) + 1);
    for (const [type, count] of counts) observer.changed(kind, type, count);
    publishHeard(kind, changes);
    return this.#listeners.tell(changes);
  }

  *#present(): Generator<CacheChange, void, undefined> {
    for (const { store } of this.#parts.values())
      for (const object of store.told()) yield { type: 'added', object, previous: undefined, isInitial: true, isLastStateUnknown: false };
  }

  #partOf({ namespace }: ObjectKey): Part | undefined {
    return this.#parts.get(undefined) ?? this.#parts.get(namespace);
  }

  #all(isTrue: (part: Part) => boolean): boolean {
    return [...this.#parts.values()].every(isTrue);
  }

  /** Listeners of the first list may read already: it is whole before they are called. */
  #throwUnlessListed(): void {
    if (!this.#all(({ store }) => store.resourceVersion !== undefined)) throw new CacheNotSyncedError(this.kind);
  }

  #listenerFailed(error: unknown, { type, object: { metadata } }: CacheChange): void {
    const { log, kind } = this.#options;
    const stack = isError(error) ? error.stack : undefined;
    const { namespace, name } = metadata;
    log.error(`${kind.kind}: a listener failed: ${textOf(error)}`, { kind: kind.kind, object: { namespace, name }, change: type, stack });
  }
}
