import type { Pod, ReplicaSet } from '@keelson/kubernetes/kinds';
import { type Controller, type ControllerSurroundings, type Enqueue, isTerminating } from '../../controllers/index.js';
import { EventRecorder, failedCreate } from '../events/index.js';
import {
  type Claims,
  controllerOf,
  controllerReference,
  ObjectClient,
  ownersController,
  PODS,
  partsOf,
  REPLICA_SETS,
  selectorOf,
  timeText,
  withController,
  withoutOwner,
} from '../objects/index.js';
import { podFromTemplate } from '../pods/index.js';
import { planReplicas, type ReplicaFailure, type ReplicaPlan, replicaStatus } from './plan-replicas.js';

const NAME = 'replicaset-controller';
const KIND = { apiVersion: 'apps/v1', kind: 'ReplicaSet' };

/** Keeps as many Pods as each ReplicaSet wants. */
export function replicaSetController(surroundings: ControllerSurroundings): Controller {
  const client = new ObjectClient(surroundings, NAME);
  const replicaSets = new ReplicaSets(surroundings, client);
  const handle = (key: string, queue: Enqueue): Promise<void> => replicaSets.sync(key, queue);
  return ownersController({ name: NAME, client, owners: REPLICA_SETS, kind: KIND.kind, members: PODS, handle }, surroundings);
}

class ReplicaSets {
  readonly #client: ObjectClient;
  readonly #events: EventRecorder;
  readonly #now: () => Date;

  constructor(surroundings: ControllerSurroundings, client: ObjectClient) {
    this.#client = client;
    this.#events = new EventRecorder(surroundings, { component: NAME, writer: NAME });
    this.#now = () => surroundings.clock.now();
  }

  async sync(key: string, queue: Enqueue): Promise<void> {
    const { namespace, name } = partsOf(key);
    const replicaSet = this.#client.get<ReplicaSet>(REPLICA_SETS, namespace, name);
    if (replicaSet === undefined) return;
    const now = this.#now();
    const plan = planReplicas({
      replicaSet,
      pods: this.#client.list<Pod>(PODS, namespace),
      related: this.#related(replicaSet),
      now,
    });
    await this.#claim(replicaSet, plan.claims);
    const error = await this.#carryOut(replicaSet, plan);
    const reason: ReplicaFailure['reason'] = plan.create > 0 ? 'FailedCreate' : 'FailedDelete';
    const failure = error === undefined ? undefined : { reason, message: error.message };
    const status = replicaStatus(replicaSet, plan, { failure, now, time: timeText(now) });
    if (status !== undefined) await this.#client.updateStatus(REPLICA_SETS, { ...replicaSet, status });
    if (plan.recheckAfterMs !== undefined) queue.addAfter(key, plan.recheckAfterMs);
    if (error === undefined) return;
    if (plan.create === 0) throw error;
    throw failedCreate(this.#events, { ...replicaSet, ...KIND }, { error, message: `Error creating: ${error.message}` });
  }

  /** Pods of the ReplicaSets that have the same owner: of a Deployment's rollout. */
  #related(replicaSet: ReplicaSet): readonly Pod[] {
    const owner = controllerOf(replicaSet)?.uid;
    const siblings = this.#client
      .list<ReplicaSet>(REPLICA_SETS, replicaSet.metadata.namespace)
      .filter((other) => other.metadata.uid === replicaSet.metadata.uid || (owner !== undefined && controllerOf(other)?.uid === owner));
    const selectors = siblings.map(({ spec }) => selectorOf(spec.selector));
    return this.#client
      .list<Pod>(PODS, replicaSet.metadata.namespace)
      .filter(({ metadata }) => selectors.some((matches) => matches(metadata.labels)));
  }

  async #claim(replicaSet: ReplicaSet, { adopted, released }: Claims<Pod>): Promise<void> {
    const reference = controllerReference(replicaSet, KIND);
    for (const pod of adopted) await this.#client.patch(PODS, pod, { metadata: { ownerReferences: withController(pod, reference) } });
    for (const pod of released) await this.#client.patch(PODS, pod, { metadata: { ownerReferences: withoutOwner(pod, replicaSet) } });
  }

  async #carryOut(replicaSet: ReplicaSet, { create, remove }: ReplicaPlan): Promise<Error | undefined> {
    const { name, namespace = '' } = replicaSet.metadata;
    const owner = { name, reference: controllerReference(replicaSet, KIND) };
    try {
      for (let made = 0; made < create; made += 1) {
        await this.#client.create(PODS, namespace, podFromTemplate(replicaSet.spec.template ?? {}, owner));
      }
      for (const pod of remove) await this.#client.remove(PODS, pod);
      return undefined;
    } catch (error) {
      // Nothing more will come of it.
      return isTerminating(error) ? undefined : (error as Error);
    }
  }
}
