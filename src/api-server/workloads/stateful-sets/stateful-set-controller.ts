import type { PersistentVolumeClaim, Pod, StatefulSet } from '@keelson/kubernetes/kinds';
import {
  type Controller,
  type ControllerSurroundings,
  type Enqueue,
  isConflict,
  isTerminating,
  metaOf,
  RecordedFailure,
} from '../../controllers/index.js';
import { EventRecorder, failedCreate } from '../events/index.js';
import {
  CLAIMS,
  claimsOf,
  controllerOf,
  controllerReference,
  isSame,
  keyOf,
  ObjectClient,
  type OtherResource,
  ownersController,
  PODS,
  partsOf,
  STATEFUL_SETS,
  selectorOf,
  selectsAll,
  withController,
  withoutOwner,
} from '../objects/index.js';
import { nextAvailabilityMs } from '../pods/index.js';
import { type History, RevisionHistory } from '../revisions/index.js';
import { claimsFor, KIND, ordinalIn, POD_NAME, podFor, retainedBy, revisionOf } from './identity.js';
import { planStatefulSet, type StatefulAction } from './plan-stateful-set.js';

const NAME = 'statefulset-controller';

/** Keeps the Pods of StatefulSets, each with its name and its claims. */
export function statefulSetController(surroundings: ControllerSurroundings): Controller {
  const client = new ObjectClient(surroundings, NAME);
  const sets = new StatefulSets(surroundings, client);
  const claims: OtherResource = {
    resource: CLAIMS,
    onEvent({ object, type }, queue) {
      if (type === 'DELETED') for (const key of sets.keysIn(metaOf(object).namespace ?? '')) queue.add(key);
    },
  };
  const handle = (key: string, queue: Enqueue): Promise<void> => sets.sync(key, queue);
  const parts = { name: NAME, client, owners: STATEFUL_SETS, kind: KIND.kind, members: PODS, others: [claims], handle };
  return ownersController(parts, surroundings);
}

class StatefulSets {
  readonly #client: ObjectClient;
  readonly #history: RevisionHistory;
  readonly #events: EventRecorder;
  readonly #now: () => Date;

  constructor(surroundings: ControllerSurroundings, client: ObjectClient) {
    this.#client = client;
    this.#history = new RevisionHistory({ client, kind: KIND, hashLabel: 'controller.kubernetes.io/hash' });
    this.#events = new EventRecorder(surroundings, { component: NAME, writer: NAME });
    this.#now = () => surroundings.clock.now();
  }

  keysIn(namespace: string): readonly string[] {
    return this.#client.list<StatefulSet>(STATEFUL_SETS, namespace).map(keyOf);
  }

  async sync(key: string, queue: Enqueue): Promise<void> {
    const { namespace, name } = partsOf(key);
    const set = this.#client.get<StatefulSet>(STATEFUL_SETS, namespace, name);
    if (set === undefined || selectsAll(set.spec.selector)) return;
    try {
      const pods = await this.#claimed(set);
      const history = await this.#history.read(set);
      await this.#carryOut(set, pods, history);
    } catch (error) {
      // Nothing more will come of it.
      if (!isTerminating(error)) throw error;
    }
    const { minReadySeconds = 0 } = set.spec;
    const again = nextAvailabilityMs(
      this.#client.list<Pod>(PODS, namespace).filter((pod) => controllerOf(pod)?.uid === set.metadata.uid),
      { minReadySeconds, now: this.#now() },
    );
    if (again !== undefined) queue.addAfter(key, again);
  }

  async #carryOut(set: StatefulSet, pods: readonly Pod[], { update, revisions, collisionCount }: History): Promise<void> {
    const current = revisions.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
    const { actions, status } = planStatefulSet({ set, pods, current, update, collisionCount, now: this.#now() });
    let problem: Error | undefined;
    for (const action of actions) {
      try {
        await this.#act(set, action);
      } catch (error) {
        // The others of a parallel set go on, and the status shows what there is.
        problem ??= error as Error;
        if (set.spec.podManagementPolicy !== 'Parallel') break;
      }
    }
    const known = set.status ?? {};
    if (!isSame(withoutZeros(status), withoutZeros(known)))
      await this.#client.updateStatus<StatefulSet>(STATEFUL_SETS, { ...set, status: { ...known, ...status } });
    const live = new Set([current.metadata.name, update.metadata.name, ...pods.map(revisionOf)]);
    await this.#history.truncate(set, revisions, ({ metadata }) => live.has(metadata.name));
    if (problem !== undefined) throw problem;
  }

  async #act(set: StatefulSet, action: StatefulAction): Promise<void> {
    const { namespace = '' } = set.metadata;
    switch (action.do) {
      case 'create': {
        if (this.#hasStaleClaim(set, action.ordinal)) return;
        const wanted = podFor(set, action.revision, action.ordinal);
        try {
          await this.#makeClaims(set, action.ordinal);
          await this.#retain(set, await this.#client.create<Pod>(PODS, namespace, wanted));
        } catch (error) {
          throw this.#failedCreate(set, `Pod ${wanted.metadata.name}`, error as Error);
        }
        return;
      }
      case 'delete':
        await this.#client.remove(PODS, action.pod);
        return;
      case 'mend':
        await this.#mend(set, action.pod);
    }
  }

  /** As the controller of a cluster, without an Event for a Pod of this name that is there already: it is tried again. */
  #failedCreate(set: StatefulSet, what: string, error: Error): Error {
    if (isTerminating(error)) return error;
    if (isConflict(error)) return new RecordedFailure(error);
    const message = `create ${what} in StatefulSet ${set.metadata.name} failed error: ${error.message}`;
    return failedCreate(this.#events, { ...set, ...KIND }, { error, message });
  }

  async #mend(set: StatefulSet, pod: Pod): Promise<void> {
    const { name, labels } = pod.metadata;
    const ordinal = ordinalIn(set, name);
    if (pod.status?.phase === 'Pending' && ordinal !== undefined && pod.metadata.deletionTimestamp === undefined)
      await this.#makeClaims(set, ordinal);
    await this.#retain(set, pod);
    if (labels?.[POD_NAME] !== name) await this.#client.patch(PODS, pod, { metadata: { labels: { [POD_NAME]: name } } });
  }

  /** A claim that goes with the Pod before this one: it has to be gone first. */
  #hasStaleClaim(set: StatefulSet, ordinal: number): boolean {
    if (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return false;
    return this.#claimsOf(set, ordinal).some(({ metadata }) =>
      metadata.ownerReferences?.some(({ kind, name }) => kind === 'Pod' && name === `${set.metadata.name}-${ordinal}`),
    );
  }

  #claimsOf(set: StatefulSet, ordinal: number): readonly PersistentVolumeClaim[] {
    const { namespace = '' } = set.metadata;
    return [...claimsFor(set, ordinal).values()].flatMap(
      ({ metadata }) => this.#client.get<PersistentVolumeClaim>(CLAIMS, namespace, metadata.name) ?? [],
    );
  }

  async #makeClaims(set: StatefulSet, ordinal: number): Promise<void> {
    const { namespace = '' } = set.metadata;
    for (const claim of claimsFor(set, ordinal).values()) {
      const found = this.#client.get<PersistentVolumeClaim>(CLAIMS, namespace, claim.metadata.name);
      if (found?.metadata.deletionTimestamp !== undefined)
        throw new RecordedFailure(new Error(`pvc ${claim.metadata.name} is being deleted`));
      if (found !== undefined) continue;
      try {
        await this.#client.create(CLAIMS, namespace, claim);
      } catch (error) {
        if (isConflict(error) && !isTerminating(error)) continue;
        const failure = this.#failedCreate(set, `Claim ${claim.metadata.name} for Pod ${set.metadata.name}-${ordinal}`, error as Error);
        if (!RecordedFailure.isRecordedFailure(failure)) throw failure;
        throw new RecordedFailure(failure, `failed to create PVC ${claim.metadata.name}: ${failure.message}`);
      }
    }
  }

  async #retain(set: StatefulSet, pod: Pod): Promise<void> {
    for (const claim of this.#claimsOf(set, ordinalIn(set, pod.metadata.name) ?? -1)) {
      const ownerReferences = retainedBy(set, pod, claim);
      if (ownerReferences !== undefined)
        await this.#client.patch(CLAIMS, claim, { metadata: { ownerReferences: ownerReferences.length === 0 ? null : ownerReferences } });
    }
  }

  async #claimed(set: StatefulSet): Promise<readonly Pod[]> {
    const { namespace = '' } = set.metadata;
    const matches = selectorOf(set.spec.selector);
    const candidates = this.#client.list<Pod>(PODS, namespace);
    const claims = claimsOf(set, candidates, (pod) => matches(pod.metadata.labels) && ordinalIn(set, pod.metadata.name) !== undefined);
    const reference = controllerReference(set, KIND);
    for (const pod of claims.adopted)
      await this.#client.patch(PODS, pod, { metadata: { ownerReferences: withController(pod, reference) } });
    for (const pod of claims.released) await this.#client.patch(PODS, pod, { metadata: { ownerReferences: withoutOwner(pod, set) } });
    const adopted = claims.adopted.flatMap(({ metadata: { name } }) => this.#client.get<Pod>(PODS, namespace, name) ?? []);
    return [...claims.mine, ...adopted];
  }
}

/** The server does not keep counts of zero. */
function withoutZeros(status: object): object {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== 0));
}
