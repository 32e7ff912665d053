import { FieldSet } from './field-set.js';
import type { Path, PathElement } from './path-element.js';
import { isDeducedMap, type TypeRef } from './type-ref.js';

/**
 * Brings a stored field set in line with a schema that has since made a granular list or map atomic: the owner of something inside now owns the whole.
 * (The other direction needs nothing: the owner of the whole keeps the path that is now a node.)
 */
export function reconcileSet(type: TypeRef, set: FieldSet): FieldSet {
  const atomics = atomicPaths([], type, { set, isWhole: false });
  if (atomics.length === 0) return set;
  const whole = FieldSet.of(...atomics);
  return set.recursiveDifference(whole).union(whole);
}

interface Node {
  readonly set: FieldSet;
  /** The set has the path itself and nothing below it. */
  readonly isWhole: boolean;
}

/** Paths below which the set has something although the type is one leaf there. */
function atomicPaths(path: Path, type: TypeRef, { set, isWhole }: Node): readonly Path[] {
  const { map, list, scalar } = type.atom;
  if (map !== undefined) {
    if (isDeducedMap(map)) return [];
    if (!isWhole && map.isAtomic) return set.isEmpty ? [] : [path];
    return below(path, set, (element) =>
      element.kind === 'field' ? (map.fields.get(element.name)?.type ?? map.elementType) : map.elementType,
    );
  }
  if (scalar !== undefined || list === undefined) return [];
  if (!isWhole && list.isAtomic) return [path];
  return below(path, set, () => list.elementType);
}

function below(path: Path, set: FieldSet, typeOf: (element: PathElement) => TypeRef | undefined): readonly Path[] {
  return set.nodes().flatMap(({ element, isMember, children }) => {
    const type = typeOf(element);
    // A field that the schema no longer has: nothing to say about it.
    if (type === undefined) return [];
    return atomicPaths([...path, element], type, { set: children, isWhole: isMember && children.isEmpty });
  });
}
