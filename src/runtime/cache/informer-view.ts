import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import { CacheRequestError } from './errors.js';
import type {
  CacheRequest,
  ChangeListener,
  IndexFunction,
  Informer,
  InformerListOptions,
  InvalidObject,
  OwnDeletion,
  StoredObject,
} from './informer.js';
import { requirementsOf } from './selection.js';
import type { SharedInformer } from './shared-informer.js';

/** The view of one request on the informer that it shares: its own names of indexes. */
export class InformerView implements Informer {
  readonly #shared: SharedInformer;
  readonly #indexes: Readonly<Record<string, IndexFunction>>;

  constructor(shared: SharedInformer, { indexes = {} }: CacheRequest) {
    this.#shared = shared;
    this.#indexes = { ...indexes };
    for (const indexFunction of Object.values(this.#indexes)) shared.addIndex(indexFunction);
  }

  get kind(): KindInfo {
    return this.#shared.kind;
  }

  get hasSynced(): boolean {
    return this.#shared.hasSynced;
  }

  get resourceVersion(): string | undefined {
    return this.#shared.resourceVersion;
  }

  get isComplete(): boolean {
    return this.#shared.isComplete;
  }

  get isServed(): boolean {
    return this.#shared.isServed;
  }

  get invalidObjects(): readonly InvalidObject[] {
    return this.#shared.invalidObjects;
  }

  refresh(signal: AbortSignal): Promise<void> {
    return this.#shared.refresh(signal);
  }

  get(key: ObjectKey): StoredObject | undefined {
    return this.#shared.get(key);
  }

  /** @throws CacheRequestError for an index that the request does not have, or a selector that cannot be */
  list({ namespace, labels, labelSelector, index = {} }: InformerListOptions = {}): StoredObject[] {
    const requirements = requirementsOf(this.kind, { labels, labelSelector });
    const indexed = Object.entries(index).flatMap(([name, value]) =>
      value === undefined ? [] : [{ function: this.#indexNamed(name), value }],
    );
    return this.#shared.find({ namespace, requirements, indexed });
  }

  onChange(listener: ChangeListener): () => void {
    return this.#shared.onChange(listener);
  }

  written(object: StoredObject): void {
    this.#shared.written(object);
  }

  deleted(deletion: OwnDeletion): void {
    this.#shared.deleted(deletion);
  }

  #indexNamed(name: string): IndexFunction {
    const found = Object.hasOwn(this.#indexes, name) ? this.#indexes[name] : undefined;
    if (found !== undefined) return found;
    const known = Object.keys(this.#indexes);
    const advice = known.length === 0 ? 'none is declared' : `declared are ${known.join(', ')}`;
    throw new CacheRequestError(`${this.kind.kind}: there is no index ${JSON.stringify(name)}; ${advice}`);
  }
}
