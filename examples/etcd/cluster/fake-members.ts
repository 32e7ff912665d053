import type { Pod } from 'keelson/kinds';
import type { EtcdApi, EtcdTarget } from '../client/api.js';
import { FakeEtcd } from '../client/fake-etcd.js';
import { type FakeProcess, flagsOf } from '../client/fake-process.js';

interface Running {
  readonly process: FakeProcess;
  readonly pod: Pod;
}

/**
 * Members without etcd, for tests: the Pods that run are processes of a {@link FakeEtcd}. Before each call it looks which Pods there are, so that no test must wait
 * for it.
 */
export class FakeMembers {
  readonly fake: FakeEtcd = new FakeEtcd();
  /** The client for the operator. */
  readonly etcd: EtcdApi;
  readonly #running = new Map<string, Running>();
  #pods: () => Promise<readonly Pod[]> = async () => [];
  #looking: Promise<void> | undefined;

  constructor() {
    this.etcd = new Proxy<EtcdApi>(this.fake, {
      get:
        (fake, name: keyof EtcdApi) =>
        async (target: EtcdTarget, ...rest: readonly never[]) => {
          await this.#look();
          const call = fake[name] as (target: EtcdTarget, ...rest: readonly never[]) => Promise<unknown>;
          const answer = await call.call(fake, target, ...rest);
          return name === 'status' ? { ...(answer as object), version: this.#versionAt(target) } : answer;
        },
    });
  }

  /** @param pods lists the Pods of the namespace */
  follow(pods: () => Promise<readonly Pod[]>): void {
    this.#pods = pods;
  }

  /** How many members vote and have a process. */
  async voters(): Promise<number> {
    await this.#look();
    const endpoints = [...this.#running.values()].flatMap(({ pod }) => clientUrlsOf(pod));
    const statuses = await Promise.all(endpoints.map((endpoint) => this.fake.status({ endpoints: [endpoint] }).catch(() => undefined)));
    return statuses.filter((status) => status?.leader !== undefined && !status.isLearner).length;
  }

  /** One look for all calls that begin at once: an operator asks its members side by side. */
  #look(): Promise<void> {
    this.#looking ??= this.#looked().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #looked(): Promise<void> {
    const pods = (await this.#pods()).filter(({ metadata, status }) => metadata.labels?.['app'] === 'etcd' && status?.phase === 'Running');
    const there = new Set(pods.map(({ metadata }) => metadata.uid));
    for (const [uid, { process }] of this.#running) {
      if (there.has(uid)) continue;
      process.kill();
      this.#running.delete(uid);
    }
    for (const pod of pods) {
      const uid = pod.metadata.uid ?? '';
      const process = this.#running.get(uid)?.process ?? this.fake.start(argsOf(pod), { volume: volumeOf(pod) });
      this.#running.set(uid, { process, pod });
    }
  }

  #versionAt({ endpoints: [endpoint = ''] }: EtcdTarget): string {
    const running = [...this.#running.values()].find(({ pod }) => clientUrlsOf(pod).includes(endpoint));
    return /:v([^:]+)$/.exec(running?.pod.spec.containers[0]?.image ?? '')?.[1] ?? '';
  }
}

const argsOf = ({ spec }: Pod): readonly string[] => spec.containers[0]?.args ?? [];
const clientUrlsOf = (pod: Pod): readonly string[] => flagsOf(argsOf(pod)).clientUrls;

/** A claim outlives its Pod. */
function volumeOf({ metadata, spec }: Pod): string {
  return (
    spec.volumes?.find(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined)?.persistentVolumeClaim?.claimName ??
    metadata.uid ??
    ''
  );
}
