import { shown, table } from '../statistics.js';
import { Connection, type Endpoint } from './connection.js';
import { applyLoad, type KnownVersions, type Load, type LoadFigures } from './load.js';
import { CONFIG_MAP, DEFINITION, SUBJECTS, type Subject } from './objects.js';
import type { BenchServer } from './servers.js';

/** How often each case is done; lists are heavier and done less often. */
export interface ThroughputSize {
  readonly count: number;
  readonly lists: number;
}

interface Case extends Load {
  readonly title: string;
}

/** One table: each case a row, each server its columns, and the first server's throughput as a multiple of the last's. */
export async function benchThroughput(servers: readonly BenchServer[], size: ThroughputSize): Promise<string> {
  for (const server of servers) await prepare(server);
  const rows: string[][] = [];
  const versions = new Map(servers.map((server): [BenchServer, KnownVersions] => [server, new Map()]));
  for (const one of [...warmUp(size), ...casesOf(size)]) {
    const figures: LoadFigures[] = [];
    for (const server of servers) figures.push(await applyLoad(server, one, versions.get(server)));
    if (one.title !== WARM_UP) rows.push(rowOf(one, figures));
  }
  const columns = servers.flatMap(({ title }) => [`${title}: 1/s`, 'p50 ms', 'p99 ms']);
  const ratios = servers.length > 1 ? servers.slice(0, -1).map(({ title }) => `${title} ÷ ${servers.at(-1)?.title}`) : [];
  return table(['request', 'connections', ...columns, ...ratios], rows);
}

function rowOf({ title, connections }: Case, figures: readonly LoadFigures[]): string[] {
  const cells = figures.flatMap(({ perSecond, p50Ms, p99Ms }) => [
    Math.round(perSecond).toLocaleString('en'),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
  ]);
  const last = figures.at(-1)?.perSecond ?? Number.NaN;
  return [title, `${connections}`, ...cells, ...figures.slice(0, -1).map(({ perSecond }) => shown(perSecond / last))];
}

/** Creates the definition and waits until its resource is served. */
export async function prepare(endpoint: Endpoint): Promise<void> {
  const connection = await Connection.open(endpoint);
  await connection.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: DEFINITION });
  const [{ collection = '' } = {}] = SUBJECTS.slice(-1);
  while ((await connection.request('GET', collection)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
  connection.close();
}

const WARM_UP = '';

/** Code that was never run before is slow: all of it is run before it is measured. */
function warmUp({ count }: ThroughputSize): Case[] {
  return SUBJECTS.flatMap((subject) =>
    verbsOf(subject, { bytes: 1000, names: 'warm', count: Math.ceil(count / 4) }).map((one) => ({
      ...one,
      title: WARM_UP,
      connections: 4,
    })),
  );
}

function casesOf({ count, lists }: ThroughputSize): Case[] {
  return [
    ...verbsOf(CONFIG_MAP, { bytes: 1000, names: 'one', count }).map((one) => ({ ...one, connections: 1 })),
    ...SUBJECTS.flatMap((subject) => verbsOf(subject, { bytes: 1000, names: 'many', count }).map((one) => ({ ...one, connections: 16 }))),
    ...verbsOf(CONFIG_MAP, { bytes: 10_000, names: 'large', count }).map((one) => ({ ...one, connections: 16 })),
    {
      title: 'list of 500 ConfigMaps of 1 and 10 KB',
      connections: 1,
      count: lists,
      requestOf: () => ({ method: 'GET', path: `${CONFIG_MAP.collection}?limit=500` }),
    },
  ];
}

function verbsOf(
  { title, collection, body, patch, apply }: Subject,
  { bytes, names, count }: { bytes: number; names: string; count: number },
): Omit<Case, 'connections'>[] {
  const nameOf = (n: number): string => `${names}-${n}`;
  const bodies = Array.from({ length: count }, (_, n) => body(nameOf(n), bytes));
  const named = (n: number): string => `${collection}/${nameOf(n)}`;
  const what = `${title}, ${bytes / 1000} KB`;
  const changed = (n: number, version: string): string =>
    (bodies[n] ?? '').replace('"labels":{', `"resourceVersion":"${version}","labels":{"changed":"v${n}",`);
  return [
    { title: `create ${what}`, count, requestOf: (n) => ({ method: 'POST', path: collection, body: bodies[n] ?? '' }) },
    { title: `get ${what}`, count, requestOf: (n) => ({ method: 'GET', path: named(n) }) },
    {
      title: `update ${what}`,
      count,
      requestOf: (n, versionOf) => ({ method: 'PUT', path: named(n), body: changed(n, versionOf(named(n))) }),
    },
    {
      title: `merge patch ${what}`,
      count,
      requestOf: (n) => ({ method: 'PATCH', path: named(n), body: patch(n), contentType: 'application/merge-patch+json' }),
    },
    {
      title: `apply ${what}`,
      count,
      requestOf: (n) => ({
        method: 'PATCH',
        path: `${named(n)}?fieldManager=bench&force=true`,
        body: apply(nameOf(n), n),
        contentType: 'application/apply-patch+yaml',
      }),
    },
  ];
}
