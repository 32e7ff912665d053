import { createHash } from 'node:crypto';
import { type ControllerModel, type InstanceSelector, isNarrowed } from 'keelson/internal/definition';
import type { ManagerNames } from '../takeover/index.js';

/** One installation of an operator, as its process sees itself. */
export interface Instance extends InstanceSelector {
  /** The operator's name in its definition. */
  readonly operator: string;
  /** Name of the installation. @defaultValue the operator's name */
  readonly name?: string | undefined;
}

/** The names that one controller uses on the cluster: nothing else derives them. */
export interface ClusterNames {
  readonly fieldManager: string;
  /** Those of the controller in other instances of the operator: `undefined` where there can be none. */
  readonly otherManagers: ManagerNames | undefined;
  /** Those of other controllers of the operator that write for the same objects, in every instance. */
  readonly rivals: ManagerNames;
  /** Absent for a controller without a finalizer. */
  readonly finalizer: string | undefined;
  /** Whether a finalizer is the controller's, in another instance or before the operator had several. */
  readonly isOtherFinalizer: (finalizer: string) => boolean;
  /** Whether deletion waits for this instance because of a finalizer: its own, or one from before a change of the selector made it another. */
  readonly isOwnFinalizer: (finalizer: string) => boolean;
}

/** Separates a finalizer from the name of an instance. No name of a controller has it. */
const JOIN = '_';
/** The API server takes so many characters after the slash. */
const MOST = 63;

type Named = Pick<ControllerModel, 'name' | 'finalizer' | 'select'>;

/** A controller that is for all objects is the only one, and has the names that it has always had. */
export function clusterNames(controller: Named, instance: Instance, others: readonly Named[] = []): ClusterNames {
  const { finalizer: plain } = controller;
  const isOfFamily = (finalizer: string): boolean => plain !== undefined && finalizer.startsWith(`${plain}${JOIN}`);
  if (!isNarrowed(controller, instance))
    return {
      fieldManager: managerOf(controller, instance),
      otherManagers: undefined,
      rivals: new Set(others.map((other) => managerOf(other, instance))),
      finalizer: plain,
      isOtherFinalizer: isOfFamily,
      isOwnFinalizer: (finalizer) => finalizer === plain || isOfFamily(finalizer),
    };
  const fieldManager = managerOf(controller, instance);
  const finalizer = plain === undefined ? undefined : joinedName(plain, instance.name ?? instance.operator);
  return {
    fieldManager,
    otherManagers: { has: (manager) => manager !== fieldManager && manager.endsWith(`/${controller.name}`) },
    rivals: { has: (manager) => others.some((other) => manager.endsWith(`/${other.name}`)) },
    finalizer,
    isOtherFinalizer: (other) => other !== finalizer && (other === plain || isOfFamily(other)),
    isOwnFinalizer: (other) => other === finalizer || other === plain,
  };
}

function managerOf(controller: Named, instance: Instance): string {
  const { name = instance.operator } = isNarrowed(controller, instance) ? instance : {};
  return `${name}/${controller.name}`;
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
