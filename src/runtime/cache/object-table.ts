import type { ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { StoredObject } from './informer.js';

/** Objects by key. Two levels, since reads mostly want one namespace. */
export class ObjectTable {
  readonly #namespaces = new Map<string, Map<string, StoredObject>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get({ namespace = '', name }: ObjectKey): StoredObject | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  set(object: StoredObject): void {
    const { namespace = '', name } = object.metadata;
    let objects = this.#namespaces.get(namespace);
    if (objects === undefined) {
      objects = new Map();
      this.#namespaces.set(namespace, objects);
    }
    const before = objects.size;
    objects.set(name, object);
    this.#size += objects.size - before;
  }

  delete({ namespace = '', name }: ObjectKey): void {
    const objects = this.#namespaces.get(namespace);
    if (objects === undefined || !objects.delete(name)) return;
    this.#size -= 1;
    // Namespaces come and go: an empty one must not stay for ever.
    if (objects.size === 0) this.#namespaces.delete(namespace);
  }

  inNamespace(namespace: string): Iterable<StoredObject> {
    return this.#namespaces.get(namespace)?.values() ?? [];
  }

  *[Symbol.iterator](): Generator<StoredObject, void, undefined> {
    for (const objects of this.#namespaces.values()) yield* objects.values();
  }
}

export function keyText({ namespace = '', name }: ObjectKey): string {
  return `${namespace}/${name}`;
}
