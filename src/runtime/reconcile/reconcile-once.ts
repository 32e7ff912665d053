import type {
  ConditionInput,
  ControllerModel,
  CustomResourceModel,
  Events,
  ListOptions,
  Logger,
  Trigger,
  Verb,
  WatchModel,
} from '../../definition/index.js';
import {
  apiVersionOf,
  deepFreeze,
  type Json,
  type KindInfo,
  type KubernetesObject,
  labelRequirementsOf,
  matchesLabels,
  type ObjectKey,
} from '../../kubernetes/index.js';
import { applyDefaults } from '../../structural/index.js';
import type { StoredObject } from '../cache/index.js';
import { contextOf, finalizeFunction, reconcileFunction } from './context.js';
import { HandleError } from './errors.js';
import { finalizeOutcomeOf, outcomeOf } from './outcome.js';

/** What a reconciler observes: the object, and a list of objects for each declared handle. A handle that is left out sees nothing. */
export interface Observation {
  /** Identity and defaults are filled in as the API server does. */
  readonly object: object;
  /** @defaultValue the time of 2030-01-01T00:00:00Z */
  readonly now?: Date | undefined;
  /** @defaultValue `{ cause: 'object' }` */
  readonly trigger?: Trigger | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly log?: Logger | undefined;
  readonly [handle: string]: unknown;
}

/** What a reconciler did through its handles. */
export interface RecordedWrite {
  readonly handle: string;
  readonly verb: Verb;
  /** As the method was given them. */
  readonly arguments: readonly unknown[];
}

export interface ObservedEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
}

export interface FinalizedOnce {
  readonly status?: Readonly<Record<string, unknown>> | undefined;
  readonly conditions?: readonly ConditionInput[] | undefined;
  readonly requeueAfterMs?: number | undefined;
  readonly writes: readonly RecordedWrite[];
  readonly events: readonly ObservedEvent[];
}

export interface ReconciledOnce extends FinalizedOnce {
  readonly owned?: readonly KubernetesObject[] | undefined;
}

/**
 * Calls a controller's `reconcile` once with what a test says is there; no server, no cache, no queue.
 *
 * The object is frozen: a reconciler that changes it fails here as it would spoil the cache elsewhere.
 * @throws whatever `reconcile` throws; OutcomeError for what is no outcome; HandleError for a name that the controller does not declare
 */
export async function reconcileOnce(controller: ControllerModel, observation: Observation): Promise<ReconciledOnce> {
  const once = new Once(controller, observation);
  const outcome = outcomeOf(await reconcileFunction(controller)(once.context));
  return { ...outcome, owned: outcome.owned as readonly KubernetesObject[] | undefined, writes: once.writes, events: once.events };
}

/** Calls a controller's `finalize` once, as {@link reconcileOnce} does `reconcile`. @throws HandleError when the controller has none */
export async function finalizeOnce(controller: ControllerModel, observation: Observation): Promise<FinalizedOnce> {
  const finalize = finalizeFunction(controller);
  if (finalize === undefined) throw new HandleError(`controller ${controller.name} declares no finalize`);
  const once = new Once(controller, observation);
  const told = finalizeOutcomeOf(await finalize(once.context));
  return { ...told, writes: once.writes, events: once.events };
}

const SILENT: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const OWN_NAMES: ReadonlySet<string> = new Set(['object', 'now', 'trigger', 'signal', 'log']);

class Once {
  readonly writes: RecordedWrite[] = [];
  readonly events: ObservedEvent[] = [];
  readonly context: object;
  readonly #object: StoredObject;

  constructor(controller: ControllerModel, observation: Observation) {
    const {
      now = new Date('2030-01-01T00:00:00Z'),
      trigger = { cause: 'object' },
      signal = new AbortController().signal,
      log = SILENT,
    } = observation;
    this.#object = storedObject(controller.for, observation.object);
    const handles = this.#handlesOf(controller, observation);
    this.context = contextOf({ object: this.#object, handles, log, signal, events: this.#recorder(), now: () => now, trigger });
  }

  #handlesOf(controller: ControllerModel, observation: Observation): Readonly<Record<string, object>> {
    const { owns, watches, reads } = controller;
    const declared = new Set([...Object.keys(owns), ...Object.keys(watches), ...Object.keys(reads)]);
    for (const name of Object.keys(observation)) {
      if (declared.has(name) || OWN_NAMES.has(name)) continue;
      throw new HandleError(`controller ${controller.name} declares no handle '${name}'; it has ${[...declared].join(', ') || 'none'}`);
    }
    const objectsOf = (name: string, kind: KindInfo): StoredObject[] => {
      const given = observation[name] ?? [];
      if (!Array.isArray(given)) throw new HandleError(`the observation of '${name}' is no list of objects`);
      return given.map((object: object) => storedObject(kind, object));
    };
    return Object.fromEntries([
      ...Object.entries(owns).map(([name, kind]) => [name, this.#cached(objectsOf(name, kind), kind, {})] as const),
      ...Object.entries(watches).map(([name, watch]) => [name, this.#watched(name, objectsOf(name, watch.kind), watch)] as const),
      ...Object.entries(reads).map(([name, kind]) => [name, live(this.#cached(objectsOf(name, kind), kind, {}))] as const),
    ]);
  }

  #watched(name: string, objects: readonly StoredObject[], { kind, verbs, indexes }: WatchModel): object {
    const writes: Partial<Record<Verb, (...given: unknown[]) => Promise<unknown>>> = {};
    for (const verb of verbs) writes[verb] = (...given) => this.#write(name, verb, given);
    return { ...this.#cached(objects, kind, indexes), ...writes };
  }

  #cached(objects: readonly StoredObject[], kind: KindInfo, indexes: Readonly<Record<string, unknown>>): CachedOnce {
    const own = this.#object.metadata.namespace;
    return {
      get(key) {
        const { name, namespace = own } = typeof key === 'string' ? { name: key } : key;
        return objects.find(({ metadata }) => metadata.name === name && (kind.scope === 'Cluster' || metadata.namespace === namespace));
      },
      list({ namespace = own, labels = {}, labelSelector = {}, index = {} } = {}) {
        const parsed = labelRequirementsOf({
          matchLabels: { ...labelSelector.matchLabels, ...labels },
          matchExpressions: labelSelector.matchExpressions as never,
        });
        if ('problem' in parsed) throw new HandleError(`${kind.kind}: ${parsed.problem}`);
        return objects.filter(
          (object) =>
            (kind.scope === 'Cluster' || namespace === undefined || namespace === '*' || object.metadata.namespace === namespace) &&
            matchesLabels(parsed.requirements, object.metadata.labels) &&
            Object.entries(index).every(([by, value]) => value === undefined || isIndexed(object, indexes[by], value)),
        );
      },
    };
  }

  async #write(handle: string, verb: Verb, given: readonly unknown[]): Promise<unknown> {
    this.writes.push({ handle, verb, arguments: given });
    if (verb === 'delete') return undefined;
    return verb === 'evict' ? true : given[0];
  }

  #recorder(): Events {
    return {
      normal: (reason, note) => void this.events.push({ type: 'Normal', reason, note }),
      warning: (reason, note) => void this.events.push({ type: 'Warning', reason, note }),
    };
  }
}

interface CachedOnce {
  readonly get: (key: string | ObjectKey) => StoredObject | undefined;
  readonly list: (options?: ListOptions & { readonly index?: Readonly<Record<string, string | undefined>> }) => StoredObject[];
}

type IndexOnce = (object: StoredObject) => readonly string[];

function live({ get, list }: CachedOnce): object {
  return { get: async (key: string) => get(key), list: async (options?: ListOptions) => list(options) };
}

function isIndexed(object: StoredObject, values: unknown, value: string): boolean {
  if (typeof values !== 'function')
    throw new HandleError(`${object.kind}: there is no such index; declare it under watch(Kind, { indexes })`);
  return (values as IndexOnce)(object).includes(value);
}

/** As the API server would have stored it. */
function storedObject(kind: KindInfo, object: object): StoredObject {
  const given = object as Partial<KubernetesObject>;
  const metadata = {
    uid: '00000000-0000-4000-8000-000000000000',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '2030-01-01T00:00:00Z',
    ...(kind.scope === 'Namespaced' ? { namespace: 'default' } : {}),
    ...given.metadata,
  };
  const whole = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...given, metadata };
  const model = 'customResource' in kind ? (kind.customResource as CustomResourceModel) : undefined;
  const schema = model?.versionList.find(({ name }) => name === kind.version)?.schema;
  const json = JSON.parse(JSON.stringify(whole)) as Json;
  return deepFreeze(schema === undefined ? json : applyDefaults(schema, json)) as unknown as StoredObject;
}
