import type { Json } from '@keelson/kubernetes/apimachinery';
import type { Clock } from '../../../clock/index.js';
import type { Api, RequestContext, ResourceCatalog, Served, Target } from '../../../contract/index.js';
import { isConflict, isGone, WorkQueue } from '../../../controllers/index.js';
import { notFound } from '../../../status/index.js';
import type { Store, Watch } from '../../../store/index.js';
import type { GoTypes } from '../../../values/index.js';
import type { WebhookCaller } from '../conversion/index.js';
import {
  conditionOf,
  DEFINITION_FINALIZER,
  DEFINITIONS,
  type Definition,
  type DefinitionStatus,
  isConditionTrue,
  isSameCondition,
  type NewCondition,
  setCondition,
} from '../crd/index.js';
import { decideNames } from './accept-names.js';
import { decideApproval, decideEstablished } from './decide-conditions.js';
import { ServedDefinitions } from './served-definitions.js';

export interface DefinitionControllersOptions {
  readonly api: Api;
  readonly catalog: ResourceCatalog;
  readonly store: Store;
  readonly clock: Clock;
  readonly types: GoTypes;
  readonly webhooks: WebhookCaller;
  /** Told of what failed; it is tried again. */
  readonly report: (problem: { readonly controller: string; readonly key: string; readonly error: Error }) => void;
}

/**
 * The controllers of CustomResourceDefinitions: they accept names, establish, judge approval, and clean up behind a definition that goes.
 *
 * Flow: 1. every event of a definition brings the catalog up to date at once, within the write. 2. Soon after, one step at a time is taken and written to the
 * status, as manager `kube-apiserver`; the event of that write leads to the next. 3. A definition that is being deleted loses its custom resources, then its finalizer.
 * Guarantees: a definition's versions are served before the write that accepts its names returns; a changed schema counts for the next request.
 * Errors: what fails is reported and tried again; after a conflict with a faster writer it does nothing.
 * Left out: the condition NonStructuralSchema, which no definition of `v1` can come to have.
 */
export class DefinitionControllers {
  readonly #options: DefinitionControllersOptions;
  readonly #served: ServedDefinitions;
  readonly #queue: WorkQueue;
  /** The custom resources of definitions that wait for the last of them. */
  readonly #instances = new Map<string, Watch>();
  #watch: Watch | undefined;

  constructor(options: DefinitionControllersOptions) {
    this.#options = options;
    this.#served = new ServedDefinitions(options.catalog, options);
    this.#queue = new WorkQueue({
      clock: options.clock,
      handle: (name) => this.#sync(name),
      onFailure: (key, error) => options.report({ controller: 'customresourcedefinitions', key, error }),
      isOver: (error) => isGone(error) || isConflict(error),
    });
  }

  /** Takes over the definitions that are there, and those to come. */
  start(): void {
    const watch = this.#watched(this.#definitions().resource.storageKey, true);
    this.#watch = watch;
    const take = (): void => {
      for (let event = watch.next(); event !== undefined; event = watch.next()) {
        if (event.type === 'ERROR') throw new RangeError(`a watch without a limit cannot fail: ${event.problem.message}`);
        if (event.type !== 'BOOKMARK') this.#take(event.type, event.object as unknown as Definition);
      }
    };
    watch.onEvent(take);
    take();
  }

  /** Nothing is queued or in the works. */
  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  /** Resolves when nothing is left to do but what waits for the clock or for finalizers of others. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  async stop(): Promise<void> {
    this.#watch?.close();
    for (const watch of this.#instances.values()) watch.close();
    this.#instances.clear();
    await this.#queue.stop();
  }

  #watched(storageKey: string, sendInitialEvents: boolean): Watch {
    const outcome = this.#options.store.watch({
      resource: storageKey,
      sendInitialEvents,
      maxPendingEvents: Number.POSITIVE_INFINITY,
    });
    if (!outcome.ok) throw new RangeError(`a watch from now on cannot be refused: ${outcome.problem.message}`);
    return outcome.value;
  }

  #take(type: 'ADDED' | 'DELETED' | 'MODIFIED', definition: Definition): void {
    const { name } = definition.metadata;
    if (type === 'DELETED') {
      this.#served.remove(name);
      this.#instances.get(name)?.close();
      this.#instances.delete(name);
      this.#reconsiderGroup(definition);
    } else {
      this.#served.put(definition);
      this.#queue.add(name);
    }
  }

  /** A name may have become free. */
  #reconsiderGroup({ spec, metadata }: Definition): void {
    for (const other of this.#served.inGroup(spec.group)) if (other.metadata.name !== metadata.name) this.#queue.add(other.metadata.name);
  }

  async #sync(name: string): Promise<void> {
    const definition = this.#served.get(name);
    if (definition === undefined) return;
    if (await this.#acceptNames(definition)) return;
    const condition = decideApproval(definition) ?? decideEstablished(definition);
    if (condition !== undefined) await this.#write(definition, (status) => this.#set(status, condition));
    else await this.#finalize(definition);
  }

  async #acceptNames(definition: Definition): Promise<boolean> {
    const decision = decideNames(definition, this.#served.inGroup(definition.spec.group));
    if (decision === undefined) return false;
    await this.#write(definition, (status) => {
      status.acceptedNames = decision.names;
      this.#set(status, ...decision.conditions);
    });
    this.#reconsiderGroup(definition);
    return true;
  }

  #set(status: DefinitionStatus, ...conditions: readonly NewCondition[]): void {
    for (const condition of conditions) setCondition(status, condition, this.#options.clock.now());
  }

  /** Source: apiextensions-apiserver, `pkg/controller/finalizer/crd_finalizer.go`. */
  async #finalize(definition: Definition): Promise<void> {
    const { deletionTimestamp, finalizers = [], name } = definition.metadata;
    if (deletionTimestamp === undefined || !finalizers.includes(DEFINITION_FINALIZER)) return;
    if (!isSameCondition(conditionOf(definition, 'Terminating'), IN_PROGRESS)) {
      await this.#write(definition, (status) => this.#set(status, IN_PROGRESS));
      return;
    }
    const isGone = await this.#deleteInstances(definition);
    if (!isGone) return;
    const end = this.#served.isBuiltIn(definition)
      ? OVERLAPPING
      : isConditionTrue(definition, 'Established')
        ? COMPLETED
        : NEVER_ESTABLISHED;
    await this.#write(definition, (status, body) => {
      this.#set(status, end);
      body.metadata.finalizers = finalizers.filter((finalizer) => finalizer !== DEFINITION_FINALIZER);
    });
    this.#instances.get(name)?.close();
    this.#instances.delete(name);
  }

  /** False: some are held by finalizers of others; the definition is looked at again with their next event. */
  async #deleteInstances(definition: Definition): Promise<boolean> {
    const { name } = definition.metadata;
    const resource = this.#served.resource(name);
    if (resource === undefined || !isConditionTrue(definition, 'Established')) return true;
    this.#followInstances(name, resource.storageKey);
    const served: Served = { resource, version: resource.stored };
    for (const namespace of this.#namespacesOf(resource.storageKey)) {
      const target: Target = { served, namespace, name: '', subresource: '' };
      await this.#options.api.deleteCollection(target, { list: {}, delete: {} }, this.#context());
    }
    return this.#namespacesOf(resource.storageKey).length === 0;
  }

  #followInstances(name: string, storageKey: string): void {
    if (this.#instances.has(name)) return;
    const watch = this.#watched(storageKey, false);
    this.#instances.set(name, watch);
    watch.onEvent(() => {
      for (let event = watch.next(); event !== undefined; event = watch.next()) {
        if (event.type === 'DELETED') this.#queue.add(name);
      }
    });
  }

  /** Namespaces that have an object of the resource; `''` for cluster-scoped ones. */
  #namespacesOf(storageKey: string): readonly string[] {
    const outcome = this.#options.store.list({ resource: storageKey });
    if (!outcome.ok) throw new RangeError(`a list as of now cannot be refused: ${outcome.problem.message}`);
    const namespaces = outcome.value.items.map(({ metadata }) => (metadata as { readonly namespace?: string }).namespace ?? '');
    return [...new Set(namespaces)];
  }

  async #write(definition: Definition, change: (status: DefinitionStatus, body: Definition) => void): Promise<void> {
    const body = structuredClone(definition);
    body.status ??= { acceptedNames: { plural: '', kind: '' } };
    change(body.status, body);
    const target: Target = { served: this.#definitions(), namespace: '', name: definition.metadata.name, subresource: 'status' };
    await this.#options.api.update(target, { value: body as unknown as Json, strictProblems: [] }, this.#context());
  }

  #definitions(): Served {
    const { group, version, plural } = DEFINITIONS;
    const served = this.#options.catalog.served(group, version, plural);
    if (served === undefined) throw notFound({ group, plural }, '');
    return served;
  }

  #context(): RequestContext {
    return {
      user: { username: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] },
      fieldManager: 'kube-apiserver',
      fieldValidation: 'Ignore',
      isDryRun: false,
      now: () => this.#options.clock.now(),
      warn: () => undefined,
      signal: NEVER,
      authorize: () => undefined,
    };
  }
}

const NEVER = new AbortController().signal;

const IN_PROGRESS = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
} as const;
const COMPLETED = { type: 'Terminating', status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' } as const;
const NEVER_ESTABLISHED = {
  type: 'Terminating',
  status: 'False',
  reason: 'NeverEstablished',
  message: 'resource was never established',
} as const;
const OVERLAPPING = {
  type: 'Terminating',
  status: 'False',
  reason: 'OverlappingBuiltInResource',
  message: 'instances overlap with built-in resources in storage',
} as const;
