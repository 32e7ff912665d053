import { apiVersionOf, deepFreeze, type Json, type KindInfo, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { applyDefaults } from '@keelson/kubernetes/structural';
import {
  type ConditionInput,
  type Controller,
  type ControllerModel,
  type CustomResourceModel,
  type Events,
  type Logger,
  namespaceMeant,
  type ReadModel,
  type Trigger,
  type Verb,
} from 'keelson/internal/definition';
import { KindNotServedError, type StoredObject, withPresence } from '../cache/index.js';
import { childrenOf, desiredHandle } from '../children/index.js';
import { Share, type StatusFields } from '../status/index.js';
import { contextOf, finalizeFunction, reconcileFunction } from './context.js';
import { HandleError } from './errors.js';
import { outsideOnce, type RecordedBackground } from './once-outside.js';
import { type OnceListOptions, OnceStore } from './once-store.js';
import { checkedStatus, finalizeOutcomeOf, outcomeOf, ownedOf, type ReconcileOutcome } from './outcome.js';
import { schemaOf } from './schema-fit.js';
import type { RecordedMetric } from './uses-once.js';

/**
 * The observation of a reconciler: the object, a list of objects for each declared handle, a fake for each external, a value for each polled source, and for
 * background work its states by key. A handle that is left out sees nothing until it writes; the kind of an optional handle that is left out is not served, and
 * `[]` means that it is served and has no objects.
 */
export interface Observation {
  /** Identity and defaults are filled in as the API server does. */
  readonly object: object;
  /** @defaultValue the time of 2030-01-01T00:00:00Z */
  readonly now?: Date | undefined;
  /** @defaultValue `{ cause: 'object' }` */
  readonly trigger?: Trigger | undefined;
  /** @defaultValue 1 */
  readonly attempt?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly log?: Logger | undefined;
  readonly [handle: string]: unknown;
}

/** A call of a reconciler to one of its handles. */
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
  /** The object that it is about, if that is another than the reconciled one. */
  readonly regarding?: { readonly kind: string; readonly name: string; readonly namespace?: string } | undefined;
}

export interface FinalizedOnce {
  /** The whole status as it would be written, of `merge({ ... })` too. */
  readonly status?: Readonly<Record<string, unknown>> | undefined;
  /** The arguments of `status.write` amid the run, in order. */
  readonly statusWrites: readonly Readonly<Record<string, unknown>>[];
  /** The error that the run returned. */
  readonly retry?: unknown;
  readonly conditions?: readonly ConditionInput[] | undefined;
  readonly requeueAfterMs?: number | undefined;
  readonly requeueAt?: Date | undefined;
  readonly writes: readonly RecordedWrite[];
  /** Calls of the metrics of the operator's own; absent if there were none. */
  readonly metrics?: readonly RecordedMetric[] | undefined;
  readonly events: readonly ObservedEvent[];
}

export interface ReconciledOnce extends FinalizedOnce {
  /** The run left the object alone: `done({ ignored: true })`. */
  readonly ignored?: true | undefined;
  /** By handle. */
  readonly owned?: Readonly<Record<string, readonly KubernetesObject[] | undefined>> | undefined;
  /** Background work that was started and cancelled; absent if none was. */
  readonly background?: readonly RecordedBackground[] | undefined;
}

/**
 * Calls a controller's `reconcile` once with what a test says is there; no server, no cache, no queue. Its own writes are visible to it at once, and answered as
 * the API server would: `create` and `patch` give the stored object.
 *
 * The object is frozen: a reconciler that changes it fails here as it would spoil the cache elsewhere.
 *
 * @example
 * ```ts
 * const { owned, status } = await reconcileOnce(memcachedController, { object });
 * expect(owned).toEqual({ configs: [] });
 * ```
 *
 * @throws whatever `reconcile` throws; OutcomeError for what is not an outcome; HandleError for a name that the controller does not declare; KindNotServedError for a write through an optional handle that the test left out; ChildInvalidError for a child that
 * cannot be one
 */
export async function reconcileOnce<TExternals, TSeen>(
  controller: Controller<TExternals, TSeen>,
  observation: NoInfer<TExternals> & Partial<NoInfer<TSeen>> & Observation,
): Promise<ReconciledOnce> {
  const once = new Once(controller, observation);
  const outcome = once.checked(outcomeOf(await reconcileFunction(controller)(once.context)));
  const background = once.background.length === 0 ? {} : { background: once.background };
  const ignored = outcome.isIgnored === true ? { ignored: true as const } : {};
  return { ...once.report(outcome), owned: outcome.owned as ReconciledOnce['owned'], ...ignored, ...background };
}

/**
 * Calls a controller's `finalize` once, as {@link reconcileOnce} does `reconcile`.
 *
 * @example
 * ```ts
 * const { conditions } = await finalizeOnce(memcachedController, { object });
 * ```
 *
 * @throws HandleError when the controller has none
 */
export async function finalizeOnce<TExternals, TSeen>(
  controller: Controller<TExternals, TSeen>,
  observation: NoInfer<TExternals> & Observation,
): Promise<FinalizedOnce> {
  const finalize = finalizeFunction(controller);
  if (finalize === undefined) throw new HandleError(`controller ${controller.name} declares no finalize`);
  const once = new Once(controller, observation);
  const told = once.checked(finalizeOutcomeOf(await finalize(once.context)));
  return once.report(told);
}

const SILENT: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const OWN_NAMES: ReadonlySet<string> = new Set(['object', 'now', 'trigger', 'attempt', 'signal', 'log']);

class Once {
  readonly writes: RecordedWrite[] = [];
  readonly events: ObservedEvent[] = [];
  readonly statusWrites: Readonly<Record<string, unknown>>[] = [];
  readonly background: RecordedBackground[] = [];
  readonly metrics: RecordedMetric[] = [];
  readonly context: object;
  /** Other controllers of the kind are not known here. */
  readonly share: Share;
  readonly #controller: ControllerModel;
  readonly #object: StoredObject;
  readonly #stores = new Map<string, OnceStore>();
  /** Optional handles whose kind the test leaves out. */
  readonly #missing = new Map<string, KindInfo>();

  constructor(controller: ControllerModel, observation: Observation) {
    const {
      now = new Date('2030-01-01T00:00:00Z'),
      trigger = { cause: 'object' },
      attempt = 1,
      signal = new AbortController().signal,
      log = SILENT,
    } = observation;
    this.#controller = controller;
    this.#object = storedObject(controller.for, observation.object);
    this.share = new Share(controller);
    const recordMetric = (called: RecordedMetric): void => void this.metrics.push(called);
    const record = (asked: RecordedBackground): void => void this.background.push(asked);
    const handles = { ...this.#handlesOf(controller, observation), ...outsideOnce(controller, observation, { now, record, recordMetric }) };
    this.context = contextOf({
      object: this.#object,
      handles,
      log,
      signal,
      events: this.#recorder(),
      now: () => now,
      trigger,
      attempt,
      status: { write: async (part) => void this.statusWrites.push(part as Readonly<Record<string, unknown>>) },
      owned: { apply: async (children) => this.#applyOwned(children) },
    });
  }

  /** As a process checks it before it writes; what an API server would find is not looked for. */
  checked(outcome: ReconcileOutcome): ReconcileOutcome {
    if (outcome.owned !== undefined) this.#checkOwned(outcome.owned);
    return checkedStatus(outcome, this.share, schemaOf(this.#controller));
  }

  report({ owned: _, isPart, isIgnored: __, status, ...outcome }: ReconcileOutcome): FinalizedOnce {
    const before = isPart === true ? [this.share.of(this.#object['status'] as StatusFields | undefined), ...this.statusWrites] : [];
    const whole = status === undefined ? undefined : (Object.assign({}, ...before, status) as Readonly<Record<string, unknown>>);
    return {
      ...outcome,
      ...(whole === undefined ? {} : { status: Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)) }),
      statusWrites: this.statusWrites,
      writes: this.writes,
      ...(this.metrics.length === 0 ? {} : { metrics: this.metrics }),
      events: this.events,
    };
  }

  #handlesOf(controller: ControllerModel, observation: Observation): Readonly<Record<string, object>> {
    const { owns, watches, reads, uses, observes, background } = controller;
    const declared = new Set([owns, watches, reads, uses, observes, background].flatMap((names) => Object.keys(names)));
    for (const name of Object.keys(observation)) {
      if (declared.has(name) || OWN_NAMES.has(name)) continue;
      throw new HandleError(`controller ${controller.name} declares no handle '${name}'; it has ${[...declared].join(', ') || 'none'}`);
    }
    const storeOf = (name: string, kind: KindInfo, named?: readonly string[]): OnceStore => {
      const given = observation[name] ?? [];
      if (!Array.isArray(given)) throw new HandleError(`the observation of '${name}' is not a list of objects`);
      const objects = given.map((object: object) => storedObject(kind, object, namespaceMeant(named, undefined)));
      const own = namespaceMeant(named, this.#object.metadata.namespace);
      const store = new OnceStore(kind, objects, { own, stored: (object) => storedObject(kind, object, own) });
      this.#stores.set(name, store);
      return store;
    };
    const declaredOptional = Object.entries({ ...owns, ...watches, ...reads }).filter(([, { optional }]) => optional === true);
    for (const [name, { kind }] of declaredOptional) if (observation[name] === undefined) this.#missing.set(name, kind);
    const handles = Object.fromEntries([
      ...Object.entries(owns).map(([name, { kind, policy }]) => [name, this.#written(name, storeOf(name, kind), policy.verbs)] as const),
      ...Object.entries(watches).map(
        ([name, { kind, verbs, indexes, select }]) =>
          [name, this.#written(name, storeOf(name, kind, select?.namespaces), verbs, indexes)] as const,
      ),
      ...Object.entries(reads).map(([name, read]) => [name, live(storeOf(name, read.kind, read.namespaces), read)] as const),
    ]);
    return Object.fromEntries(
      Object.entries<object>(handles).map(([name, handle]) => {
        const isOptional = declaredOptional.some(([optional]) => optional === name);
        return [name, withPresence(handle, isOptional ? { isServed: !this.#missing.has(name) } : undefined)];
      }),
    );
  }

  #written(name: string, store: OnceStore, verbs: readonly Verb[], indexes: Readonly<Record<string, unknown>> = {}): object {
    const writes = verbs.map((verb) => [verb, async (...given: unknown[]) => this.#write(name, verb, given)] as const);
    return { get: store.get, list: (options?: OnceListOptions) => store.list(options, indexes), ...Object.fromEntries(writes) };
  }

  #write(handle: string, verb: Verb, given: readonly unknown[]): unknown {
    this.#mustBeServed(handle);
    this.writes.push({ handle, verb, arguments: given });
    return this.#stores.get(handle)?.write(verb, given);
  }

  #applyOwned(children: unknown): void {
    const owned = ownedOf(children, 'owned.apply(...)');
    this.#checkOwned(owned);
    for (const [handle, objects] of Object.entries(owned)) {
      for (const object of objects ?? []) this.#write(handle, 'apply', [object]);
    }
  }

  #checkOwned(owned: Readonly<Record<string, readonly object[] | undefined>>): void {
    const { owns, for: kind } = this.#controller;
    for (const [handle, objects] of Object.entries(owned)) {
      if ((objects ?? []).length > 0) this.#mustBeServed(handle);
      const declared = desiredHandle(owns, handle);
      childrenOf(handle, objects ?? [], { kind, object: this.#object }, declared);
    }
  }

  #mustBeServed(handle: string): void {
    const kind = this.#missing.get(handle);
    if (kind !== undefined) throw new KindNotServedError(handle, kind);
  }

  #recorder(): Events {
    const record =
      (type: ObservedEvent['type']): Events['normal'] =>
      (reason, note, { regarding } = {}) =>
        void this.events.push({ type, reason, note, ...(regarding === undefined ? {} : { regarding: referenceTo(regarding) }) });
    return { normal: record('Normal'), warning: record('Warning') };
  }
}

function live(store: OnceStore, { verbs }: ReadModel): object {
  const methods = { get: async (key: string) => store.get(key), list: async (options?: OnceListOptions) => store.list(options) };
  return Object.fromEntries(verbs.map((verb) => [verb, methods[verb]]));
}

function referenceTo({ kind, metadata: { name = '', namespace } }: KubernetesObject): NonNullable<ObservedEvent['regarding']> {
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** As the API server would have stored it. */
export function storedObject(kind: KindInfo, object: object, namespace = 'default'): StoredObject {
  const given = object as Partial<KubernetesObject>;
  const metadata = {
    uid: '00000000-0000-4000-8000-000000000000',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '2030-01-01T00:00:00Z',
    ...(kind.scope === 'Namespaced' ? { namespace } : {}),
    ...given.metadata,
  };
  const whole = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...given, metadata };
  const model = 'customResource' in kind ? (kind.customResource as CustomResourceModel) : undefined;
  const schema = model?.versionList.find(({ name }) => name === kind.version)?.schema;
  const json = JSON.parse(JSON.stringify(whole)) as Json;
  return deepFreeze(schema === undefined ? json : applyDefaults(schema, json)) as unknown as StoredObject;
}
