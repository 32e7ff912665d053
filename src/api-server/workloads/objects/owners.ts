import type { ObjectMeta, OwnerReference } from '@keelson/kubernetes/apimachinery';

interface Owned {
  readonly metadata: ObjectMeta;
}

export function controllerOf({ metadata: { ownerReferences = [] } }: Owned): OwnerReference | undefined {
  return ownerReferences.find(({ controller }) => controller === true);
}

export function isControlledBy(object: Owned, owner: Owned): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

export interface OwnerKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export function controllerReference({ metadata: { name = '', uid = '' } }: Owned, { apiVersion, kind }: OwnerKind): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The objects that a controller's selector may choose, by their relation to it. */
export interface Claims<T> {
  /** Its own, before anything is written. */
  readonly mine: readonly T[];
  /** Orphans that it adopts. */
  readonly adopted: readonly T[];
  /** Its own, that its selector does not choose any more. */
  readonly released: readonly T[];
}

/** Source: kubernetes `pkg/controller/controller_ref_manager.go`. */
export function claimsOf<T extends Owned>(owner: Owned, candidates: readonly T[], matches: (object: T) => boolean): Claims<T> {
  const isGoing = owner.metadata.deletionTimestamp !== undefined;
  const [mine, adopted, released]: [T[], T[], T[]] = [[], [], []];
  for (const object of candidates) {
    const controller = controllerOf(object);
    if (controller !== undefined && controller.uid !== owner.metadata.uid) continue;
    const isMatch = matches(object);
    if (controller !== undefined) {
      if (isMatch) mine.push(object);
      else if (!isGoing) released.push(object);
    } else if (isMatch && !isGoing && object.metadata.deletionTimestamp === undefined) adopted.push(object);
  }
  return { mine, adopted, released };
}

/** The references of an object that was adopted. */
export function withController({ metadata: { ownerReferences = [] } }: Owned, reference: OwnerReference): readonly OwnerReference[] {
  return [...ownerReferences.filter(({ uid }) => uid !== reference.uid), reference];
}

/** The references of an object that was let go; null removes the field. */
export function withoutOwner({ metadata: { ownerReferences = [] } }: Owned, owner: Owned): readonly OwnerReference[] | null {
  const others = ownerReferences.filter(({ uid }) => uid !== owner.metadata.uid);
  return others.length === 0 ? null : others;
}
