import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../api-server/connection.js';
import { CHILDREN, COLLECTIONS, nameOf, type WebsiteCluster } from './cluster.js';
import type { Observer } from './observer.js';
import { OperatorProcess, type Subject, within } from './operator-process.js';

export interface Size {
  readonly websites: number;
  readonly changesPerSecond: number;
  readonly changeSeconds: number;
  readonly deletedChildren: number;
  readonly pods: number;
}

export interface Figures {
  readonly idleMiB: number;
  readonly cold: {
    readonly seconds: number;
    readonly writes: number;
    readonly cpuSeconds: number;
    readonly rssMiB: number;
    readonly peakMiB: number;
  };
  readonly restart: { readonly writes: number; readonly cpuSeconds: number; readonly rssMiB: number };
  readonly changes: { readonly child: Latencies; readonly status: Latencies; readonly writes: number; readonly cpuSeconds: number };
  /** From the first deletion, and from the answer to the last one. */
  readonly drift: { readonly seconds: number; readonly afterLastSeconds: number; readonly writes: number };
  readonly pods: { readonly syncedSeconds: number; readonly rssMiB: number; readonly peakMiB: number };
  /** Of subjects that can tell it. */
  readonly held: HeldFigures | undefined;
}

export interface HeldFigures {
  readonly importMs: number;
  readonly bytesPerPod: number;
  /** Longest, while the caches were filled. */
  readonly blockedMs: number;
}

/** What a process says of itself. */
interface Held {
  readonly importMs: number;
  readonly heapBytes: number;
  readonly blockedMs: number;
}

export interface Latencies {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const DEADLINE_MS = 300_000;

/** All phases for one operator, on a cluster that nobody has used yet. */
export class Measurement {
  readonly #subject: Subject;
  readonly #cluster: WebsiteCluster;
  readonly #size: Size;
  readonly #profile: string | undefined;
  #running: OperatorProcess | undefined;

  constructor(subject: Subject, cluster: WebsiteCluster, size: Size, profile?: string) {
    this.#subject = subject;
    this.#cluster = cluster;
    this.#size = size;
    this.#profile = profile;
  }

  /** @param onPhase told what begins: it takes minutes */
  async run(observer: Observer, onPhase: (title: string) => void): Promise<Figures> {
    try {
      onPhase('idle');
      const idleMiB = await this.#idle();
      onPhase('cold');
      const cold = await this.#cold(observer);
      onPhase('restart');
      const restart = await this.#restart();
      onPhase('changes');
      const changes = await this.#changes(observer);
      onPhase('drift');
      const drift = await this.#drift(observer);
      onPhase('pods');
      const pods = await this.#pods();
      const held = this.#subject.tellsHeld === true ? await this.#held() : undefined;
      return { idleMiB, cold, restart, changes, drift, pods, held };
    } finally {
      this.#running?.kill();
    }
  }

  async #idle(): Promise<number> {
    const operator = await this.#start({ pods: false });
    await operator.synced();
    await operator.quiet();
    const { rssMiB } = operator.memory();
    await this.#stop();
    return rssMiB;
  }

  async #cold(observer: Observer): Promise<Figures['cold']> {
    const { websites } = this.#size;
    await this.#cluster.makeWebsites(websites);
    const before = await this.#cluster.writes();
    const operator = await this.#start({ pods: false, profile: this.#profile });
    const at = await within(observer.converged(websites), DEADLINE_MS, 'all Websites to converge');
    const cpuAt = operator.cpuSeconds();
    await operator.quiet();
    const figures = {
      seconds: (at - operator.startedAt) / 1000,
      writes: (await this.#cluster.writes()) - before,
      cpuSeconds: cpuAt,
      ...operator.memory(),
    };
    await this.#stop();
    return figures;
  }

  async #restart(): Promise<Figures['restart']> {
    const before = await this.#cluster.writes();
    const operator = await this.#start({ pods: false });
    await operator.synced();
    await operator.quiet();
    return {
      writes: (await this.#cluster.writes()) - before,
      cpuSeconds: operator.cpuSeconds(),
      rssMiB: operator.memory().rssMiB,
    };
  }

  async #changes(observer: Observer): Promise<Figures['changes']> {
    const operator = this.#operator();
    const { websites, changesPerSecond, changeSeconds } = this.#size;
    const before = await this.#cluster.writes();
    const cpuBefore = operator.cpuSeconds();
    const load = new ChangeLoad(this.#cluster, observer);
    const figures = await load.run({ websites, changesPerSecond, count: changesPerSecond * changeSeconds });
    await operator.quiet();
    return { ...figures, writes: (await this.#cluster.writes()) - before, cpuSeconds: operator.cpuSeconds() - cpuBefore };
  }

  async #drift(observer: Observer): Promise<Figures['drift']> {
    const { websites, deletedChildren } = this.#size;
    const targets = Array.from({ length: deletedChildren }, (_, index) => ({
      plural: CHILDREN[index % 3] ?? 'configmaps',
      index: index % websites,
    }));
    const old = targets.map(({ plural, index }) => observer.uidOf(plural, index));
    const isBack = (): boolean => targets.every(({ plural, index }, at) => ![undefined, old[at]].includes(observer.uidOf(plural, index)));
    const before = await this.#cluster.writes();
    const startedAt = performance.now();
    const back = within(observer.converged(websites, isBack), DEADLINE_MS, 'all children to be back');
    await this.#cluster.send(targets.map(({ plural, index }) => ({ method: 'DELETE', path: `${COLLECTIONS[plural]}/${nameOf(index)}` })));
    const deletedAt = performance.now();
    const at = await back;
    await this.#operator().quiet();
    const writes = (await this.#cluster.writes()) - before;
    await this.#stop();
    return { seconds: (at - startedAt) / 1000, afterLastSeconds: Math.max(0, at - deletedAt) / 1000, writes };
  }

  async #pods(): Promise<Figures['pods']> {
    await this.#cluster.makePods(this.#size.pods);
    const operator = await this.#start({ pods: true });
    await operator.synced();
    const syncedSeconds = (performance.now() - operator.startedAt) / 1000;
    await operator.quiet();
    const memory = operator.memory();
    await this.#stop();
    return { syncedSeconds, ...memory };
  }

  async #held(): Promise<HeldFigures> {
    const [without, withPods] = [await this.#ask(false), await this.#ask(true)];
    const bytesPerPod = (withPods.heapBytes - without.heapBytes) / this.#size.pods;
    return { importMs: Math.min(without.importMs, withPods.importMs), bytesPerPod, blockedMs: withPods.blockedMs };
  }

  async #ask(pods: boolean): Promise<Held> {
    const operator = await this.#start({ pods, held: true });
    const said = new Promise<Held>((resolve) => operator.onLine((line) => line.startsWith('{') && resolve(JSON.parse(line) as Held)));
    await operator.synced();
    const held = await within(said, DEADLINE_MS, 'the operator to say what it holds');
    await this.#stop();
    return held;
  }

  async #start(options: {
    readonly pods: boolean;
    readonly profile?: string | undefined;
    readonly held?: boolean | undefined;
  }): Promise<OperatorProcess> {
    this.#running = await OperatorProcess.start(this.#subject, this.#cluster.access, options);
    return this.#running;
  }

  #operator(): OperatorProcess {
    if (this.#running === undefined) throw new Error('no operator is running');
    return this.#running;
  }

  async #stop(): Promise<void> {
    await this.#operator().stop();
    // What the kernel gives back and what the next phase measures must not meet.
    await sleep(200);
    this.#running = undefined;
  }
}

/** Changes at a steady rate, each timed until a watcher sees what the operator made of it. */
class ChangeLoad {
  readonly #cluster: WebsiteCluster;
  readonly #observer: Observer;
  readonly #idle: Connection[] = [];
  /** By title, until a watcher has seen it. */
  readonly #child = { startedAt: new Map<string, number>(), latencies: [] as number[] };
  readonly #status = { startedAt: new Map<string, number>(), latencies: [] as number[] };

  constructor(cluster: WebsiteCluster, observer: Observer) {
    this.#cluster = cluster;
    this.#observer = observer;
  }

  async run({
    websites,
    changesPerSecond,
    count,
  }: {
    websites: number;
    changesPerSecond: number;
    count: number;
  }): Promise<{ child: Latencies; status: Latencies }> {
    const end = this.#observer.onEvent((plural, type, { metadata, data, spec, status }) => {
      if (type !== 'MODIFIED') return;
      if (plural === 'configmaps') this.#note(this.#child, data?.title);
      else if (plural === 'websites' && status?.observedGeneration === metadata.generation) this.#note(this.#status, spec?.title);
    });
    try {
      const startedAt = performance.now();
      const changes: Promise<void>[] = [];
      for (let n = 0; n < count; n += 1) {
        await sleep(Math.max(0, startedAt + (n * 1000) / changesPerSecond - performance.now()));
        changes.push(this.#change(n % websites, `${startedAt.toFixed(0)}-${n}`));
      }
      await Promise.all(changes);
      await within(
        this.#observer.converged(websites, () => this.#status.latencies.length >= count),
        DEADLINE_MS,
        'changes to be worked in',
      );
    } finally {
      end();
      for (const connection of this.#idle) connection.close();
    }
    return { child: latenciesOf(this.#child.latencies), status: latenciesOf(this.#status.latencies) };
  }

  async #change(index: number, title: string): Promise<void> {
    const connection = this.#idle.pop() ?? (await Connection.open(this.#cluster.endpoint));
    for (const { startedAt } of [this.#child, this.#status]) startedAt.set(title, performance.now());
    const body = JSON.stringify({ spec: { title } });
    const path = `${COLLECTIONS.websites}/${nameOf(index)}`;
    const { status } = await connection.request('PATCH', path, { body, contentType: 'application/merge-patch+json' });
    if (status !== 200) throw new Error(`a change was answered with ${status}`);
    this.#idle.push(connection);
  }

  #note({ startedAt, latencies }: { startedAt: Map<string, number>; latencies: number[] }, title = ''): void {
    const at = startedAt.get(title);
    if (at === undefined) return;
    startedAt.delete(title);
    latencies.push(performance.now() - at);
  }
}

function latenciesOf(values: readonly number[]): Latencies {
  const sorted = values.toSorted((a, b) => a - b);
  const percentile = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}
