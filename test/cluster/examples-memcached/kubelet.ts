import { Node, Pod } from 'keelson/kinds';
import { isConflict, isNotFound, type KubeApiServerCluster, type StoredOf, strategicPatch } from 'keelson/testing';

const NODE = 'node-1';
const PAUSE_MS = 50;

type StoredPod = StoredOf<typeof Pod>;

/** Plays the scheduler and the kubelets of a real control plane: Pods run and become ready, unless the test says otherwise, and go when they are deleted. */
export class Kubelet {
  readonly #cluster: KubeApiServerCluster;
  readonly #unready = new Set<string>();
  readonly #restarts = new Map<string, number>();
  #isOver = false;
  #end: Promise<void> = Promise.resolve();

  constructor(cluster: KubeApiServerCluster) {
    this.#cluster = cluster;
  }

  async start(): Promise<void> {
    await this.#cluster.create(Node, { metadata: { name: NODE } });
    this.#end = this.#play();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#end;
  }

  setReady(pod: string, isReady: boolean): void {
    if (isReady) this.#unready.delete(pod);
    else this.#unready.add(pod);
  }

  /** The container ends, and is started again: it is not ready in between. */
  async crash(pod: string): Promise<void> {
    this.#restarts.set(pod, (this.#restarts.get(pod) ?? 0) + 1);
    this.setReady(pod, false);
    await this.#cluster.until(Pod, pod, ({ status }) => status?.containerStatuses?.[0]?.ready === false);
    this.setReady(pod, true);
  }

  async #play(): Promise<void> {
    while (!this.#isOver) {
      const time = new Date().toISOString();
      const conditions = [
        { type: 'Ready', status: 'True', reason: 'KubeletReady', message: '', lastHeartbeatTime: time, lastTransitionTime: time },
      ] as const;
      await this.#cluster.patchStatus(Node, NODE, { conditions: [...conditions] });
      for (const pod of await this.#cluster.list(Pod, { namespace: this.#cluster.namespace })) {
        await this.#move(pod).catch((error: unknown) => {
          // It has gone or changed meanwhile: the next look shows it.
          if (!isNotFound(error) && !isConflict(error)) throw error;
        });
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async #move(pod: StoredPod): Promise<void> {
    const { name, namespace = '', deletionTimestamp } = pod.metadata;
    const key = { name, namespace };
    if (deletionTimestamp !== undefined) {
      await this.#cluster.delete(Pod, key, { gracePeriodSeconds: 0 });
    } else if (pod.spec?.nodeName === undefined) {
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: NODE } };
      await this.#cluster.client.subresource(Pod, 'binding').create(key, binding);
    } else {
      await this.#tell(pod, key);
    }
  }

  async #tell(pod: StoredPod, key: { readonly name: string; readonly namespace: string }): Promise<void> {
    const isReady = !this.#unready.has(key.name);
    const restartCount = this.#restarts.get(key.name) ?? 0;
    const told = pod.status?.containerStatuses?.[0];
    if (told?.ready === isReady && told.restartCount === restartCount) return;
    const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
    const status = isReady ? 'True' : 'False';
    const [container = { name: '', image: '' }] = pod.spec?.containers ?? [];
    const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status, lastTransitionTime: time }));
    const containerStatuses = [
      { name: container.name, image: container.image, imageID: '', ready: isReady, restartCount, state: { running: { startedAt: time } } },
    ];
    await this.#cluster.client
      .status(Pod)
      .patch(key, strategicPatch({ status: { phase: 'Running', conditions, containerStatuses } } as never));
  }
}
