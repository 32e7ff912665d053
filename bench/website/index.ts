import { findBinaries } from '../../scripts/cluster/binaries.js';
import { shown, table } from '../statistics.js';
import { WebsiteCluster } from './cluster.js';
import { Observer } from './observer.js';
import type { Subject } from './operator-process.js';
import { type Figures, Measurement, type Size } from './phases.js';
import { controllerRuntimeSubjects, keelsonSubject } from './subjects.js';

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
  const subjects = [keelsonSubject(10), ...(typeof others === 'string' ? [] : others)];
  const results: [Subject, Figures][] = [];
  for (const subject of subjects) results.push([subject, await measure(subject, isQuick ? QUICK : FULL, profile)]);
  yield rowsOf(results);
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

const ROWS: readonly (readonly [string, (figures: Figures) => number])[] = [
  ['idle: RSS, MiB', ({ idleMiB }) => idleMiB],
  ['cold: all converged after s', ({ cold }) => cold.seconds],
  ['cold: writes', ({ cold }) => cold.writes],
  ['cold: CPU s', ({ cold }) => cold.cpuSeconds],
  ['cold: RSS afterwards, MiB', ({ cold }) => cold.rssMiB],
  ['cold: peak RSS, MiB', ({ cold }) => cold.peakMiB],
  ['restart: writes', ({ restart }) => restart.writes],
  ['restart: CPU s until at rest', ({ restart }) => restart.cpuSeconds],
  ['restart: RSS, MiB', ({ restart }) => restart.rssMiB],
  ['changes: child, p50 ms', ({ changes }) => changes.child.p50Ms],
  ['changes: child, p99 ms', ({ changes }) => changes.child.p99Ms],
  ['changes: status, p50 ms', ({ changes }) => changes.status.p50Ms],
  ['changes: status, p99 ms', ({ changes }) => changes.status.p99Ms],
  ['changes: writes', ({ changes }) => changes.writes],
  ['changes: CPU s', ({ changes }) => changes.cpuSeconds],
  ['deleted children: all back, s after the first deletion', ({ drift }) => drift.seconds],
  ['deleted children: all back, s after the last deletion', ({ drift }) => drift.afterLastSeconds],
  ['deleted children: writes', ({ drift }) => drift.writes],
  ['Pods: caches filled after s', ({ pods }) => pods.syncedSeconds],
  ['Pods: RSS, MiB', ({ pods }) => pods.rssMiB],
  ['Pods: peak RSS, MiB', ({ pods }) => pods.peakMiB],
];

function rowsOf(results: readonly [Subject, Figures][]): string {
  return table(
    ['', ...results.map(([{ title }]) => title)],
    ROWS.map(([title, pick]) => [title, ...results.map(([, figures]) => number(pick(figures), title))]),
  );
}

function number(value: number, title: string): string {
  if (title.endsWith('writes')) return value.toLocaleString('en');
  return title.includes(' s') ? value.toFixed(2) : shown(value);
}
