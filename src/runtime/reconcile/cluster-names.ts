import { createHash } from 'node:crypto';
import { type ControllerModel, clusterNamesOf, type InstanceSelector, isNarrowed } from 'keelson/internal/definition';
import type { ManagerNames } from '../takeover/index.js';

/** One installation of an operator, as its process sees itself. */
export interface Instance extends InstanceSelector {
  /** The operator's name in its definition. */
  readonly operator: string;
  /** Names that the operator had in releases before. @defaultValue none */
  readonly formerOperators?: readonly string[] | undefined;
  /** Name of the installation. @defaultValue the operator's name */
  readonly name?: string | undefined;
}

/** The names that one controller of an installation uses on the cluster: nothing else derives them. */
export interface ClusterNames {
  readonly fieldManager: string;
  /** Those of releases before, under which marks and annotations stand too. */
  readonly formerManagers: readonly string[];
  /** Whether the controller, or its operator, had another name in a release before. */
  readonly isRenamed: boolean;
  /** Those of the controller in other instances of the operator: `undefined` where there can be none. */
  readonly otherManagers: ManagerNames | undefined;
  /** Those of other controllers of the operator that write for the same objects, in every instance and every release. */
  readonly rivals: ManagerNames;
  /** Absent for a controller without a finalizer. */
  readonly finalizer: string | undefined;
  /** Whether a finalizer is that of a release before. */
  readonly isFormerFinalizer: (finalizer: string) => boolean;
  /** Whether the own finalizer takes the place of a finalizer: that of a release before, of another instance, or of a time before the operator had several. */
  readonly isOtherFinalizer: (finalizer: string) => boolean;
  /** Whether deletion waits for this instance because of a finalizer: its own, or one from before a change of names or of the selector. */
  readonly isOwnFinalizer: (finalizer: string) => boolean;
}

/** Separates a finalizer from the name of an instance. No name of a controller has it. */
const JOIN = '_';
/** The API server takes so many characters after the slash. */
const MOST = 63;

type Named = Pick<ControllerModel, 'name' | 'formerNames' | 'finalizer' | 'formerFinalizers' | 'select'>;

/** A controller that is for all objects is the only one, and has the names that it has always had. */
export function clusterNames(controller: Named, instance: Instance, others: readonly Named[] = []): ClusterNames {
  return isNarrowed(controller, instance) ? narrowedNames(controller, instance, others) : plainNames(controller, instance, others);
}

function plainNames(controller: Named, instance: Instance, others: readonly Named[]): ClusterNames {
  const { fieldManager, formerManagers, finalizer, formerFinalizers } = wholeNames(controller, instance);
  const former = new Set(formerFinalizers);
  const isOther = (one: string): boolean => former.has(one) || isOfFamily(one, finalizer, formerFinalizers);
  return {
    fieldManager,
    formerManagers,
    isRenamed: formerManagers.length > 0,
    otherManagers: undefined,
    rivals: new Set(others.flatMap((other) => managersOf(wholeNames(other, instance)))),
    finalizer,
    isFormerFinalizer: (one) => former.has(one),
    isOtherFinalizer: isOther,
    isOwnFinalizer: (one) => one === finalizer || isOther(one),
  };
}

function narrowedNames(controller: Named, instance: Instance, others: readonly Named[]): ClusterNames {
  const whole = wholeNames(controller, instance);
  const { finalizer: plain, formerFinalizers } = whole;
  const { name: installation = instance.operator } = instance;
  const { formerNames = [] } = controller;
  const fieldManager = `${installation}/${controller.name}`;
  const finalizer = plain === undefined ? undefined : joinedName(plain, installation);
  const former = new Set([...formerFinalizers, ...formerFinalizers.map((one) => joinedName(one, installation))]);
  return {
    fieldManager,
    formerManagers: [...formerNames.map((one) => `${installation}/${one}`), ...managersOf(whole)].filter((one) => one !== fieldManager),
    isRenamed: whole.formerManagers.length > 0,
    otherManagers: { has: (manager) => manager !== fieldManager && isOfController(manager, controller) },
    rivals: { has: (manager) => others.some((other) => isOfController(manager, other)) },
    finalizer,
    isFormerFinalizer: (one) => former.has(one),
    isOtherFinalizer: (one) => one !== finalizer && (one === plain || former.has(one) || isOfFamily(one, plain, formerFinalizers)),
    isOwnFinalizer: (one) => one === finalizer || one === plain || former.has(one),
  };
}

function wholeNames(controller: Named, { operator, formerOperators }: Instance): ReturnType<typeof clusterNamesOf> {
  return clusterNamesOf({ name: operator, formerNames: formerOperators }, controller);
}

function managersOf({ fieldManager, formerManagers }: ReturnType<typeof clusterNamesOf>): readonly string[] {
  return [fieldManager, ...formerManagers];
}

function isOfController(manager: string, { name, formerNames = [] }: Named): boolean {
  return [name, ...formerNames].some((one) => manager.endsWith(`/${one}`));
}

/** Whether a finalizer is that of an instance. */
export function isOfFamily(one: string, finalizer: string | undefined, formerFinalizers: readonly string[]): boolean {
  return [...(finalizer === undefined ? [] : [finalizer]), ...formerFinalizers].some((plain) => one.startsWith(`${plain}${JOIN}`));
}

/** A long name of an instance is cut, and a hash keeps two of them apart. */
function joinedName(finalizer: string, instance: string): string {
  const whole = `${finalizer}${JOIN}${instance}`;
  const room = MOST - (finalizer.length - finalizer.lastIndexOf('/'));
  if (instance.length <= room) return whole;
  const print = createHash('sha256')
    .update(instance)
    .digest('hex')
    .slice(0, Math.max(8, Math.min(10, room)));
  return `${finalizer}${JOIN}${instance.slice(0, Math.max(0, room - print.length))}${print}`;
}
