import { type Condition, compareUtf8 } from '@keelson/kubernetes/apimachinery';
import { isObject, type JsonObject, type Resource } from '../contract/index.js';
import type { Controller, ControllerSurroundings } from './controller.js';
import { ControllerClient, isGone } from './controller-client.js';
import { isBeingDeleted, metaOf } from './metadata.js';
import { ObjectFeed } from './object-feed.js';
import { WorkQueue } from './work-queue.js';

const NAMESPACES = { group: '', plural: 'namespaces' };
/** The finalizer in `spec.finalizers` of a namespace from its creation: this controller's. */
const KUBERNETES = 'kubernetes';

type NamespaceCondition = Omit<Condition, 'observedGeneration'>;

interface Remaining {
  readonly resource: Resource;
  readonly objects: readonly JsonObject[];
}

/**
 * Empties namespaces that are being deleted, Pods first, says what keeps them, and lets them go when nothing is left.
 *
 * Source: kubernetes `pkg/controller/namespace/deletion`.
 */
export class NamespaceController implements Controller {
  readonly name = 'namespace-controller';
  readonly #surroundings: ControllerSurroundings;
  readonly #client: ControllerClient;
  readonly #queue: WorkQueue;
  readonly #feed: ObjectFeed;

  constructor(surroundings: ControllerSurroundings) {
    this.#surroundings = surroundings;
    this.#client = new ControllerClient(surroundings, this.name);
    this.#queue = new WorkQueue({
      clock: surroundings.clock,
      handle: (name) => this.#empty(name),
      onFailure: (key, error) => surroundings.report({ controller: this.name, key, error }),
    });
    this.#feed = new ObjectFeed(surroundings, {
      onEvent: ({ type, object, resource }) => {
        const { name, namespace = '' } = metaOf(object);
        if (resource.group === '' && resource.plural === 'namespaces') this.#addIfDeleted(name);
        // An object whose end is awaited has gone, or waits for its own finalizers: the conditions say so.
        else if (namespace !== '' && (type === 'DELETED' || isBeingDeleted(object))) this.#addIfDeleted(namespace);
      },
    });
  }

  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  start(): void {
    this.#feed.start();
  }

  async stop(): Promise<void> {
    this.#feed.stop();
    await this.#queue.stop();
  }

  #addIfDeleted(name: string): void {
    const namespace = this.#get(name);
    if (namespace !== undefined && isBeingDeleted(namespace)) this.#queue.add(name);
  }

  #get(name: string): JsonObject | undefined {
    return this.#surroundings.cluster.get(NAMESPACES, { namespace: '', name });
  }

  async #empty(name: string): Promise<void> {
    const namespace = this.#get(name);
    if (namespace === undefined || !isBeingDeleted(namespace) || !finalizersOf(namespace).includes(KUBERNETES)) return;
    const pods = this.#deletable().filter(({ group, plural }) => group === '' && plural === 'pods');
    const others = this.#deletable().filter((resource) => !pods.includes(resource));
    const [podsLeft, podErrors] = await this.#deleteAll(pods, name);
    // Pods may still need what is beside them.
    const [othersLeft, otherErrors] = podsLeft.length > 0 ? [[], []] : await this.#deleteAll(others, name);
    const remaining = [...podsLeft, ...othersLeft];
    const errors = [...podErrors, ...otherErrors];
    await this.#writeConditions(name, conditionsOf(remaining, errors));
    if (errors.length > 0) throw errors[0] as Error;
    if (remaining.length === 0) await this.#finalize(name);
  }

  #deletable(): readonly Resource[] {
    return this.#surroundings.catalog.resources.filter(
      ({ scope, versions }) => scope === 'Namespaced' && versions.some(({ verbs }) => verbs.includes('delete') && verbs.includes('list')),
    );
  }

  async #deleteAll(resources: readonly Resource[], namespace: string): Promise<[readonly Remaining[], readonly Error[]]> {
    const errors: Error[] = [];
    for (const resource of resources) {
      for (const object of this.#client.list(resource, namespace)) {
        if (isBeingDeleted(object)) continue;
        try {
          await this.#client.delete({ resource, namespace, name: metaOf(object).name }, { propagationPolicy: 'Background' });
        } catch (error) {
          if (!isGone(error)) errors.push(error as Error);
        }
      }
    }
    const remaining = resources.map((resource) => ({ resource, objects: this.#client.list(resource, namespace) }));
    return [remaining.filter(({ objects }) => objects.length > 0), errors];
  }

  async #writeConditions(name: string, wanted: readonly NamespaceCondition[]): Promise<void> {
    const namespace = this.#get(name);
    if (namespace === undefined) return;
    const status = (namespace['status'] ?? {}) as { readonly conditions?: readonly NamespaceCondition[] };
    const conditions = merged(status.conditions ?? [], wanted, this.#surroundings.clock.now());
    if (JSON.stringify(conditions) === JSON.stringify(status.conditions ?? [])) return;
    await this.#client.update(
      { resource: NAMESPACES, namespace: '', name, subresource: 'status' },
      { ...namespace, status: { ...status, conditions } },
    );
  }

  async #finalize(name: string): Promise<void> {
    const namespace = this.#get(name);
    if (namespace === undefined) return;
    const finalizers = finalizersOf(namespace).filter((finalizer) => finalizer !== KUBERNETES);
    const finalized = { ...namespace, spec: { ...(namespace['spec'] as object), finalizers } };
    await this.#client.update({ resource: NAMESPACES, namespace: '', name, subresource: 'finalize' }, finalized);
  }
}

function finalizersOf({ spec }: JsonObject): readonly string[] {
  const finalizers = isObject(spec) ? spec['finalizers'] : undefined;
  return Array.isArray(finalizers) ? (finalizers as readonly string[]) : [];
}

interface Described {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

const FINE: readonly Described[] = [
  { type: 'NamespaceDeletionDiscoveryFailure', reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  {
    type: 'NamespaceDeletionContentFailure',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  { type: 'NamespaceContentRemaining', reason: 'ContentRemoved', message: 'All content successfully removed' },
  { type: 'NamespaceFinalizersRemaining', reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
];

function conditionsOf(remaining: readonly Remaining[], errors: readonly Error[]): readonly NamespaceCondition[] {
  const troubles: Described[] = [];
  if (errors.length > 0) {
    const texts = errors.map(({ message }) => message);
    troubles.push({
      type: 'NamespaceDeletionContentFailure',
      reason: 'ContentDeletionFailed',
      message: `Failed to delete all resource types, ${errors.length} remaining: ${texts.join(', ')}`,
    });
  }
  if (remaining.length > 0) {
    const texts = remaining.map(({ resource, objects }) => `${resource.plural}.${resource.group} has ${objects.length} resource instances`);
    troubles.push({
      type: 'NamespaceContentRemaining',
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${texts.sort(compareUtf8).join(', ')}`,
    });
  }
  const held = finalizersIn(remaining);
  if (held.size > 0) {
    const texts = [...held].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
    troubles.push({
      type: 'NamespaceFinalizersRemaining',
      reason: 'SomeFinalizersRemain',
      message: `Some content in the namespace has finalizers remaining: ${texts.sort(compareUtf8).join(', ')}`,
    });
  }
  return FINE.map((fine) => {
    const trouble = troubles.find(({ type }) => type === fine.type);
    return {
      type: fine.type,
      status: trouble === undefined ? 'False' : 'True',
      lastTransitionTime: '',
      reason: (trouble ?? fine).reason,
      message: (trouble ?? fine).message,
    };
  });
}

function finalizersIn(remaining: readonly Remaining[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { objects } of remaining) {
    for (const finalizer of objects.flatMap((object) => metaOf(object).finalizers ?? []))
      counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
  }
  return counts;
}

/** Conditions that say what they said keep their time. */
function merged(known: readonly NamespaceCondition[], wanted: readonly NamespaceCondition[], now: Date): readonly NamespaceCondition[] {
  const time = `${now.toISOString().slice(0, 19)}Z`;
  return wanted.map((condition) => {
    const before = known.find(({ type }) => type === condition.type);
    const isSame =
      before !== undefined &&
      before.status === condition.status &&
      before.reason === condition.reason &&
      before.message === condition.message;
    return isSame ? before : { ...condition, lastTransitionTime: time };
  });
}
