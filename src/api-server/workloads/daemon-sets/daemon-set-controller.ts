import type { DaemonSet, Node, Pod } from '@keelson/kubernetes/kinds';
import { type Controller, type ControllerSurroundings, type Enqueue, isTerminating } from '../../controllers/index.js';
import { EventRecorder, failedCreate } from '../events/index.js';
import {
  claimsOf,
  controllerOf,
  controllerReference,
  DAEMON_SETS,
  isSame,
  keyOf,
  NODES,
  ObjectClient,
  type OtherResource,
  ownersController,
  PODS,
  partsOf,
  selectorOf,
  selectsAll,
  withController,
  withoutOwner,
} from '../objects/index.js';
import { nextAvailabilityMs } from '../pods/index.js';
import { RevisionHistory } from '../revisions/index.js';
import { daemonPod, HASH, hashOf, KIND } from './daemon-pods.js';
import { daemonStatus, planDaemonSet } from './plan-daemon-set.js';

const NAME = 'daemon-set-controller';

/** Keeps a Pod of each DaemonSet on every node that it is for. */
export function daemonSetController(surroundings: ControllerSurroundings): Controller {
  const client = new ObjectClient(surroundings, NAME);
  const sets = new DaemonSets(surroundings, client);
  const nodes: OtherResource = {
    resource: NODES,
    onEvent(_, queue) {
      for (const key of sets.keys()) queue.add(key);
    },
  };
  const handle = (key: string, queue: Enqueue): Promise<void> => sets.sync(key, queue);
  return ownersController(
    { name: NAME, client, owners: DAEMON_SETS, kind: KIND.kind, members: PODS, others: [nodes], handle },
    surroundings,
  );
}

class DaemonSets {
  readonly #client: ObjectClient;
  readonly #history: RevisionHistory;
  readonly #events: EventRecorder;
  readonly #now: () => Date;

  constructor(surroundings: ControllerSurroundings, client: ObjectClient) {
    this.#client = client;
    this.#history = new RevisionHistory({ client, kind: KIND, hashLabel: HASH });
    this.#events = new EventRecorder(surroundings, { component: 'daemonset-controller', writer: NAME });
    this.#now = () => surroundings.clock.now();
  }

  keys(): readonly string[] {
    return this.#client.list<DaemonSet>(DAEMON_SETS).map(keyOf);
  }

  async sync(key: string, queue: Enqueue): Promise<void> {
    const { namespace, name } = partsOf(key);
    const set = this.#client.get<DaemonSet>(DAEMON_SETS, namespace, name);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined || selectsAll(set.spec.selector)) return;
    try {
      await this.#carryOut(set);
    } catch (error) {
      // Nothing more will come of it.
      if (!isTerminating(error)) throw error;
    }
    const again = nextAvailabilityMs(this.#mine(set), { minReadySeconds: set.spec.minReadySeconds ?? 0, now: this.#now() });
    if (again !== undefined) queue.addAfter(key, again);
  }

  async #carryOut(set: DaemonSet): Promise<void> {
    const { namespace = '' } = set.metadata;
    const pods = await this.#claimed(set);
    const { update, revisions, collisionCount } = await this.#history.read(set);
    const nodes = this.#client.list<Node>(NODES).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const state = { set, nodes, pods, hash: hashOf(update), now: this.#now() };
    const plan = planDaemonSet(state);
    const status = { ...set.status, ...daemonStatus(state, collisionCount) };
    if (!isSame(withoutZeros(status), withoutZeros(set.status)))
      await this.#client.updateStatus<DaemonSet>(DAEMON_SETS, { ...set, status });
    for (const node of plan.create) {
      try {
        await this.#client.create(PODS, namespace, daemonPod(set, update, node));
      } catch (refusal) {
        const error = refusal as Error;
        throw isTerminating(error)
          ? error
          : failedCreate(this.#events, { ...set, ...KIND }, { error, message: `Error creating: ${error.message}` });
      }
    }
    for (const pod of plan.remove) await this.#client.remove(PODS, pod);
    const live = new Set([hashOf(update), ...pods.map(hashOf)]);
    await this.#history.truncate(set, revisions, (revision) => live.has(hashOf(revision)));
  }

  #mine(set: DaemonSet): readonly Pod[] {
    return this.#client.list<Pod>(PODS, set.metadata.namespace).filter((pod) => controllerOf(pod)?.uid === set.metadata.uid);
  }

  async #claimed(set: DaemonSet): Promise<readonly Pod[]> {
    const matches = selectorOf(set.spec.selector);
    const { adopted, released } = claimsOf(set, this.#client.list<Pod>(PODS, set.metadata.namespace), (pod) =>
      matches(pod.metadata.labels),
    );
    const reference = controllerReference(set, KIND);
    for (const pod of adopted) await this.#client.patch(PODS, pod, { metadata: { ownerReferences: withController(pod, reference) } });
    for (const pod of released) await this.#client.patch(PODS, pod, { metadata: { ownerReferences: withoutOwner(pod, set) } });
    return this.#mine(set);
  }
}

/** A missing number counts as zero. */
function withoutZeros(status: object = {}): object {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== 0));
}
