import { equalJson, groupVersionOf, type OwnerReference } from '@keelson/kubernetes/apimachinery';
import type { Resource } from '../../contract/index.js';
import type { Controller, ControllerSurroundings } from '../controller.js';
import { ControllerClient, isGone, type Place } from '../controller-client.js';
import { hasFinalizer, isBeingDeleted, metaOf, ownersOf } from '../metadata.js';
import { type FedEvent, ObjectFeed } from '../object-feed.js';
import { WorkQueue } from '../work-queue.js';
import { AbsentOwners } from './absent-owners.js';
import { type GraphNode, ObjectGraph } from './object-graph.js';

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

/** The state of an owner, as seen from one that it owns. */
type OwnerState = 'dangling' | 'solid' | 'unknown' | 'waiting';

/**
 * Deletes what has lost its owners, and carries out foreground and orphaning deletions.
 *
 * Flow: 1. every event of every resource keeps the graph of owners. 2. An object whose owners went, or that waits for its dependents, is looked at again.
 * Guarantees: an object goes only if none of its owners is there with the uid that it names; a dependent with `blockOwnerDeletion` keeps an owner that is
 * deleted in the foreground. Caveats: owners of a kind that is not served count as there until it is, unless their deletion was seen.
 * Source: kubernetes `pkg/controller/garbagecollector`.
 */
export class GarbageCollector implements Controller {
  readonly name = 'generic-garbage-collector';
  readonly #surroundings: ControllerSurroundings;
  readonly #client: ControllerClient;
  readonly #graph = new ObjectGraph();
  readonly #absentOwners = new AbsentOwners();
  readonly #queue: WorkQueue;
  readonly #feed: ObjectFeed;
  /** Objects with an owner of a kind that is not served (yet). */
  readonly #unresolved = new Set<string>();
  #endListening: (() => void) | undefined;

  constructor(surroundings: ControllerSurroundings) {
    this.#surroundings = surroundings;
    this.#client = new ControllerClient(surroundings, this.name);
    const { clock, report } = surroundings;
    this.#queue = new WorkQueue({
      clock,
      handle: (uid) => this.#process(uid),
      onFailure: (key, error) => report({ controller: this.name, key, error }),
    });
    this.#feed = new ObjectFeed(surroundings, {
      wants: ({ versions }) => versions.some(({ verbs }) => verbs.includes('delete')),
      onEvent: (event) => this.#observe(event),
    });
  }

  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  start(): void {
    this.#endListening = this.#surroundings.catalog.onChange(() => {
      for (const uid of this.#unresolved) this.#queue.add(uid);
      this.#unresolved.clear();
    });
    this.#feed.start();
  }

  async stop(): Promise<void> {
    this.#endListening?.();
    this.#feed.stop();
    await this.#queue.stop();
  }

  #observe({ type, object, resource }: FedEvent): void {
    const { uid } = metaOf(object);
    const before = this.#graph.get(uid);
    if (type === 'DELETED') {
      this.#graph.remove(uid);
      const dependents = this.#graph.dependentsOf(uid);
      if (dependents.length > 0) this.#absentOwners.add(object);
      for (const dependent of dependents) this.#queue.add(metaOf(dependent.object).uid);
    } else {
      this.#graph.put({ resource, object });
      const hadOwners = before !== undefined && equalJson(ownersOf(before.object), ownersOf(object));
      if (isDeletionOfMine({ resource, object }) || (!hadOwners && ownersOf(object).length > 0)) this.#queue.add(uid);
      if (isDeletingDependents({ resource, object })) this.#addDependents(uid);
    }
    // An owner that waits must hear, too, when a dependent lets go of it.
    const owners = [...ownersOf(object), ...(before === undefined ? [] : ownersOf(before.object))];
    for (const owner of new Set(owners.map((reference) => reference.uid))) {
      const node = this.#graph.get(owner);
      if (node !== undefined && isDeletingDependents(node)) this.#queue.add(owner);
    }
  }

  #addDependents(uid: string): void {
    for (const dependent of this.#graph.dependentsOf(uid)) this.#queue.add(metaOf(dependent.object).uid);
  }

  async #process(uid: string): Promise<void> {
    const node = this.#graph.get(uid);
    if (node === undefined) return;
    try {
      if (isBeingDeleted(node.object)) await this.#processDeletion(node);
      else await this.#collect(node);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async #processDeletion(node: GraphNode): Promise<void> {
    if (hasFinalizer(node.object, ORPHAN)) return this.#orphan(node);
    if (!isDeletingDependents(node)) return;
    const { uid } = metaOf(node.object);
    const blocking = this.#graph
      .dependentsOf(uid)
      .filter(({ object }) => ownersOf(object).some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true));
    if (blocking.length === 0) return this.#removeFinalizer(node, FOREGROUND);
    for (const dependent of blocking) {
      if (!isBeingDeleted(dependent.object)) this.#queue.add(metaOf(dependent.object).uid);
    }
  }

  async #orphan(node: GraphNode): Promise<void> {
    const { uid } = metaOf(node.object);
    for (const dependent of this.#graph.dependentsOf(uid)) {
      await this.#keepOwners(dependent, (owner) => owner.uid !== uid);
    }
    await this.#removeFinalizer(node, ORPHAN);
  }

  /** Deletes an object that has no owner any more. */
  async #collect(node: GraphNode): Promise<void> {
    const owners = ownersOf(node.object);
    if (owners.length === 0) return;
    const states = new Map(owners.map((owner) => [owner, this.#stateOf(owner, node)]));
    const having = (...wanted: readonly OwnerState[]): readonly OwnerReference[] =>
      owners.filter((owner) => wanted.includes(states.get(owner) as OwnerState));
    if (having('unknown').length > 0) {
      this.#unresolved.add(metaOf(node.object).uid);
      return;
    }
    if (having('solid').length > 0) {
      const solid = new Set(having('solid'));
      if (solid.size < owners.length) await this.#keepOwners(node, (owner) => solid.has(owner));
      return;
    }
    await this.#delete(node, having('waiting').length > 0);
  }

  async #delete(node: GraphNode, ownerWaits: boolean): Promise<void> {
    const dependents = this.#graph.dependentsOf(metaOf(node.object).uid);
    if (ownerWaits && dependents.length > 0) {
      // Owners in a circle would wait for each other.
      const isCircle = dependents.some((dependent) => isDeletingDependents(dependent));
      const live = isCircle ? await this.#unblock(node) : node;
      return this.#client.delete(placeOf(live), { propagationPolicy: 'Foreground', preconditions: preconditionsOf(live) });
    }
    const finalizer = [ORPHAN, FOREGROUND].find((one) => hasFinalizer(node.object, one));
    const propagationPolicy = finalizer === ORPHAN ? 'Orphan' : finalizer === FOREGROUND ? 'Foreground' : 'Background';
    await this.#client.delete(placeOf(node), { propagationPolicy, preconditions: preconditionsOf(node) });
  }

  async #unblock(node: GraphNode): Promise<GraphNode> {
    const ownerReferences = ownersOf(node.object).map((owner) => ({ ...owner, blockOwnerDeletion: false }));
    return { ...node, object: await this.#client.patch(placeOf(node), { metadata: { ...preconditionsOf(node), ownerReferences } }) };
  }

  async #keepOwners(node: GraphNode, keep: (owner: OwnerReference) => boolean): Promise<void> {
    const ownerReferences = ownersOf(node.object).filter(keep);
    try {
      await this.#client.patch(placeOf(node), { metadata: { ...preconditionsOf(node), ownerReferences } });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async #removeFinalizer(node: GraphNode, finalizer: string): Promise<void> {
    const finalizers = (metaOf(node.object).finalizers ?? []).filter((one) => one !== finalizer);
    await this.#client.patch(placeOf(node), { metadata: { ...preconditionsOf(node), finalizers } });
  }

  #stateOf(reference: OwnerReference, { object }: GraphNode): OwnerState {
    const { namespace = '' } = metaOf(object);
    if (this.#absentOwners.has(reference, namespace)) return 'dangling';
    const resource = this.#resourceOf(reference);
    if (resource === undefined) return 'unknown';
    // An owner in a namespace looks like any other of its name: such a reference never resolves.
    if (resource.scope === 'Namespaced' && namespace === '') return 'unknown';
    const owner = this.#surroundings.cluster.get(resource, {
      namespace: resource.scope === 'Namespaced' ? namespace : '',
      name: reference.name,
    });
    if (owner === undefined || metaOf(owner).uid !== reference.uid) return 'dangling';
    return isDeletingDependents({ resource, object: owner }) ? 'waiting' : 'solid';
  }

  #resourceOf({ apiVersion, kind }: OwnerReference): Resource | undefined {
    const { group, version } = groupVersionOf(apiVersion);
    return this.#surroundings.catalog.ofKind(group, version, kind)?.resource;
  }
}

function isDeletingDependents({ object }: GraphNode): boolean {
  return isBeingDeleted(object) && hasFinalizer(object, FOREGROUND);
}

function isDeletionOfMine(node: GraphNode): boolean {
  return isBeingDeleted(node.object) && (hasFinalizer(node.object, ORPHAN) || hasFinalizer(node.object, FOREGROUND));
}

function placeOf({ resource, object }: GraphNode): Place {
  const { name, namespace = '' } = metaOf(object);
  return { resource, namespace, name };
}

/** As seen: a change in between has to be looked at first. */
function preconditionsOf({ object }: GraphNode): { readonly uid: string; readonly resourceVersion: string } {
  const { uid, resourceVersion = '' } = metaOf(object);
  return { uid, resourceVersion };
}
