import type { Speaker } from '../differential/exchange.js';
import { pollUntil } from '../harness/index.js';

interface PlayedPod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: readonly { readonly kind: string }[];
  };
  readonly spec: { readonly nodeName?: string; readonly containers: readonly { readonly name: string; readonly image: string }[] };
  readonly status: { readonly phase: string; readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const MERGE = 'application/merge-patch+json';
const NODE = 'node-1';

/** Plays the scheduler and a kubelet for a real control plane, as the embedded server does of itself. Pods with an image of `held` run but are not ready. */
export class NodePlayer {
  readonly held = new Set<string>();
  readonly #speaker: Speaker;
  readonly #namespace: string;
  #number = 0;
  #isOver = false;
  #end: Promise<void> | undefined;

  constructor(speaker: Speaker, namespace: string) {
    this.#speaker = speaker;
    this.#namespace = namespace;
  }

  async start(): Promise<void> {
    await this.#speaker.ask({ method: 'POST', path: '/api/v1/nodes', body: { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE } } });
    this.#end = this.#play();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#end;
  }

  async #play(): Promise<void> {
    await pollUntil(async () => {
      await this.#tellNode();
      for (const pod of await this.#pods()) await this.#move(pod);
      return this.#isOver;
    }, 600_000);
  }

  async #tellNode(): Promise<void> {
    const time = new Date().toISOString();
    const conditions = [
      { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'played', lastHeartbeatTime: time, lastTransitionTime: time },
    ];
    await this.#speaker.ask({
      method: 'PATCH',
      path: `/api/v1/nodes/${NODE}/status`,
      contentType: MERGE,
      body: { status: { conditions } },
    });
  }

  async #pods(): Promise<readonly PlayedPod[]> {
    const { text } = await this.#speaker.ask({ method: 'GET', path: `/api/v1/namespaces/${this.#namespace}/pods` });
    return (JSON.parse(text) as { readonly items: readonly PlayedPod[] }).items;
  }

  async #move(pod: PlayedPod): Promise<void> {
    const { name, namespace, deletionTimestamp, ownerReferences = [] } = pod.metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    if (deletionTimestamp !== undefined) {
      await this.#speaker.ask({ method: 'DELETE', path, body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 } });
      return;
    }
    if (pod.spec.nodeName === undefined) {
      const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: NODE } };
      await this.#speaker.ask({ method: 'POST', path: `${path}/binding`, body });
      return;
    }
    const [container = { name: '', image: '' }] = pod.spec.containers;
    const isReady = pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
    if (pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed' || isReady) return;
    const isOfJob = ownerReferences.some(({ kind }) => kind === 'Job');
    if (pod.status.phase === 'Running' && this.held.has(container.image)) return;
    const phase = isOfJob && !this.held.has(container.image) ? (container.image.startsWith('bad') ? 'Failed' : 'Succeeded') : 'Running';
    await this.#tell(pod, { path, phase, isReady: phase === 'Running' && !this.held.has(container.image) });
  }

  async #tell(
    pod: PlayedPod,
    { path, phase, isReady }: { readonly path: string; readonly phase: string; readonly isReady: boolean },
  ): Promise<void> {
    const time = new Date().toISOString();
    const [{ name, image } = { name: '', image: '' }] = pod.spec.containers;
    const exit = { exitCode: phase === 'Failed' ? 1 : 0, finishedAt: time, startedAt: time };
    const state = phase === 'Running' ? { running: { startedAt: time } } : { terminated: exit };
    const others = (pod.status.conditions ?? []).filter(({ type }) => type !== 'Ready');
    const conditions = [...others, { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: time }];
    const containerStatuses = [{ name, image, imageID: '', ready: isReady, restartCount: 0, state, lastState: {} }];
    this.#number += 1;
    const podIP =
      pod.status.phase === 'Running' ? {} : { podIP: `10.244.0.${this.#number % 250}`, podIPs: [{ ip: `10.244.0.${this.#number % 250}` }] };
    await this.#speaker.ask({
      method: 'PATCH',
      path: `${path}/status`,
      contentType: MERGE,
      body: { status: { phase, conditions, containerStatuses, ...podIP } },
    });
  }
}
