import type { ConfigMap, Node, Pod, Secret } from '@keelson/kubernetes/kinds';
import { type Controller, type ControllerSurroundings, type Enqueue, isGone, keyedController } from '../../controllers/index.js';
import { type Addresses, addressOf, nodeWriter } from '../nodes/index.js';
import { CONFIG_MAPS, isResource, isSame, keyOf, NODES, ObjectClient, PODS, partsOf, SECRETS, timeText } from '../objects/index.js';
import { nextState, type PodSituation, type PodStep } from './pod-lifecycle.js';
import type { PodMemory } from './pod-memory.js';
import { type ConfigurationView, lackOf, refersTo } from './references.js';
import type { PodTiming } from './stages.js';

/** Runs Pods in truth; all others are simulated. */
export interface PodRunner {
  runs(pod: Pod): boolean;
  /** The owner of the Pod's address. */
  addressOwner(pod: Pod): string;
  step(situation: PodSituation): PodStep;
  forget(uid: string): void;
}

export interface KubeletParts {
  /** Default: all Pods are simulated. */
  readonly runner?: PodRunner | undefined;
  /** As of {@link ConfigurationView}. */
  readonly hasRootCa: boolean;
  readonly memory: PodMemory;
  readonly timing: PodTiming;
  readonly podAddresses: Addresses;
  readonly nodeAddresses: Addresses;
  /** Called with what looks at a Pod again, by its key. */
  readonly onReady: (lookAt: (key: string) => void) => void;
}

/** Plays the kubelets of all nodes, as far as Pods are concerned. */
export function kubelet(surroundings: ControllerSurroundings, parts: KubeletParts): Controller {
  const kubelets = new Kubelets(surroundings, parts);
  return keyedController(
    {
      name: 'kubelet',
      wants: (resource) => [PODS, CONFIG_MAPS, SECRETS].some((wanted) => isResource(resource, wanted)),
      onStart(queue) {
        parts.onReady((key) => queue.add(key));
        parts.memory.held.onRelease(() => {
          for (const key of kubelets.keys()) queue.add(key);
        });
      },
      onEvent({ object, resource, type }, queue) {
        const { metadata, spec } = object as unknown as Pod;
        if (!isResource(resource, PODS)) return kubelets.lookAgain(metadata.namespace ?? '', { isNew: type === 'ADDED', queue });
        if (type === 'DELETED') kubelets.forget(metadata.uid ?? '');
        else if ((spec.nodeName ?? '') !== '') queue.add(keyOf(object as unknown as Pod));
      },
      handle: (key, queue) => kubelets.sync(key, queue),
    },
    surroundings,
  );
}

class Kubelets {
  readonly #surroundings: ControllerSurroundings;
  readonly #parts: KubeletParts;
  readonly #reader: ObjectClient;

  constructor(surroundings: ControllerSurroundings, parts: KubeletParts) {
    this.#surroundings = surroundings;
    this.#parts = parts;
    this.#reader = new ObjectClient(surroundings, nodeWriter(''));
  }

  /** The keys of all Pods on nodes. */
  keys(): readonly string[] {
    return this.#reader
      .list<Pod>(PODS)
      .filter(({ spec }) => (spec.nodeName ?? '') !== '')
      .map(keyOf);
  }

  /** A ConfigMap or Secret is there now, or another: Pods may have waited for it, or have it as files. */
  lookAgain(namespace: string, { isNew, queue }: { readonly isNew: boolean; readonly queue: Enqueue }): void {
    const { runner } = this.#parts;
    if (!isNew && runner === undefined) return;
    for (const pod of this.#reader.list<Pod>(PODS, namespace)) {
      const isConcerned = (isNew && pod.status?.phase === 'Pending') || runner?.runs(pod) === true;
      if (isConcerned && (pod.spec.nodeName ?? '') !== '' && refersTo(pod)) queue.add(keyOf(pod));
    }
  }

  forget(uid: string): void {
    this.#parts.memory.forget(uid);
    this.#parts.runner?.forget(uid);
    this.#parts.podAddresses.release(uid);
  }

  async sync(key: string, queue: Enqueue): Promise<void> {
    const { namespace, name } = partsOf(key);
    const pod = this.#reader.get<Pod>(PODS, namespace, name);
    if (pod === undefined || (pod.spec.nodeName ?? '') === '') return;
    const step = this.#stepOf(pod);
    const client = new ObjectClient(this.#surroundings, nodeWriter(pod.spec.nodeName ?? ''));
    try {
      if (!isSame(step.status, pod.status)) await client.updateStatus(PODS, { ...pod, status: step.status });
      if (step.isRemoved === true) await client.remove(PODS, pod, { gracePeriodSeconds: 0 });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    if (step.recheckAfterMs !== undefined) queue.addAfter(key, step.recheckAfterMs);
  }

  #stepOf(pod: Pod): PodStep {
    const { hasRootCa, memory, timing, podAddresses, nodeAddresses, runner } = this.#parts;
    const { uid = '', namespace = '' } = pod.metadata;
    const { nodeName = '', hostNetwork = false } = pod.spec;
    const now = this.#surroundings.clock.now();
    const node = addressOf(this.#reader.get<Node>(NODES, '', nodeName)) ?? nodeAddresses.of(nodeName);
    const view: ConfigurationView = {
      configMap: (name) => this.#reader.get<ConfigMap>(CONFIG_MAPS, namespace, name),
      secret: (name) => this.#reader.get<Secret>(SECRETS, namespace, name),
      hasRootCa,
    };
    const isRun = runner?.runs(pod) === true;
    const owner = isRun ? runner.addressOwner(pod) : uid;
    const situation: PodSituation = {
      pod,
      now,
      time: timeText(now),
      timing,
      addresses: { pod: hostNetwork ? node : podAddresses.of(owner), node },
      isHeldBack: (stage) => memory.held.concerns(pod, stage),
      isUnready: memory.isUnready(pod),
      since: (what) => memory.since(pod, what, now),
      lackOf: (container) => lackOf(pod, container, view),
    };
    return isRun ? runner.step(situation) : nextState(situation);
  }
}
