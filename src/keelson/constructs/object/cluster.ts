import { type ApiObject, App, Chart, YamlOutputType } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { ConstructError } from './construct-error.js';

/** Marks of constructs. Two copies of the package (ESM and CommonJS) share them, as they would not share a variable of a module. */
const NAME = Symbol.for('keelson.Cluster/1');
const JOINED = Symbol.for('keelson.JoinedCharts/1');

interface Marked extends IConstruct {
  readonly [NAME]?: string;
  readonly [JOINED]?: [Chart, Chart][];
}

/**
 * Says which cluster a chart is applied to.
 *
 * keelson refuses two objects with the same kind, namespace and name within a chart, because the second would overwrite the first. A chart is a file,
 * and two files may be applied to two clusters, so other charts are not compared with it. Give the charts of one cluster the same name, and they are
 * checked together. The name stands in no manifest; it is any text that is not empty. `Operator` takes it as `cluster`.
 *
 * @param scope a chart, or the app or a construct above charts: then it holds for all of them
 * @throws ConstructError if the name is empty, the scope is inside a chart, or it has another name
 *
 * @example
 * ```ts
 * const system = new Chart(app, 'production', { namespace: 'memcached-system' });
 * const samples = new Chart(app, 'production-samples', { namespace: 'default' });
 * for (const chart of [system, samples]) setCluster(chart, 'production');
 * ```
 */
export function setCluster(scope: IConstruct, name: string): void {
  if (typeof name !== 'string' || name === '')
    throw new ConstructError(scope, `the name of its cluster is ${JSON.stringify(name)}; it must be a text that is not empty`);
  if (!Chart.isChart(scope) && scope.node.scopes.some((outer) => Chart.isChart(outer)))
    throw new ConstructError(
      scope,
      `is inside a chart, and all of a chart is applied to one cluster; write setCluster(Chart.of(…), '${name}')`,
    );
  const given = (scope as Marked)[NAME];
  if (given !== undefined && given !== name)
    throw new ConstructError(scope, `is applied to the cluster '${given}' already, so it cannot be applied to '${name}'; use two charts`);
  Object.defineProperty(scope, NAME, { value: name, configurable: true });
}

/** Says that two charts are applied to one cluster, because one construct writes to both. */
export function joinCharts(one: Chart, other: Chart): void {
  const root = one.node.root as Marked;
  if (root[JOINED] === undefined) Object.defineProperty(root, JOINED, { value: [] });
  root[JOINED]?.push([one, other]);
}

export const clusterNameOf = (chart: Chart): string | undefined =>
  ([...chart.node.scopes].reverse() as Marked[]).find((scope) => scope[NAME] !== undefined)?.[NAME];

/** Returns a function that gives objects of one cluster the same text, and objects of two clusters different ones. */
export function clustersIn(root: IConstruct): (object: ApiObject) => string {
  const isOneFile = App.of(root).yamlOutputType === YamlOutputType.FILE_PER_APP;
  const own = (chart: Chart): string => {
    const name = clusterNameOf(chart);
    if (name !== undefined) return `cluster ${name}`;
    return isOneFile ? 'file' : `chart ${chart.node.path}`;
  };
  const same = new Map<string, string>();
  const found = (key: string): string => {
    const next = same.get(key);
    return next === undefined ? key : found(next);
  };
  for (const [one, other] of (root as Marked)[JOINED] ?? []) {
    const [from, to] = [found(own(one)), found(own(other))];
    if (from !== to) same.set(from, to);
  }
  return (object) => found(own(Chart.of(object)));
}
