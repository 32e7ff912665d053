import { setTimeout as sleep } from 'node:timers/promises';
import { Relay } from '../../test/cluster/harness/index.js';
import { shown, table } from '../statistics.js';
import { CHILDREN, COLLECTIONS, nameOf, WebsiteCluster } from './cluster.js';
import { Observer } from './observer.js';
import { OperatorProcess, within } from './operator-process.js';
import { keelsonSubject } from './subjects.js';

const WEBSITES = 200;
const CUT_EVERY_SECONDS = 20;
const REPORT_SECONDS = 2;
/** Code gets warm and caches fill: not counted. */
const WARM_UP_SHARE = 0.2;
/** Twice what the cache shares at most: both of its generations are full. */
const UNLIKE_PARTS = 40_000;
/** Growth from the first to the last fifth of what is counted. */
const MOST_GROWTH = 1.1;
/** Of the heap, for each thing that the churn does: what is left behind by a reconcile is more, and shows within minutes. */
const MOST_BYTES_PER_CHANGE = 500;
const CHANGES_PER_SECOND = 18;
/** Of sockets and timers, of which there are few: those of the requests that a report happens to meet. */
const MOST_COUNTS = 10;

interface Report {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly resources: Readonly<Record<string, number>>;
}

interface Figure {
  readonly title: string;
  readonly pick: (report: Report) => number;
  /** What it may be at the end, when it was `first` before so many changes. */
  readonly most: (first: number, changes: number) => number;
}

const inShare = (first: number): number => first * MOST_GROWTH;
const fewMore = (first: number): number => first * MOST_GROWTH + MOST_COUNTS;

const FIGURES: readonly Figure[] = [
  {
    title: 'heap after collecting, MiB',
    pick: ({ heapUsed, external }) => (heapUsed + external) / 2 ** 20,
    most: (first, changes) => Math.min(inShare(first), first + (MOST_BYTES_PER_CHANGE * changes) / 2 ** 20),
  },
  { title: 'RSS, MiB', pick: ({ rss }) => rss / 2 ** 20, most: inShare },
  { title: 'sockets', pick: ({ resources }) => resources['TCPSocketWrap'] ?? 0, most: fewMore },
  { title: 'timers', pick: ({ resources }) => resources['Timeout'] ?? 0, most: fewMore },
];

/**
 * An operator under churn, and what it holds on to.
 *
 * Every second Websites change, go and come anew, children are deleted; every 20 s all connections are cut. At the end all must have converged, and neither
 * memory nor sockets nor timers may have grown.
 *
 * @throws Error when something has
 */
export async function* soakWebsite(minutes: number): AsyncGenerator<string> {
  const cluster = await WebsiteCluster.start();
  const observer = await Observer.open(cluster);
  const relay = await Relay.open(new URL(cluster.endpoint.url));
  await cluster.makeWebsites(WEBSITES);
  const subject = keelsonSubject(10, { nodeOptions: ['--expose-gc'], parameters: [`--report=${REPORT_SECONDS}`] });
  const operator = await OperatorProcess.start(subject, { ...cluster.access, port: String(relay.port) }, { pods: false });
  try {
    const reports: Report[] = [];
    operator.onLine((line) => line.startsWith('{') && reports.push(JSON.parse(line) as Report));
    await operator.synced();
    await within(observer.converged(WEBSITES), 120_000, 'all Websites to converge');
    await cluster.makeUnlike(UNLIKE_PARTS);
    const collector = collectGarbage(cluster, observer);
    await churn(cluster, { seconds: minutes * 60, cut: () => relay.cut() });
    await within(
      observer.converged(WEBSITES, () => observer.orphans().length === 0),
      120_000,
      'all Websites to converge after the churn',
    );
    await collector();
    const rows = rowsOf(reports, minutes * 60 * CHANGES_PER_SECOND);
    yield table(
      ['', 'at the beginning', 'at the end', 'limit', ''],
      rows.map(({ title, first, last, limit, hasGrown }) => [title, shown(first), shown(last), shown(limit), hasGrown ? 'grows' : 'flat']),
    );
    const grown = rows.filter(({ hasGrown }) => hasGrown).map(({ title }) => title);
    if (grown.length > 0) throw new Error(`it grows: ${grown.join(', ')}`);
    // A timer or a socket that is left behind keeps it from ending.
    await operator.stop();
  } finally {
    operator.kill();
    relay.close();
    observer.close();
    await cluster.stop();
  }
}

/** Each second: 10 changes, 2 Websites that go and come anew, 6 deleted children. */
async function churn(cluster: WebsiteCluster, { seconds, cut }: { readonly seconds: number; readonly cut: () => void }): Promise<void> {
  const startedAt = performance.now();
  for (let second = 0; second < seconds; second += 1) {
    await sleep(Math.max(0, startedAt + second * 1000 - performance.now()));
    if (second % CUT_EVERY_SECONDS === CUT_EVERY_SECONDS - 1) cut();
    const at = (n: number): number => (second * CHANGES_PER_SECOND + n) % WEBSITES;
    await cluster.send(
      range(10).map((n) => changeOf(at(n), `${second}-${n}`)),
      2,
    );
    for (const index of [at(10), at(11)]) await cluster.renew(index);
    await cluster.send(
      range(6).map((n) => ({
        method: 'DELETE',
        path: `${COLLECTIONS[CHILDREN[n % 3] ?? 'services']}/${nameOf(at(12 + n))}`,
        mayBeGone: true,
      })),
      2,
    );
  }
}

/** What kube-controller-manager does, and nothing else of it: no Pods. Ends with the function that it returns. */
function collectGarbage(cluster: WebsiteCluster, observer: Observer): () => Promise<void> {
  let isRunning = true;
  const loop = async (): Promise<void> => {
    while (isRunning) {
      await cluster.send(
        observer.orphans().map(({ plural, name }) => ({ method: 'DELETE', path: `${COLLECTIONS[plural]}/${name}`, mayBeGone: true })),
        1,
      );
      await sleep(300);
    }
  };
  const running = loop();
  // Whoever ends it hears of it.
  running.catch(() => undefined);
  return () => {
    isRunning = false;
    return running;
  };
}

function changeOf(index: number, title: string): Parameters<WebsiteCluster['send']>[0][number] {
  return {
    method: 'PATCH',
    path: `${COLLECTIONS.websites}/${nameOf(index)}`,
    body: { spec: { title } },
    contentType: 'application/merge-patch+json',
  };
}

interface Row {
  readonly title: string;
  readonly first: number;
  readonly last: number;
  readonly limit: number;
  readonly hasGrown: boolean;
}

/**
 * The lower quartile of the first and of the last fifth of what is counted: reports are taken amid the churn, and what is under way comes on top of what is
 * held.
 */
function rowsOf(all: readonly Report[], changesInAll: number): Row[] {
  const reports = all.slice(Math.floor(all.length * WARM_UP_SHARE));
  const share = Math.max(1, Math.floor(reports.length / 5));
  // By what was done, not by the time that a busy machine took for it.
  const changes = (changesInAll * (reports.length - share)) / all.length;
  return FIGURES.map(({ title, pick, most }) => {
    const first = quartileOf(reports.slice(0, share).map(pick));
    const last = quartileOf(reports.slice(-share).map(pick));
    const limit = most(first, changes);
    // What is not a number has not stood the test.
    return { title, first, last, limit, hasGrown: !(last <= limit) };
  });
}

function quartileOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
