import type { JsonObject, Resource } from '../../contract/index.js';
import { metaOf, ownersOf } from '../metadata.js';

/** An object and what it is. */
export interface GraphNode {
  readonly resource: Resource;
  readonly object: JsonObject;
}

/** The owners of each object, by uid. */
export class ObjectGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #dependents = new Map<string, Set<string>>();

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  get size(): number {
    return this.#nodes.size;
  }

  dependentsOf(uid: string): readonly GraphNode[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((dependent) => this.#nodes.get(dependent) ?? []);
  }

  put(node: GraphNode): void {
    const { uid } = metaOf(node.object);
    this.#unlink(uid);
    this.#nodes.set(uid, node);
    for (const owner of ownersOf(node.object)) this.#dependentsSet(owner.uid).add(uid);
  }

  remove(uid: string): void {
    this.#unlink(uid);
    this.#nodes.delete(uid);
  }

  #unlink(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node === undefined) return;
    for (const owner of ownersOf(node.object)) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid);
    }
  }

  #dependentsSet(owner: string): Set<string> {
    const known = this.#dependents.get(owner);
    if (known !== undefined) return known;
    const made = new Set<string>();
    this.#dependents.set(owner, made);
    return made;
  }
}
