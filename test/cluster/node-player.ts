import { type ApiClient, isConflict, isNotFound, mergePatch, type StoredOf } from '@keelson/testing';
import type { ContainerStatus } from 'keelson/kinds';
import { Node, Pod } from 'keelson/kinds';
import { eventually } from '../eventually.js';

export type StoredPod = StoredOf<typeof Pod>;

/** Runs what the containers of some Pods say, where others are merely played. */
export interface PodRuntime {
  /** Called again and again. @returns whether the Pod is ready; undefined: it is none of those that are run */
  run(pod: StoredPod): Promise<boolean | undefined>;
  /** Resolves when what the Pod ran has ended. */
  end(pod: StoredPod): Promise<void>;
}

type Containers = NonNullable<StoredPod['spec']>['containers'];
type PodStatus = NonNullable<StoredPod['status']>;

const NODE = 'node-1';
/** A node that is silent for 40 seconds is taken for lost. */
const HEARTBEAT_MS = 5_000;
const LOOK_MS = 100;

/**
 * Plays the scheduler and a kubelet for a real control plane, in all namespaces: Pods are bound, run and become ready; containers whose image changes are
 * started again; Pods that are deleted go, and those of Jobs end.
 */
export class NodePlayer {
  /** Images that are pulled for ever: Pods that begin with one run but are not ready, and running containers that are to have one go on with the former. */
  readonly held = new Set<string>();
  readonly #client: ApiClient;
  readonly #runtime: PodRuntime | undefined;
  readonly #unready = new Set<string>();
  readonly #crashes = new Map<string, number>();
  #number = 0;
  #lastBeatMs = Number.NEGATIVE_INFINITY;
  #isOver = false;
  #end: Promise<unknown> = Promise.resolve();

  /** @param client in the name of somebody to whom nothing is refused */
  constructor(client: ApiClient, runtime?: PodRuntime) {
    this.#client = client;
    this.#runtime = runtime;
  }

  async start(): Promise<void> {
    await this.#client.create(Node, { metadata: { name: NODE } });
    this.#end = this.#play();
    // It is told by `stop`; until then it is nobody's.
    this.#end.catch(() => undefined);
  }

  async #play(): Promise<void> {
    while (!this.#isOver) {
      await this.#beat();
      for (const pod of (await this.#client.listAll(Pod)).items) await this.#move(pod);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** @throws what kept it from playing */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#end;
  }

  /** Whether a Pod passes its readiness probe. All do, unless told otherwise. */
  setReady(pod: string, isReady: boolean): void {
    if (isReady) this.#unready.delete(pod);
    else this.#unready.add(pod);
  }

  /** The first container ends, and is started again: the Pod is not ready in between. */
  async crash(pod: { readonly name: string; readonly namespace: string }): Promise<void> {
    this.#crashes.set(pod.name, (this.#crashes.get(pod.name) ?? 0) + 1);
    this.setReady(pod.name, false);
    await eventually(async () => (await this.#client.get(Pod, pod)).status?.containerStatuses?.[0]?.ready === false);
    this.setReady(pod.name, true);
  }

  async #beat(): Promise<void> {
    if (performance.now() - this.#lastBeatMs < HEARTBEAT_MS) return;
    this.#lastBeatMs = performance.now();
    const time = new Date().toISOString();
    const conditions = [
      { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'played', lastHeartbeatTime: time, lastTransitionTime: time },
    ];
    await this.#client.status(Node).patch({ name: NODE }, mergePatch({ status: { conditions } }) as never);
  }

  async #move(pod: StoredPod): Promise<void> {
    try {
      await this.#moveOnce(pod);
    } catch (error) {
      // It has gone or changed meanwhile: the next look shows it.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  async #moveOnce(pod: StoredPod): Promise<void> {
    const { name, namespace = '', deletionTimestamp, ownerReferences = [] } = pod.metadata;
    const key = { name, namespace };
    if (deletionTimestamp !== undefined) {
      await this.#runtime?.end(pod);
      await this.#client.delete(Pod, key, { gracePeriodSeconds: 0 });
      return;
    }
    if (pod.spec?.nodeName === undefined) {
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: NODE } };
      await this.#client.subresource(Pod, 'binding').create(key, binding);
      return;
    }
    const { phase } = pod.status ?? {};
    if (phase === 'Succeeded' || phase === 'Failed') return;
    const isOfJob = ownerReferences.some(({ kind }) => kind === 'Job');
    const [image = ''] = pod.spec.containers.map((container) => container.image);
    const next = isOfJob && !this.held.has(image) ? this.#ended(pod, image) : await this.#running(pod);
    if (isSaid(pod.status, next)) return;
    await this.#client.status(Pod).patch(key, mergePatch({ status: next }) as never);
  }

  #ended({ spec }: StoredPod, image: string): Partial<PodStatus> {
    const time = now();
    const isBad = image.startsWith('bad');
    const containerStatuses = (spec?.containers ?? []).map((container): ContainerStatus => {
      const terminated = { exitCode: isBad ? 1 : 0, finishedAt: time, startedAt: time };
      return { ...blank(container), ready: false, restartCount: 0, state: { terminated } };
    });
    return { phase: isBad ? 'Failed' : 'Succeeded', containerStatuses };
  }

  async #running(pod: StoredPod): Promise<Partial<PodStatus>> {
    const { spec, status, metadata } = pod;
    const told = await this.#runtime?.run(pod);
    const isServing = told ?? !this.#unready.has(metadata.name);
    const crashes = this.#crashes.get(metadata.name) ?? 0;
    const statusesFor = (containers: Containers, before: readonly ContainerStatus[] = []): ContainerStatus[] =>
      containers.map((container, index) => {
        const known = before.find(({ name }) => name === container.name);
        return this.#statusOf(container, { known, isServing, restarts: index === 0 ? crashes : 0, uid: metadata.uid });
      });
    const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
    const initContainerStatuses = statusesFor(sidecars, status?.initContainerStatuses);
    const containerStatuses = statusesFor(spec?.containers ?? [], status?.containerStatuses);
    const isReady = [...initContainerStatuses, ...containerStatuses].every(({ ready }) => ready);
    return {
      phase: 'Running',
      conditions: withReadiness(status?.conditions ?? [], isReady),
      containerStatuses,
      ...(sidecars.length === 0 ? {} : { initContainerStatuses }),
      ...(status?.phase === 'Running' ? {} : this.#address()),
    };
  }

  #address(): Partial<PodStatus> {
    this.#number += 1;
    const ip = `10.244.${Math.floor(this.#number / 250) % 250}.${this.#number % 250}`;
    return { podIP: ip, podIPs: [{ ip }] };
  }

  #statusOf(container: Containers[number], { known, isServing, restarts, uid }: Played): ContainerStatus {
    const { name, image = '' } = container;
    const isHeld = this.held.has(image);
    if (known !== undefined && isHeld) return { ...known, ready: known.image !== image && isServing };
    const changes = Number(known?.containerID?.split('/').at(-1) ?? 0) + (known !== undefined && known.image !== image ? 1 : 0);
    const startedAt = known?.image === image ? (known.state?.running?.startedAt ?? now()) : now();
    return {
      ...blank(container),
      containerID: `played://${uid}/${name}/${changes}`,
      ready: isServing && !isHeld,
      restartCount: restarts + changes,
      state: { running: { startedAt } },
    };
  }
}

interface Played {
  readonly known: ContainerStatus | undefined;
  readonly isServing: boolean;
  readonly restarts: number;
  readonly uid: string;
}

function blank({ name, image = '' }: Containers[number]): Pick<ContainerStatus, 'image' | 'imageID' | 'name'> {
  return { name, image, imageID: '' };
}

function withReadiness(conditions: NonNullable<PodStatus['conditions']>, isReady: boolean): NonNullable<PodStatus['conditions']> {
  const status = isReady ? 'True' : 'False';
  const types = ['Ready', 'ContainersReady'];
  const told = types.map((type) => {
    const known = conditions.find((condition) => condition.type === type);
    return known?.status === status ? known : { type, status, lastTransitionTime: now() };
  });
  return [...conditions.filter(({ type }) => !types.includes(type)), ...(told as typeof conditions)];
}

function isSaid(status: StoredPod['status'], next: Partial<PodStatus>): boolean {
  const shown = ({ phase, conditions = [], containerStatuses = [], initContainerStatuses = [] }: Partial<PodStatus>): string =>
    JSON.stringify([
      phase,
      conditions.map(({ type, status: is }) => `${type} ${is}`).sort(),
      [...initContainerStatuses, ...containerStatuses].map(({ name, image, ready, restartCount }) => [name, image, ready, restartCount]),
    ]);
  return shown(status ?? {}) === shown(next);
}

const now = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
