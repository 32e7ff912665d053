import { type ClusterNames, type ControllerModel, clusterNamesOf, type Logger } from 'keelson/internal/definition';
import type { StoredObject } from '../../cache/index.js';
import { ChildrenWriter, type OwnedHandle, type ReleasedHandle } from '../../children/index.js';
import type { ApiClient } from '../../client/index.js';
import { type Share, StatusWriter } from '../../status/index.js';
import { type FormerManagers, formerManagersOf } from '../../takeover/index.js';
import { Finalizer, type FinalizerOptions } from '../finalizer.js';
import type { Informers } from '../informers.js';
import { keyOf } from '../object-id.js';
import type { TakenOver } from '../observer.js';
import type { ControllerRunnerOptions } from './options.js';

export interface WritersOptions {
  readonly options: ControllerRunnerOptions;
  readonly client: ApiClient;
  readonly informers: Informers;
  readonly log: Logger;
  readonly share: Share;
  /** Others have changed the status, as is found at the end of a write. */
  readonly onOthers: (object: StoredObject) => void;
}

/** All that writes for a controller, under its field manager. */
export interface Writers {
  readonly fieldManager: string;
  /** Absent for a controller without former names. */
  readonly formerManagers: FormerManagers | undefined;
  /** Field managers of the operator's other controllers for the kind. */
  readonly rivals: readonly string[];
  readonly children: ChildrenWriter;
  /** Absent for a controller that writes no status. */
  readonly status: StatusWriter | undefined;
  /** Absent for a controller without a finalizer. */
  readonly finalizer: Finalizer | undefined;
}

export function writersOf({ options, client, informers, log, share, onOthers }: WritersOptions): Writers {
  const { controller, events, operatorName } = options;
  const { controllers: others = [], enqueue } = options.rivals ?? {};
  const operator = { name: operatorName, formerNames: options.formerOperatorNames };
  const names = clusterNamesOf(operator, controller);
  const { fieldManager } = names;
  const rivals = others.flatMap((other) => {
    const { fieldManager: rival, formerManagers: former } = clusterNamesOf(operator, other);
    return [rival, ...former];
  });
  const onTaken = (what: TakenOver): void => options.observer?.tookOver?.(controller.name, what);
  const managers = [...names.formerManagers, ...(controller.formerFieldManagers ?? [])];
  const formerManagers = formerManagersOf({ client, log, fieldManager, names: managers, onTaken });
  const primary = { client, log, kind: controller.for, informer: informers.primary, fieldManager };
  const onLost = (name: string, object: StoredObject): void => enqueue?.(name, keyOf(object));
  return {
    fieldManager,
    formerManagers,
    rivals,
    children: new ChildrenWriter({
      client,
      log,
      fieldManager,
      rivals,
      handles: handlesOf(controller, informers),
      formerManagers,
      formerNames: names.formerManagers,
      released: releasedOf(controller, informers),
      onTaken,
      primary: informers.primary,
      eventsOf: (object) => events(object, log),
    }),
    status: controller.writesStatus ? new StatusWriter({ ...primary, share, formerManagers, onLost, onOthers }) : undefined,
    finalizer: finalizerOf(names, { ...primary, onTaken: () => onTaken('finalizer') }),
  };
}

function finalizerOf(
  { finalizer, formerFinalizers }: ClusterNames,
  shared: Omit<FinalizerOptions, 'finalizer' | 'former'>,
): Finalizer | undefined {
  if (finalizer === undefined && formerFinalizers.length === 0) return undefined;
  return new Finalizer({ ...shared, finalizer, former: formerFinalizers });
}

function releasedOf({ released = {} }: ControllerModel, informers: Informers): Readonly<Record<string, ReleasedHandle>> {
  return Object.fromEntries(
    Object.entries(released).flatMap(([name, { children }]) => {
      const informer = informers.released?.[name];
      return informer === undefined ? [] : [[name, { informer, children }]];
    }),
  );
}

function handlesOf({ owns }: ControllerModel, informers: Informers): Readonly<Record<string, OwnedHandle>> {
  return Object.fromEntries(
    Object.entries(owns).flatMap(([name, { policy, formerNames }]) => {
      const informer = informers.owns[name];
      return informer === undefined ? [] : [[name, { informer, policy, presence: informers.optional?.[name], formerNames }]];
    }),
  );
}
