import type { Deployment, Pod, ReplicaSet } from '@keelson/kubernetes/kinds';
import { type Enqueue, isConflict, isTerminating } from '../../controllers/index.js';
import { type EventRecorder, failedCreate } from '../events/index.js';
import {
  byAge,
  claimsOf,
  controllerReference,
  DEPLOYMENTS,
  isControlledBy,
  isSame,
  type ObjectClient,
  PODS,
  partsOf,
  REPLICA_SETS,
  selectorOf,
  selectsAll,
  templateHash,
  timeText,
  withController,
  withoutOwner,
} from '../objects/index.js';
import { isTerminal } from '../pods/index.js';
import { isRollingUpdate } from './fenceposts.js';
import {
  conditionIn,
  countedStatus,
  type DeploymentStatus,
  deadlineCheckMs,
  deadlineOf,
  isComplete,
  type News,
  rolloutStatus,
  withCondition,
} from './progress.js';
import {
  currentAnnotations,
  isNewReplicaSet,
  newReplicaSetOf,
  REVISION,
  revisionOf,
  sizeAnnotations,
  TEMPLATE_HASH,
} from './replica-set-revisions.js';
import { newSize, outlivedReplicaSets, recreateStep, rollingStep, type Sizes } from './rollout.js';
import { isScaling, type ReplicaSets, scaledSizes, sizeOf } from './scaling.js';

const KIND = { apiVersion: 'apps/v1', kind: 'Deployment' };
const LONGEST_NAME = 253;

/** One look at one Deployment: what it and its ReplicaSets are now decides about the next step; each write leads to the next look. */
export class DeploymentSync {
  readonly #client: ObjectClient;
  readonly #events: EventRecorder;
  readonly #now: Date;
  readonly #time: string;

  constructor({ client, events, now }: { readonly client: ObjectClient; readonly events: EventRecorder; readonly now: Date }) {
    this.#events = events;
    this.#client = client;
    this.#now = now;
    this.#time = timeText(now);
  }

  async run(key: string, queue: Enqueue): Promise<void> {
    const { namespace, name } = partsOf(key);
    const found = this.#client.get<Deployment>(DEPLOYMENTS, namespace, name);
    if (found === undefined) return;
    if (selectsAll(found.spec.selector))
      return void (await this.#write(found, { ...found.status, observedGeneration: found.metadata.generation }));
    const mine = await this.#claimed(found);
    if (found.metadata.deletionTimestamp !== undefined) return void (await this.#writeCounted(found, this.#setsOf(found, mine)));
    const deployment = await this.#markPaused(found);
    const sets = await this.#withCurrent(deployment, this.#setsOf(deployment, mine));
    const written = await this.#step(sets.deployment, sets);
    const checkAfter = deadlineCheckMs(written, written.status ?? {}, this.#now);
    if (checkAfter !== undefined) queue.addAfter(key, checkAfter);
  }

  async #step(deployment: Deployment, sets: ReplicaSets): Promise<Deployment> {
    if (deployment.spec.paused === true || isScaling(deployment, sets)) {
      const scaled = await this.#resize(deployment, sets, { sizes: scaledSizes(deployment, sets) });
      if (deployment.spec.paused === true) await this.#cleanUp(deployment, scaled.old);
      return this.#writeCounted(deployment, scaled);
    }
    return isRollingUpdate(deployment) ? this.#roll(deployment, sets) : this.#recreate(deployment, sets);
  }

  async #roll(deployment: Deployment, sets: ReplicaSets): Promise<Deployment> {
    const made = await this.#made(deployment, sets);
    if (made === undefined) return deployment;
    const sizes = rollingStep(made.deployment, made.current, made.old);
    const rolled = await this.#resize(made.deployment, made, { sizes, always: made.current.metadata.name });
    return this.#finish(made.deployment, rolled, sizes.size === 0);
  }

  async #recreate(deployment: Deployment, sets: ReplicaSets): Promise<Deployment> {
    const sizes = recreateStep(sets);
    if (sizes.size > 0) return this.#finish(deployment, await this.#resize(deployment, sets, { sizes }), false);
    if (this.#hasOldPods(deployment, sets)) return this.#finish(deployment, sets, false);
    const made = await this.#made(deployment, sets);
    if (made === undefined) return deployment;
    const name = made.current.metadata.name;
    const grown = await this.#resize(made.deployment, made, { sizes: new Map([[name, deployment.spec.replicas ?? 1]]), always: name });
    return this.#finish(made.deployment, grown, true);
  }

  async #finish(deployment: Deployment, sets: ReplicaSets, mayCleanUp: boolean): Promise<Deployment> {
    if (mayCleanUp && isComplete(deployment, deployment.status ?? {})) await this.#cleanUp(deployment, sets.old);
    return this.#write(deployment, rolloutStatus(deployment, sets, { date: this.#now, time: this.#time }));
  }

  /** Pods of other templates that still run. */
  #hasOldPods(deployment: Deployment, { old }: ReplicaSets): boolean {
    const { namespace } = deployment.metadata;
    const pods = this.#client.list<Pod>(PODS, namespace).filter((pod) => !isTerminal(pod));
    return old.some((replicaSet) => pods.some((pod) => isControlledBy(pod, replicaSet)));
  }

  #setsOf(deployment: Deployment, mine: readonly ReplicaSet[]): ReplicaSets {
    const current = newReplicaSetOf(deployment, mine);
    return { current, old: mine.filter(({ metadata }) => metadata.uid !== current?.metadata.uid).sort(byAge) };
  }

  async #claimed(deployment: Deployment): Promise<readonly ReplicaSet[]> {
    const matches = selectorOf(deployment.spec.selector);
    const all = this.#client.list<ReplicaSet>(REPLICA_SETS, deployment.metadata.namespace);
    const { mine, adopted, released } = claimsOf(deployment, all, ({ metadata }) => matches(metadata.labels));
    const reference = controllerReference(deployment, KIND);
    for (const one of adopted)
      await this.#client.patch(REPLICA_SETS, one, { metadata: { ownerReferences: withController(one, reference) } });
    for (const one of released)
      await this.#client.patch(REPLICA_SETS, one, { metadata: { ownerReferences: withoutOwner(one, deployment) } });
    // An adopted ReplicaSet has another version now.
    const again = adopted.flatMap(
      ({ metadata: { namespace = '', name } }) => this.#client.get<ReplicaSet>(REPLICA_SETS, namespace, name) ?? [],
    );
    return [...mine, ...again];
  }

  async #markPaused(deployment: Deployment): Promise<Deployment> {
    const { status = {}, spec } = deployment;
    const known = conditionIn(status, 'Progressing');
    if (deadlineOf(deployment) === undefined || known?.reason === 'ProgressDeadlineExceeded') return deployment;
    const wasPaused = known?.reason === 'DeploymentPaused';
    if (wasPaused === (spec.paused === true)) return deployment;
    const news: News = wasPaused
      ? { type: 'Progressing', status: 'Unknown', reason: 'DeploymentResumed', message: 'Deployment is resumed' }
      : { type: 'Progressing', status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' };
    return this.#write(deployment, withCondition(status, news, this.#time));
  }

  /** Tells the current ReplicaSet and the Deployment which revision they are. */
  async #withCurrent(deployment: Deployment, sets: ReplicaSets): Promise<ReplicaSets & { readonly deployment: Deployment }> {
    const { current, old } = sets;
    if (current === undefined) return { ...sets, deployment };
    const { metadata, spec } = current;
    const annotations = currentAnnotations(deployment, metadata.annotations ?? {}, nextRevision(old));
    const { minReadySeconds = 0 } = deployment.spec;
    const isRight = isSame(annotations, metadata.annotations ?? {}) && (spec.minReadySeconds ?? 0) === minReadySeconds;
    const updated = isRight
      ? current
      : await this.#client.update<ReplicaSet>(REPLICA_SETS, {
          ...current,
          metadata: { ...metadata, annotations },
          spec: { ...spec, minReadySeconds },
        });
    const message = `Found new replica set "${metadata.name}"`;
    const news: News = { type: 'Progressing', status: 'True', reason: 'FoundNewReplicaSet', message };
    const isNews = deadlineOf(deployment) !== undefined && conditionIn(deployment.status ?? {}, 'Progressing') === undefined;
    const status = isNews ? withCondition(deployment.status ?? {}, news, this.#time) : (deployment.status ?? {});
    const revision = updated.metadata.annotations?.[REVISION] ?? '';
    return { current: updated, old, deployment: await this.#write(withRevision(deployment, revision), status, deployment) };
  }

  /** The sets with the current one, which is made where it is not there. Undefined: it cannot be made now. */
  async #made(deployment: Deployment, sets: ReplicaSets): Promise<Made | undefined> {
    const { current, old } = sets;
    if (current !== undefined) return { deployment, current, old };
    const { namespace = '' } = deployment.metadata;
    const revision = nextRevision(old);
    const wanted = replicaSetFor(deployment, old, revision);
    try {
      const made = await this.#client.create<ReplicaSet>(REPLICA_SETS, namespace, wanted);
      const message = `Created new replica set "${made.metadata.name}"`;
      const news: News = { type: 'Progressing', status: 'True', reason: 'NewReplicaSetCreated', message };
      const status = deployment.status ?? {};
      const told = deadlineOf(deployment) === undefined ? status : withCondition(status, news, this.#time);
      return { current: made, old, deployment: await this.#write(withRevision(deployment, String(revision)), told, deployment) };
    } catch (error) {
      if (isTerminating(error)) return undefined;
      if (isConflict(error)) return this.#collided(deployment, { name: wanted.metadata.name, old });
      const message = `Failed to create new replica set "${wanted.metadata.name}": ${(error as Error).message}`;
      await this.#failed(deployment, message);
      const about = { ...deployment, apiVersion: 'apps/v1', kind: 'Deployment' };
      throw failedCreate(this.#events, about, { error: error as Error, message, reason: 'ReplicaSetCreateError' });
    }
  }

  /** The name is taken: by what another look has made, or by a stranger. Then another hash is tried. */
  async #collided(
    deployment: Deployment,
    { name, old }: { readonly name: string; readonly old: readonly ReplicaSet[] },
  ): Promise<Made | undefined> {
    const { namespace = '' } = deployment.metadata;
    const found = this.#client.get<ReplicaSet>(REPLICA_SETS, namespace, name);
    if (found !== undefined && isControlledBy(found, deployment) && isNewReplicaSet(deployment, found))
      return { deployment, current: found, old };
    await this.#write(deployment, { ...deployment.status, collisionCount: (deployment.status?.collisionCount ?? 0) + 1 });
    return undefined;
  }

  async #failed(deployment: Deployment, message: string): Promise<void> {
    if (deadlineOf(deployment) === undefined) return;
    const news: News = { type: 'Progressing', status: 'False', reason: 'ReplicaSetCreateError', message };
    await this.#write(deployment, withCondition(deployment.status ?? {}, news, this.#time));
  }

  /** @param always of this one what it says of the Deployment's size is kept right even where its own size is */
  async #resize(
    deployment: Deployment,
    sets: ReplicaSets,
    { sizes, always }: { readonly sizes: Sizes; readonly always?: string },
  ): Promise<ReplicaSets> {
    const resized = async (replicaSet: ReplicaSet): Promise<ReplicaSet> => {
      const { name, annotations } = replicaSet.metadata;
      const replicas = sizes.get(name) ?? sizeOf(replicaSet);
      const next = { ...annotations, ...sizeAnnotations(deployment) };
      const isConcerned = sizes.has(name) || name === always;
      if (!isConcerned || (replicas === sizeOf(replicaSet) && isSame(next, annotations))) return replicaSet;
      return this.#client.update<ReplicaSet>(REPLICA_SETS, {
        ...replicaSet,
        metadata: { ...replicaSet.metadata, annotations: next },
        spec: { ...replicaSet.spec, replicas },
      });
    };
    const old: ReplicaSet[] = [];
    for (const one of sets.old) old.push(await resized(one));
    return { old, current: sets.current && (await resized(sets.current)) };
  }

  async #cleanUp(deployment: Deployment, old: readonly ReplicaSet[]): Promise<void> {
    const byRevision = [...old].sort((left, right) => revisionOf(left) - revisionOf(right) || byAge(left, right));
    for (const replicaSet of outlivedReplicaSets(deployment, byRevision)) await this.#client.remove(REPLICA_SETS, replicaSet);
  }

  #writeCounted(deployment: Deployment, sets: ReplicaSets): Promise<Deployment> {
    return this.#write(deployment, countedStatus(deployment, sets, this.#time));
  }

  /** @param before what is stored, where more than the status is written */
  async #write(deployment: Deployment, status: DeploymentStatus, before: Deployment = deployment): Promise<Deployment> {
    const next = { ...deployment, status };
    const isRight = isSame(withoutZeros(before.status), withoutZeros(status)) && isSame(before.metadata, deployment.metadata);
    return isRight ? next : this.#client.updateStatus<Deployment>(DEPLOYMENTS, next);
  }
}

interface Made {
  readonly deployment: Deployment;
  readonly current: ReplicaSet;
  readonly old: readonly ReplicaSet[];
}

function nextRevision(old: readonly ReplicaSet[]): number {
  return Math.max(0, ...old.map(revisionOf)) + 1;
}

function withRevision(deployment: Deployment, revision: string): Deployment {
  const { metadata } = deployment;
  if (metadata.annotations?.[REVISION] === revision) return deployment;
  return { ...deployment, metadata: { ...metadata, annotations: { ...metadata.annotations, [REVISION]: revision } } };
}

/** The server does not keep counts of zero. */
function withoutZeros(status: DeploymentStatus = {}): object {
  return Object.fromEntries(Object.entries(status).filter(([name, value]) => value !== 0 || name === 'terminatingReplicas'));
}

function replicaSetFor(deployment: Deployment, old: readonly ReplicaSet[], revision: number): ReplicaSet {
  const { metadata, spec, status } = deployment;
  const hash = templateHash(spec.template, status?.collisionCount);
  const labels = { ...spec.template.metadata?.labels, [TEMPLATE_HASH]: hash };
  const { matchLabels, ...selector } = spec.selector;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name.slice(0, LONGEST_NAME - hash.length - 1)}-${hash}`,
      labels,
      annotations: { ...currentAnnotations(deployment, {}, revision), ...sizeAnnotations(deployment) },
      ownerReferences: [controllerReference(deployment, KIND)],
    },
    spec: {
      replicas: newSize(deployment, old, 0),
      minReadySeconds: spec.minReadySeconds ?? 0,
      selector: { ...selector, matchLabels: { ...matchLabels, [TEMPLATE_HASH]: hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}
