import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import { clusterNamesOf, type Logger, type OperatorModel } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';
import { appliedMark } from '../children/index.js';
import { isOfFamily } from './cluster-names.js';
import { idOf } from './object-id.js';

/** Objects by the name that stands on them and is that of no controller. */
export type Strays = ReadonlyMap<string, readonly StoredObject[]>;

/** The names that the controllers of an operator have, and had. Other names on the cluster have no controller. */
export class KnownNames {
  readonly #operators: ReadonlySet<string>;
  readonly #managers = new Set<string>();
  readonly #finalizers = new Set<string>();

  constructor(operator: Pick<OperatorModel, 'name' | 'formerNames' | 'controllers'>) {
    this.#operators = new Set([operator.name, ...(operator.formerNames ?? [])]);
    for (const controller of operator.controllers) {
      const { fieldManager, formerManagers, finalizer, formerFinalizers } = clusterNamesOf(operator, controller);
      for (const manager of [fieldManager, ...formerManagers, ...(controller.formerFieldManagers ?? [])]) this.#managers.add(manager);
      for (const name of [...(finalizer === undefined ? [] : [finalizer]), ...formerFinalizers]) this.#finalizers.add(name);
    }
  }

  /** Finalizers of the kind's own group that no controller has, in no instance: an object with one of them can never be deleted. */
  strayFinalizers({ group }: Pick<KindInfo, 'group'>, objects: readonly StoredObject[]): Strays {
    return grouped(objects, ({ metadata: { finalizers = [] } }) =>
      finalizers.filter((finalizer) => finalizer.startsWith(`${group}/`) && !this.#isKnown(finalizer)),
    );
  }

  /** Controllers of this operator, by the marks of their children, that do not exist. */
  strayChildren(objects: readonly StoredObject[]): Strays {
    return grouped(objects, (object) => {
      const { manager } = appliedMark(object) ?? {};
      const isOurs = manager !== undefined && this.#operators.has(manager.slice(0, manager.lastIndexOf('/')));
      return isOurs && !this.#managers.has(manager) ? [manager] : [];
    });
  }

  #isKnown(finalizer: string): boolean {
    return this.#finalizers.has(finalizer) || isOfFamily(finalizer, undefined, [...this.#finalizers]);
  }
}

/** A kind whose objects carry a name that no controller has. */
export interface StrayNames {
  readonly what: 'finalizer' | 'child';
  readonly kind: KindInfo;
  readonly strays: Strays;
}

/** Objects of one kind that a controller holds. */
export interface HeldObjects {
  readonly what: StrayNames['what'];
  readonly kind: KindInfo;
  readonly objects: readonly StoredObject[];
}

/** @param held the reconciled objects, and those of the kinds of children */
export function straysIn(held: readonly HeldObjects[], known: KnownNames): readonly StrayNames[] {
  return held.map(({ what, kind, objects }) => ({
    what,
    kind,
    strays: what === 'finalizer' ? known.strayFinalizers(kind, objects) : known.strayChildren(objects),
  }));
}

const HINTS: Readonly<Record<StrayNames['what'], string>> = {
  finalizer:
    'objects have a finalizer that no controller of this release takes off, so that they cannot be deleted; name it under formerNames or formerFinalizers of a controller',
  child:
    'children were applied by a controller that this release does not have; name it under formerNames, and its handle under released, or delete them',
};

/** Logs each name once, with an object that has it. */
export function logStrays(log: Logger, names: readonly StrayNames[]): void {
  for (const { what, kind, strays } of names)
    for (const [name, objects] of strays) {
      const example = objects[0] === undefined ? '' : idOf(objects[0].metadata);
      log.warn(HINTS[what], { kind: kind.kind, [what === 'finalizer' ? 'finalizer' : 'madeBy']: name, objects: objects.length, example });
    }
}

/** The objects that carry such a name, by kind. A kind of two controllers is counted once. */
export function strayCounts(names: readonly StrayNames[], what: StrayNames['what']): ReadonlyMap<string, number> {
  return new Map(
    names
      .filter((each) => each.what === what)
      .map(({ kind, strays }) => [kind.kind, new Set([...strays.values()].flat().map(({ metadata }) => metadata.uid)).size]),
  );
}

function grouped(objects: readonly StoredObject[], namesOf: (object: StoredObject) => readonly string[]): Strays {
  const all = new Map<string, StoredObject[]>();
  for (const object of objects) for (const name of namesOf(object)) all.set(name, [...(all.get(name) ?? []), object]);
  return all;
}
