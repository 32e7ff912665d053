import type { KindInfo, ObjectKey } from '../../../src/kubernetes/apimachinery/index.js';
import type { Informer, InformerListOptions, OwnDeletion, StoredObject } from '../../../src/runtime/cache/index.js';
import { controllerUids } from '../../../src/runtime/children/index.js';

const idOf = ({ namespace = '', name }: ObjectKey): string => `${namespace}/${name}`;

/** What a test says is there, and what it was told of own writes. */
export class FakeInformer implements Informer {
  readonly kind: KindInfo;
  readonly hasSynced = true;
  readonly resourceVersion = undefined;
  readonly invalidObjects = [];
  isComplete = true;
  readonly isServed = true;
  readonly told: StoredObject[] = [];
  readonly gone: OwnDeletion[] = [];
  readonly #objects = new Map<string, StoredObject>();

  constructor(kind: KindInfo) {
    this.kind = kind;
  }

  put(object: StoredObject): void {
    this.#objects.set(idOf(object.metadata), object);
  }

  remove(key: ObjectKey): void {
    this.#objects.delete(idOf(key));
  }

  async refresh(): Promise<void> {
    // What a test puts is all there is.
  }

  get(key: ObjectKey): StoredObject | undefined {
    return this.#objects.get(idOf(key));
  }

  /** By the uid of the owner: no other index is asked for here. */
  list({ index = {} }: InformerListOptions = {}): StoredObject[] {
    const [uid] = Object.values(index);
    return [...this.#objects.values()].filter((object) => uid === undefined || controllerUids(object).includes(uid));
  }

  onChange(): () => void {
    return () => undefined;
  }

  written(object: StoredObject): void {
    this.told.push(object);
    this.put(object);
  }

  deleted(deletion: OwnDeletion): void {
    this.gone.push(deletion);
    this.remove(deletion.key);
  }
}
