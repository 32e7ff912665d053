import {
  type Outcome,
  Store,
  type StoredObject,
  type StoreKey,
  type StoreOptions,
  type Watch,
  type WatchEvent,
} from '../../../src/api-server/store/index.js';
import { HandClock } from './hand-clock.js';

export const newStore = (options: Partial<StoreOptions> = {}): Store => new Store({ clock: new HandClock(), ...options });

/** `default/a` → a key of `pods`; `a` → a key of the cluster-scoped `nodes`. */
export function keyOf(path: string): StoreKey {
  const [namespace = '', name] = path.split('/');
  return name === undefined ? { resource: 'nodes', namespace: '', name: namespace } : { resource: 'pods', namespace, name };
}

export const pod = (path: string, fields: StoredObject = {}): StoredObject => {
  const { namespace, name } = keyOf(path);
  return { kind: 'Pod', metadata: { name, namespace }, ...fields };
};

export function granted<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`refused: ${outcome.problem.kind} ${outcome.problem.message}`);
  return outcome.value;
}

export function problemOf(outcome: Outcome<unknown>) {
  if (outcome.ok) throw new Error('it was not refused');
  return outcome.problem;
}

/** All that waits. */
export function drain(watch: Watch): readonly WatchEvent[] {
  const events: WatchEvent[] = [];
  for (let event = watch.next(); event !== undefined; event = watch.next()) events.push(event);
  return events;
}

/** `ADDED default/a@5`, `BOOKMARK@7`, `BOOKMARK@7 end`, `ERROR Expired`. */
export function told(event: WatchEvent): string {
  if (event.type === 'ERROR') return `ERROR ${event.problem.kind}`;
  if (event.type === 'BOOKMARK') return `BOOKMARK@${event.revision}${event.endsInitialEvents ? ' end' : ''}`;
  const { namespace, name } = event.object['metadata'] as { namespace: string; name: string };
  return `${event.type} ${namespace}/${name}@${event.revision}`;
}

export const taken = (watch: Watch): readonly string[] => drain(watch).map(told);
