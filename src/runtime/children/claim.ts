import { type OwnPolicy, RetryLater } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';
import type { ManagerNames } from '../takeover/index.js';
import { describe, type Hold, holdOf, isAdopted } from './child.js';
import { ChildTakenError } from './errors.js';
import { ADOPTED_ANNOTATION, appliedMark, isOfKind, type NamedOwner, namedOwner, OWNER_ANNOTATION, type Owner } from './marks.js';

export interface Claimant {
  readonly owner: Owner;
  readonly policy: OwnPolicy;
  /** Whether the controller has applied the object, under whichever of its names. */
  readonly isMine: (live: StoredObject) => boolean;
  /** Those of the other controllers for the same kind. */
  readonly rivals: ManagerNames;
  /** Whether an object of the owner's own kind is known to be there that an annotation names. */
  readonly isThere: (named: NamedOwner) => boolean;
}

export interface Claim {
  readonly hold: Hold;
  /** It had no controller until now. */
  readonly adopts: boolean;
}

/**
 * Whether an object that has the name of a child is one, and how it is held.
 *
 * @throws RetryLater while a child of a deleted object of the same name is still there; ChildTakenError for objects of others
 */
export function claim(live: StoredObject, claimant: Claimant): Claim {
  const { owner, policy } = claimant;
  const { uid } = owner.object.metadata;
  const controller = live.metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (controller !== undefined && controller.uid !== uid) throw takenBy(controller, live, owner);
  refuseRival(live, claimant);
  if (isAdopted(live) && namedOwner(live.metadata.annotations)?.uid === uid)
    return { hold: policy.keepsAdopted ? 'adopted' : holdOf(policy), adopts: false };
  if (controller !== undefined || namedOwner(live.metadata.annotations)?.uid === uid) return { hold: holdOf(policy), adopts: false };
  // A user who deletes an owner with `--cascade=orphan` and makes it anew wants its children back: this controller made them.
  if (namedOwner(live.metadata.annotations) === undefined && claimant.isMine(live)) return { hold: holdOf(policy), adopts: false };
  if (policy.adopt !== 'unowned') throw unowned(live, owner);
  refuseNamed(live, claimant);
  return { hold: policy.keepsAdopted ? 'adopted' : holdOf(policy), adopts: true };
}

function takenBy(
  controller: { readonly apiVersion: string; readonly kind: string; readonly name: string },
  live: StoredObject,
  { object, kind }: Owner,
): Error {
  // An object of the same kind and name that is gone, as two of a name cannot be. Its children are deleted after it.
  if (isOfKind(controller, kind) && controller.name === object.metadata.name) {
    return new RetryLater(
      '5s',
      `${describe(live)} belongs to the ${kind.kind} ${controller.name} that was deleted; it is made anew when the garbage collector has deleted it`,
    );
  }
  return new ChildTakenError(
    `${describe(live)} has another controller, ${controller.kind} ${controller.name}; ` +
      `${kind.kind} ${object.metadata.name} needs a child of that name: rename one of the two, or delete the other`,
  );
}

/** Two controllers for one kind share the owner; what one of them applies the other would apply away. */
function refuseRival(live: StoredObject, { owner, rivals }: Claimant): void {
  const manager = appliedMark(live)?.manager;
  if (manager === undefined || !rivals.has(manager)) return;
  throw new ChildTakenError(
    `${describe(live)} is desired by the controller ${manager} for the same ${owner.kind.kind}; give the children of the two different names`,
  );
}

/** Two owners that adopt would take an object from each other in turn. An owner of another kind cannot be looked for: nothing grants a right to read it. */
function refuseNamed(live: StoredObject, { owner: { kind, object }, isThere }: Claimant): void {
  const { annotations } = live.metadata;
  const named = namedOwner(annotations);
  if (named === undefined) return;
  const isOfOwnKind = named.kind === kind.kind && named.group === kind.group;
  if (isOfOwnKind && !isThere(named)) return;
  const annotation = annotations?.[OWNER_ANNOTATION] === undefined ? ADOPTED_ANNOTATION : OWNER_ANNOTATION;
  throw new ChildTakenError(
    `${describe(live)} belongs to ${named.kind} ${named.name}, as its annotation ${annotation} says; ${kind.kind} ${object.metadata.name} needs a child of that name: ` +
      (isOfOwnKind ? 'rename one of the two, or delete the other' : 'rename it, or remove the annotation if that owner is gone'),
  );
}

function unowned(live: StoredObject, { kind, object }: Owner): Error {
  return new ChildTakenError(
    `${describe(live)} is there already and was not made by ${kind.kind} ${object.metadata.name}; rename or delete it, ` +
      `or declare own(${live.kind}, { adopt: 'unowned' }) to take over what has no controller`,
  );
}
