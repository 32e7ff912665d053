import type { KindInfo, KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { controllerUids } from '@keelson/runtime/internal/children';
import type { RunTarget } from '../messages.js';
import { nameOf, targetOf } from '../object-table.js';
import { type ConditionMeaning, conditionMeaning } from './condition-meaning.js';

/** An object as the page shows it: no field of its spec, no data of a Secret. */
export interface TreeObject {
  /** `Memcached default/main`. */
  readonly name: string;
  readonly uid: string;
  /** 0 without an owner. */
  readonly depth: number;
  readonly createdAt: string;
  readonly isDeleting: boolean;
  readonly conditions: readonly TreeCondition[];
  /** `null` for an object that no controller is for: it cannot be run again. */
  readonly target: RunTarget | null;
}

export interface TreeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly meaning: ConditionMeaning;
}

/**
 * Objects in the order of a tree: each owner before what it owns, by owner references of controllers and by keelson's annotations.
 *
 * @param roots the custom resources. One that another object owns stands below its owner
 * @param reconciled the kinds that controllers are for
 * @param others shown where one of the roots owns them, directly or not
 */
export function ownershipTree(
  roots: readonly KubernetesObject[],
  others: readonly KubernetesObject[],
  reconciled: readonly KindInfo[],
): readonly TreeObject[] {
  const all = new Map([...roots, ...others].map((object) => [uidOf(object), object] as const));
  const children = new Map<string, string[]>();
  const owned = new Set<string>();
  for (const [uid, object] of all) {
    const owner = controllerUids(object as never).find((candidate) => candidate !== uid && all.has(candidate));
    if (owner === undefined) continue;
    owned.add(uid);
    children.set(owner, [...(children.get(owner) ?? []), uid]);
  }
  const tree: TreeObject[] = [];
  const seen = new Set<string>();
  const visit = (uid: string, depth: number): void => {
    const object = all.get(uid);
    if (object === undefined || seen.has(uid)) return;
    seen.add(uid);
    tree.push(treeObject(object, depth, reconciled));
    for (const child of children.get(uid) ?? []) visit(child, depth + 1);
  };
  for (const root of roots) if (!owned.has(uidOf(root))) visit(uidOf(root), 0);
  // Two that own each other have no beginning; they are shown all the same.
  for (const root of roots) visit(uidOf(root), 0);
  return tree;
}

const uidOf = ({ metadata }: KubernetesObject): string => (metadata as { readonly uid?: string }).uid ?? '';

function treeObject(object: KubernetesObject, depth: number, reconciled: readonly KindInfo[]): TreeObject {
  const { creationTimestamp = '', deletionTimestamp } = object.metadata as {
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
  };
  const { status } = object as { readonly status?: { readonly conditions?: unknown } };
  const conditions = Array.isArray(status?.conditions) ? (status.conditions as readonly Partial<TreeCondition>[]) : [];
  return {
    name: nameOf(object),
    uid: uidOf(object),
    depth,
    createdAt: creationTimestamp,
    target: targetOf(object, reconciled) ?? null,
    isDeleting: deletionTimestamp !== undefined,
    conditions: conditions.map(({ type = '', status: state = '', reason = '', message = '' }) => ({
      type,
      status: state,
      reason,
      message,
      meaning: conditionMeaning({ type, status: state, reason }),
    })),
  };
}
