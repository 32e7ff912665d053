import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries } from '../../scripts/cluster/binaries.js';
import { shown, table } from '../statistics.js';
import { WebsiteCluster } from './cluster.js';
import { Observer } from './observer.js';
import type { Subject } from './operator-process.js';
import { type Figures, Measurement, type Size } from './phases.js';
import { bundledKeelson, controllerRuntimeSubjects, keelsonSubject } from './subjects.js';

const FULL: Size = { websites: 1000, changesPerSecond: 20, changeSeconds: 60, deletedChildren: 500, pods: 10_000 };
/** Tells in a minute or two whether it works, and roughly how it does. */
const QUICK: Size = { websites: 100, changesPerSecond: 20, changeSeconds: 5, deletedChildren: 50, pods: 1000 };

/** The same operator written with keelson and with controller-runtime, one after the other, each with an API server of its own that is new. */
export async function* benchWebsite({
  isQuick = false,
  profile,
}: {
  isQuick?: boolean;
  profile?: string | undefined;
} = {}): AsyncGenerator<string> {
  const search = findBinaries();
  if (!search.found) {
    yield `Without kube-apiserver nothing is measured: ${search.reason}.`;
    return;
  }
  const others = profile === undefined ? controllerRuntimeSubjects([10, 1]) : [];
  if (typeof others === 'string') yield `Without controller-runtime: ${others}.`;
  const folder = mkdtempSync(join(tmpdir(), 'keelson-bench-'));
  const bundle = await bundledKeelson(folder);
  const subjects = [keelsonSubject(10, { bundle }), ...(typeof others === 'string' ? [] : others)];
  const results: [Subject, Figures][] = [];
  const size = isQuick ? QUICK : FULL;
  try {
    for (const subject of subjects) {
      results.push([subject, await measure(subject, size, profile)]);
      // What has been measured is not lost with what fails after it.
      console.error(`${subject.title}: ${JSON.stringify(results.at(-1)?.[1])}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  yield rowsOf(results, size);
}

async function measure(subject: Subject, size: Size, profile: string | undefined): Promise<Figures> {
  const cluster = await WebsiteCluster.start();
  try {
    const observer = await Observer.open(cluster);
    try {
      return await new Measurement(subject, cluster, size, profile).run(observer, (phase) => console.error(`${subject.title}: ${phase}`));
    } finally {
      observer.close();
    }
  } finally {
    await cluster.stop();
  }
}

/** What architecture wants of ours; megabytes are decimal there, as memory limits are mostly read. */
interface Goal {
  readonly text: string;
  readonly isMet: (value: number, others: readonly number[]) => boolean;
}

type Pick = (figures: Figures) => number | undefined;

const atMost = (limit: number, text = `≤ ${limit}`): Goal => ({ text, isMet: (value) => value <= limit });
const megabytes = (limit: number): Goal => atMost((limit * 1e6) / 2 ** 20, `≤ ${((limit * 1e6) / 2 ** 20).toFixed(1)} (${limit} MB)`);
const exactly = (wanted: number): Goal => ({ text: wanted.toLocaleString('en'), isMet: (value) => value === wanted });
const SOONEST: Goal = { text: 'sooner than the others', isMet: (value, others) => others.every((other) => value < other) };

function rowsFor({ websites }: Size): readonly (readonly [title: string, pick: Pick, goal?: Goal])[] {
  return [
    ['import of `@keelson/runtime`, CPU ms', ({ held }) => held?.importMs, atMost(100)],
    ['idle: RSS, MiB', ({ idleMiB }) => idleMiB, megabytes(70)],
    ['cold: all converged after s', ({ cold }) => cold.seconds, SOONEST],
    ['cold: writes', ({ cold }) => cold.writes, exactly(4 * websites)],
    ['cold: CPU s', ({ cold }) => cold.cpuSeconds, atMost(5)],
    ['cold: RSS afterwards, MiB', ({ cold }) => cold.rssMiB, megabytes(70)],
    ['cold: peak RSS, MiB', ({ cold }) => cold.peakMiB],
    ['restart: writes', ({ restart }) => restart.writes, exactly(0)],
    ['restart: CPU s until at rest', ({ restart }) => restart.cpuSeconds],
    ['restart: RSS, MiB', ({ restart }) => restart.rssMiB],
    ['changes: child, p50 ms', ({ changes }) => changes.child.p50Ms, atMost(24)],
    ['changes: child, p99 ms', ({ changes }) => changes.child.p99Ms, atMost(55)],
    ['changes: status, p50 ms', ({ changes }) => changes.status.p50Ms],
    ['changes: status, p99 ms', ({ changes }) => changes.status.p99Ms],
    ['changes: writes', ({ changes }) => changes.writes],
    ['changes: CPU s', ({ changes }) => changes.cpuSeconds],
    ['deleted children: all back, s after the first deletion', ({ drift }) => drift.seconds],
    ['deleted children: all back, s after the last deletion', ({ drift }) => drift.afterLastSeconds, atMost(1.5)],
    ['deleted children: writes', ({ drift }) => drift.writes],
    ['Pods: caches filled after s', ({ pods }) => pods.syncedSeconds],
    ['Pods: RSS, MiB', ({ pods }) => pods.rssMiB, megabytes(130)],
    ['Pods: peak RSS, MiB', ({ pods }) => pods.peakMiB],
    ['Pods: peak RSS to RSS', ({ pods }) => pods.peakMiB / pods.rssMiB, atMost(1.5)],
    ['Pods: heap for each, KB', ({ held }) => held && held.bytesPerPod / 1000, atMost(2.5)],
    ['Pods: event loop blocked, ms at most', ({ held }) => held?.blockedMs, atMost(50)],
  ];
}

function rowsOf(results: readonly [Subject, Figures][], size: Size): string {
  return table(
    ['', ...results.map(([{ title }]) => title), 'goal', ''],
    rowsFor(size).map(([title, pick, goal]) => {
      const values = results.map(([, figures]) => pick(figures));
      const [ours, ...others] = values;
      const isMet =
        ours !== undefined &&
        goal?.isMet(
          ours,
          others.filter((value) => value !== undefined),
        ) === true;
      return [title, ...values.map((value) => number(value, title)), goal?.text ?? '', goal === undefined ? '' : isMet ? 'met' : 'missed'];
    }),
  );
}

function number(value: number | undefined, title: string): string {
  if (value === undefined) return '';
  if (title.endsWith('writes')) return value.toLocaleString('en');
  return / s\b|to RSS|each, KB/.test(title) ? value.toFixed(2) : shown(value);
}
