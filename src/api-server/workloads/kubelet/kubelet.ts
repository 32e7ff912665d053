import type { ConfigMap, Node, Pod, Secret } from '../../../kinds/index.js';
import { type Controller, type ControllerSurroundings, type Enqueue, isGone, keyedController } from '../../controllers/index.js';
import { type Addresses, addressOf, nodeWriter } from '../nodes/index.js';
import { CONFIG_MAPS, isResource, isSame, keyOf, NODES, ObjectClient, PODS, partsOf, SECRETS, timeText } from '../objects/index.js';
import { nextState, type PodStep } from './pod-lifecycle.js';
import type { PodMemory } from './pod-memory.js';
import { type ConfigurationView, lackOf, refersTo } from './references.js';
import type { PodTiming } from './stages.js';

export interface KubeletParts {
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
        if (!isResource(resource, PODS)) return type === 'ADDED' ? kubelets.lookAgain(metadata.namespace ?? '', queue) : undefined;
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

  /** Of all Pods on nodes. */
  keys(): readonly string[] {
    return this.#reader
      .list<Pod>(PODS)
      .filter(({ spec }) => (spec.nodeName ?? '') !== '')
      .map(keyOf);
  }

  /** A ConfigMap or Secret is there now: Pods may have waited for it. */
  lookAgain(namespace: string, queue: Enqueue): void {
    for (const pod of this.#reader.list<Pod>(PODS, namespace)) {
      if (pod.status?.phase === 'Pending' && (pod.spec.nodeName ?? '') !== '' && refersTo(pod)) queue.add(keyOf(pod));
    }
  }

  forget(uid: string): void {
    this.#parts.memory.forget(uid);
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
    const { memory, timing, podAddresses, nodeAddresses } = this.#parts;
    const { uid = '', namespace = '' } = pod.metadata;
    const { nodeName = '', hostNetwork = false } = pod.spec;
    const now = this.#surroundings.clock.now();
    const node = addressOf(this.#reader.get<Node>(NODES, '', nodeName)) ?? nodeAddresses.of(nodeName);
    const view: ConfigurationView = {
      configMap: (name) => this.#reader.get<ConfigMap>(CONFIG_MAPS, namespace, name),
      secret: (name) => this.#reader.get<Secret>(SECRETS, namespace, name),
    };
    return nextState({
      pod,
      now,
      time: timeText(now),
      timing,
      addresses: { pod: hostNetwork ? node : podAddresses.of(uid), node },
      isHeldBack: (stage) => memory.held.concerns(pod, stage),
      isUnready: memory.isUnready(pod),
      since: (what) => memory.since(pod, what, now),
      lackOf: (container) => lackOf(pod, container, view),
    });
  }
}
