import { comparePathElements, type Path, type PathElement } from './path-element.js';
import type { TypeRef } from './type-ref.js';

interface FieldNode {
  readonly element: PathElement;
  /** The path that ends here is in the set, even if paths below it are not. */
  readonly isMember: boolean;
  readonly children: FieldSet;
}

/** A set of paths, as a tree. Immutable: every operation gives a new set, which shares what did not change. */
export class FieldSet {
  static readonly EMPTY: FieldSet = new FieldSet(new Map());

  readonly #nodes: ReadonlyMap<string, FieldNode>;
  #sorted: readonly FieldNode[] | undefined;

  private constructor(nodes: ReadonlyMap<string, FieldNode>) {
    this.#nodes = nodes;
  }

  static of(...paths: readonly Path[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.insert(path);
    return builder.build();
  }

  /** Nodes that hold nothing are dropped, so that equal sets have equal trees. */
  static fromNodes(nodes: Iterable<FieldNode>): FieldSet {
    const kept = new Map<string, FieldNode>();
    for (const node of nodes) if (node.isMember || !node.children.isEmpty) kept.set(node.element.id, node);
    return kept.size === 0 ? FieldSet.EMPTY : new FieldSet(kept);
  }

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  /** Number of paths. */
  get size(): number {
    let count = 0;
    for (const { isMember, children } of this.#nodes.values()) count += (isMember ? 1 : 0) + children.size;
    return count;
  }

  /** The nodes of this level in the order of `fieldsV1`. */
  nodes(): readonly FieldNode[] {
    this.#sorted ??= [...this.#nodes.values()].sort((left, right) => comparePathElements(left.element, right.element));
    return this.#sorted;
  }

  /** The part of the set below an element. */
  below(element: PathElement): FieldSet {
    return this.#nodes.get(element.id)?.children ?? FieldSet.EMPTY;
  }

  hasElement(element: PathElement): boolean {
    return this.#nodes.get(element.id)?.isMember === true;
  }

  has(path: Path): boolean {
    const [first, ...rest] = path;
    if (first === undefined) return false;
    return rest.length === 0 ? this.hasElement(first) : this.below(first).has(rest);
  }

  /** All paths: of each level first its members, then what lies below. Messages list conflicts in this order. */
  paths(): Path[] {
    const nodes = this.nodes();
    return [
      ...nodes.filter(({ isMember }) => isMember).map(({ element }) => [element]),
      ...nodes.flatMap(({ element, children }) => children.paths().map((path) => [element, ...path])),
    ];
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.#nodes.size !== other.#nodes.size) return false;
    for (const [id, node] of this.#nodes) {
      const its = other.#nodes.get(id);
      if (its === undefined || its.isMember !== node.isMember || !node.children.equals(its.children)) return false;
    }
    return true;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty || this === other) return this;
    if (this.isEmpty) return other;
    const nodes = new Map(this.#nodes);
    for (const [id, its] of other.#nodes) {
      const mine = nodes.get(id);
      nodes.set(
        id,
        mine === undefined
          ? its
          : { element: mine.element, isMember: mine.isMember || its.isMember, children: mine.children.union(its.children) },
      );
    }
    return new FieldSet(nodes);
  }

  intersection(other: FieldSet): FieldSet {
    if (this === other || this.isEmpty) return this;
    if (other.isEmpty) return other;
    return this.#combine(other, (mine, its) => ({
      element: mine.element,
      isMember: mine.isMember && its?.isMember === true,
      children: its === undefined ? FieldSet.EMPTY : mine.children.intersection(its.children),
    }));
  }

  /** The paths that the other set has not. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return this.#combine(other, (mine, its) =>
      its === undefined
        ? mine
        : { element: mine.element, isMember: mine.isMember && !its.isMember, children: mine.children.difference(its.children) },
    );
  }

  /** The paths that neither are in the other set nor lie below one of its members. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return this.#combine(other, (mine, its) => {
      if (its === undefined) return mine;
      if (its.isMember) return { element: mine.element, isMember: false, children: FieldSet.EMPTY };
      return { element: mine.element, isMember: mine.isMember, children: mine.children.recursiveDifference(its.children) };
    });
  }

  /** The members below which the set has nothing. */
  leaves(): FieldSet {
    return FieldSet.fromNodes(
      [...this.#nodes.values()].map(({ element, isMember, children }) => ({
        element,
        isMember: isMember && children.isEmpty,
        children: children.leaves(),
      })),
    );
  }

  /** Makes every declared field that something lies below a member too. A field set of a value leaves such fields out; pruning needs them. */
  withNamedFields(type: TypeRef | undefined): FieldSet {
    const atom = type?.atom;
    return FieldSet.fromNodes(
      [...this.#nodes.values()].map(({ element, isMember, children }) => {
        if (children.isEmpty) return { element, isMember, children };
        const declared = element.kind === 'field' ? atom?.map?.fields.get(element.name) : undefined;
        const below =
          element.kind === 'field'
            ? (declared?.type ?? atom?.map?.elementType)
            : element.kind === 'key'
              ? atom?.list?.elementType
              : undefined;
        return { element, isMember: isMember || declared !== undefined, children: children.withNamedFields(below) };
      }),
    );
  }

  #combine(other: FieldSet, combine: (mine: FieldNode, its: FieldNode | undefined) => FieldNode): FieldSet {
    return FieldSet.fromNodes([...this.#nodes].map(([id, node]) => combine(node, other.#nodes.get(id))));
  }
}

interface BuildingNode {
  readonly element: PathElement;
  isMember: boolean;
  /** Most have none. */
  children: Map<string, BuildingNode> | undefined;
}

/** Collects paths into a {@link FieldSet}. */
export class FieldSetBuilder {
  readonly #roots = new Map<string, BuildingNode>();

  /** The empty path, which means the whole object, has no owner: it is left out. */
  insert(path: Path): void {
    let last: BuildingNode | undefined;
    for (const element of path) {
      const level: Map<string, BuildingNode> = last === undefined ? this.#roots : childrenOf(last);
      last = level.get(element.id);
      if (last === undefined) {
        last = { element, isMember: false, children: undefined };
        level.set(element.id, last);
      }
    }
    if (last !== undefined) last.isMember = true;
  }

  build(): FieldSet {
    return buildLevel(this.#roots);
  }
}

function childrenOf(node: BuildingNode): Map<string, BuildingNode> {
  node.children ??= new Map();
  return node.children;
}

function buildLevel(level: ReadonlyMap<string, BuildingNode> | undefined): FieldSet {
  if (level === undefined) return FieldSet.EMPTY;
  return FieldSet.fromNodes(
    [...level.values()].map(({ element, isMember, children }) => ({ element, isMember, children: buildLevel(children) })),
  );
}
