import type { ControllerModel, Logger } from 'keelson/internal/definition';
import type { StoredObject } from '../../cache/index.js';
import { ChildrenWriter, type OwnedHandle, type ReleasedHandle } from '../../children/index.js';
import type { ApiClient } from '../../client/index.js';
import { type Share, StatusWriter } from '../../status/index.js';
import { type FormerManagers, formerManagersOf, type ManagerNames } from '../../takeover/index.js';
import { clusterNames } from '../cluster-names.js';
import { Finalizer, type FinalizerOptions } from '../finalizer.js';
import type { Informers } from '../informers.js';
import { mineOf } from '../mine.js';
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
  /** Absent where no other name than the present one can stand on an object. */
  readonly formerManagers: FormerManagers | undefined;
  /** Whether objects may carry a name of a release before, or of the operator whose place this one takes. */
  readonly isRenamed: boolean;
  /** Field managers of the operator's other controllers for the kind. */
  readonly rivals: ManagerNames;
  readonly children: ChildrenWriter;
  /** Absent for a controller that writes no status. */
  readonly status: StatusWriter | undefined;
  /** Absent for a controller without a finalizer. */
  readonly finalizer: Finalizer | undefined;
}

export function writersOf({ options, client, informers, log, share, onOthers }: WritersOptions): Writers {
  const { controller, events, instance } = options;
  const { controllers: others = [], enqueue } = options.rivals ?? {};
  const names = clusterNames(controller, instance, others);
  const { fieldManager, rivals, formerManagers: former } = names;
  const onTaken = (what: TakenOver): void => options.observer?.tookOver?.(controller.name, what);
  const managers = [...former, ...(controller.formerFieldManagers ?? [])];
  const formerManagers = formerManagersOf({ client, log, fieldManager, names: managers, others: names.otherManagers, onTaken });
  const primary = { client, log, kind: controller.for, informer: informers.primary, fieldManager };
  const onLost = (name: string, object: StoredObject): void => enqueue?.(name, keyOf(object));
  return {
    fieldManager,
    formerManagers,
    isRenamed: names.isRenamed || controller.formerFieldManagers !== undefined,
    rivals,
    children: new ChildrenWriter({
      client,
      log,
      fieldManager,
      rivals,
      handles: handlesOf(controller, informers),
      formerManagers,
      formerNames: former,
      released: releasedOf(controller, informers),
      onTaken,
      primary: informers.primary,
      eventsOf: (object) => events(object, log),
    }),
    status: controller.writesStatus ? new StatusWriter({ ...primary, share, formerManagers, onLost, onOthers }) : undefined,
    finalizer: finalizerOf(controller, {
      ...primary,
      names,
      isMine: mineOf(controller, instance, () => options.cache.namespaces),
      onTaken: () => onTaken('finalizer'),
    }),
  };
}

/** A controller without a finalizer takes off those of before. */
function finalizerOf({ formerFinalizers = [] }: ControllerModel, options: FinalizerOptions): Finalizer | undefined {
  return options.names.finalizer === undefined && formerFinalizers.length === 0 ? undefined : new Finalizer(options);
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
