import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
/** Growth from the first to the last fifth of what is counted. Noise is below this; what grows with the churn is far above after minutes. */
const MOST_GROWTH = 1.15;
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
  readonly slack: number;
}

const FIGURES: readonly Figure[] = [
  { title: 'heap after collecting, MiB', pick: ({ heapUsed, external }) => (heapUsed + external) / 2 ** 20, slack: 0 },
  { title: 'RSS, MiB', pick: ({ rss }) => rss / 2 ** 20, slack: 0 },
  { title: 'sockets', pick: ({ resources }) => resources['TCPSocketWrap'] ?? 0, slack: MOST_COUNTS },
  { title: 'timers', pick: ({ resources }) => resources['Timeout'] ?? 0, slack: MOST_COUNTS },
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
  const folder = mkdtempSync(join(tmpdir(), 'keelson-soak-'));
  const observer = await Observer.open(cluster);
  const relay = await Relay.open(new URL(cluster.endpoint.url));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, readFileSync(cluster.kubeconfig, 'utf8').replaceAll(cluster.endpoint.url, `https://127.0.0.1:${relay.port}`));
  await cluster.makeWebsites(WEBSITES);
  const subject = keelsonSubject(10, { nodeOptions: ['--expose-gc'], parameters: [`--report=${REPORT_SECONDS}`] });
  const operator = await OperatorProcess.start(subject, kubeconfig, { pods: false });
  try {
    const reports: Report[] = [];
    operator.onLine((line) => line.startsWith('{') && reports.push(JSON.parse(line) as Report));
    await operator.synced();
    await within(observer.converged(WEBSITES), 120_000, 'all Websites to converge');
    const collector = collectGarbage(cluster, observer);
    await churn(cluster, { seconds: minutes * 60, cut: () => relay.cut() });
    await within(
      observer.converged(WEBSITES, () => observer.orphans().length === 0),
      120_000,
      'all Websites to converge after the churn',
    );
    await collector();
    await operator.stop();
    const rows = rowsOf(reports);
    yield table(
      ['', 'at the beginning', 'at the end', 'ratio'],
      rows.map(({ title, first, last, growth }) => [title, shown(first), shown(last), growth.toFixed(2)]),
    );
    const grown = rows.filter(({ hasGrown }) => hasGrown).map(({ title }) => title);
    if (grown.length > 0) throw new Error(`it grows: ${grown.join(', ')}`);
  } finally {
    operator.kill();
    relay.close();
    observer.close();
    rmSync(folder, { recursive: true, force: true });
    await cluster.stop();
  }
}

/** Each second: 10 changes, 2 Websites that go and come anew, 6 deleted children. */
async function churn(cluster: WebsiteCluster, { seconds, cut }: { readonly seconds: number; readonly cut: () => void }): Promise<void> {
  const startedAt = performance.now();
  for (let second = 0; second < seconds; second += 1) {
    await sleep(Math.max(0, startedAt + second * 1000 - performance.now()));
    if (second % CUT_EVERY_SECONDS === CUT_EVERY_SECONDS - 1) cut();
    const at = (n: number): number => (second * 18 + n) % WEBSITES;
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
  readonly growth: number;
  readonly hasGrown: boolean;
}

/** The median of the first and of the last fifth of what is counted: single reports are taken amid the churn. */
function rowsOf(all: readonly Report[]): Row[] {
  const reports = all.slice(Math.floor(all.length * WARM_UP_SHARE));
  const share = Math.max(1, Math.floor(reports.length / 5));
  return FIGURES.map(({ title, pick, slack }) => {
    const first = medianOf(reports.slice(0, share).map(pick));
    const last = medianOf(reports.slice(-share).map(pick));
    return { title, first, last, growth: last / first, hasGrown: !(last <= first * MOST_GROWTH + slack) };
  });
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
