import { DefinitionError, type Problem } from '../errors.js';
import type { MetricModel } from '../model.js';
import { count, listOf, record, shown, text } from '../option-shape.js';
import type { Use } from './uses.js';

/** A value for each label. */
export type LabelValues<TLabel extends string> = { readonly [L in TLabel]: string };

/** A number that goes up and down. Label sets that no longer hold are removed: a series stays until then. */
export interface Gauge<in TLabel extends string> {
  set(labels: LabelValues<TLabel>, value: number): void;
  /** @param by may be negative. @defaultValue 1 */
  inc(labels: LabelValues<TLabel>, by?: number): void;
  remove(labels: LabelValues<TLabel>): void;
}

/** A number that only grows while the process lives. */
export interface Counter<in TLabel extends string> {
  /** @param by zero or more. @defaultValue 1 */
  inc(labels: LabelValues<TLabel>, by?: number): void;
  remove(labels: LabelValues<TLabel>): void;
}

/** How often values fall into which ranges. */
export interface Histogram<in TLabel extends string> {
  observe(labels: LabelValues<TLabel>, value: number): void;
  remove(labels: LabelValues<TLabel>): void;
}

export interface MetricOptions {
  /**
   * Label sets that the metric may have. A further one is not recorded: a warning names the metric once, and `keelson_metric_series_dropped_total` counts.
   * @defaultValue 1000
   */
  readonly maxSeries?: number | undefined;
}

export interface HistogramOptions extends MetricOptions {
  /**
   * Upper bounds of the ranges, ascending, in the unit of the metric; the range above the last one follows.
   * @defaultValue those of Prometheus: 0.005 to 10
   */
  readonly buckets?: readonly number[] | undefined;
}

/** Prometheus' data model; a colon is for recording rules. */
const METRIC_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const OWN_PREFIXES: readonly string[] = [
  'controller_runtime_',
  'keelson_',
  'leader_election_',
  'nodejs_',
  'process_',
  'rest_client_',
  'workqueue_',
];
const DEFAULT_MAX_SERIES = 1_000;
const MOST_SERIES = 100_000;

const SHAPE = record({ maxSeries: count, buckets: listOf(count) }, 'not an option of a metric');

/**
 * Declares a gauge of the operator's own, for `uses`. It appears on the metrics endpoint beside those of the runtime.
 *
 * @example
 * ```ts
 * const members = gauge('memcached_members', 'Members by state.', ['state']);
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   uses: { members },
 *   reconcile: async ({ members, done }) => {
 *     members.set({ state: 'ready' }, 3);
 *     return done();
 *   },
 * });
 * ```
 *
 * @param name as Prometheus takes it, with the unit last: `backup_size_bytes`
 * @param help one sentence for people
 * @param labels names of labels; none by default. Values of a label should be few: no names of objects
 * @throws DefinitionError for a name, label or option that Prometheus would refuse, and for a name of the runtime's own
 */
export function gauge<const TLabel extends string = never>(
  name: string,
  help: string,
  labels: readonly TLabel[] = [],
  options: MetricOptions = {},
): Use<Gauge<TLabel>> & MetricModel {
  return metricOf('gauge', { name, help, labels, ...options });
}

/**
 * Declares a counter of the operator's own, for `uses`.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   uses: { backups: counter('memcached_backups_total', 'Backups by result.', ['result']) },
 *   reconcile: async ({ backups, done }) => {
 *     backups.inc({ result: 'ok' });
 *     return done();
 *   },
 * });
 * ```
 *
 * @param name as Prometheus takes it; it ends with `_total`
 * @throws DefinitionError as {@link gauge} does
 */
export function counter<const TLabel extends string = never>(
  name: string,
  help: string,
  labels: readonly TLabel[] = [],
  options: MetricOptions = {},
): Use<Counter<TLabel>> & MetricModel {
  return metricOf('counter', { name, help, labels, ...options });
}

/**
 * Declares a histogram of the operator's own, for `uses`.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   uses: { took: histogram('memcached_backup_seconds', 'Duration of backups.', [], { buckets: [1, 10, 60] }) },
 *   reconcile: async ({ took, done }) => {
 *     took.observe({}, 4.2);
 *     return done();
 *   },
 * });
 * ```
 *
 * @param name as Prometheus takes it, with the unit last: `backup_seconds`
 * @throws DefinitionError as {@link gauge} does
 */
export function histogram<const TLabel extends string = never>(
  name: string,
  help: string,
  labels: readonly TLabel[] = [],
  options: HistogramOptions = {},
): Use<Histogram<TLabel>> & MetricModel {
  return metricOf('histogram', { name, help, labels, ...options });
}

interface Given extends HistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

function metricOf(type: MetricModel['type'], { name, help, labels, ...options }: Given): MetricModel {
  const problems = formProblems({ name, help, labels, ...options });
  if (problems.length === 0) problems.push(...metricProblems(type, { name, help, labels, ...options }));
  if (problems.length > 0)
    throw new DefinitionError(`${type} ${typeof name === 'string' ? name.slice(0, 80) : 'without a name'}`, problems);
  const { buckets, maxSeries = DEFAULT_MAX_SERIES } = options;
  return Object.freeze({
    sort: 'metric',
    type,
    name,
    help,
    labels: Object.freeze([...labels]),
    maxSeries,
    ...(buckets === undefined ? {} : { buckets: Object.freeze([...buckets]) }),
  });
}

function formProblems({ name, help, labels, ...options }: Given): Problem[] {
  return [...text(name ?? 0, 'name'), ...text(help ?? 0, 'help'), ...listOf(text)(labels, 'labels'), ...SHAPE(options, '')];
}

function metricProblems(type: MetricModel['type'], { name, help, labels, buckets, maxSeries = 1 }: Given): Problem[] {
  const problems: Problem[] = [];
  const own = OWN_PREFIXES.find((prefix) => name.startsWith(prefix));
  const suffix = /_(bucket|sum|count|info)$/.exec(name)?.[0];
  if (!METRIC_NAME.test(name))
    problems.push({ path: 'name', message: `${shown(name)} must be letters, digits and '_', and not begin with a digit` });
  if (own !== undefined) problems.push({ path: 'name', message: `'${own}...' is for metrics of the runtime's own; choose another name` });
  if (suffix !== undefined) problems.push({ path: 'name', message: `ends with '${suffix}', which Prometheus writes itself; leave it out` });
  if (type === 'counter' && !name.endsWith('_total'))
    problems.push({ path: 'name', message: `of a counter ends with '_total'; write '${name}_total'` });
  if (type !== 'counter' && name.endsWith('_total')) problems.push({ path: 'name', message: `ends with '_total', which is for counters` });
  if (help.trim() === '' || help.includes('\n')) problems.push({ path: 'help', message: 'is not one line; write a sentence' });
  problems.push(...labelProblems(type, labels));
  if (!Number.isInteger(maxSeries) || maxSeries < 1 || maxSeries > MOST_SERIES)
    problems.push({ path: 'maxSeries', message: `is ${maxSeries}; write a whole number from 1 to ${MOST_SERIES}` });
  if (buckets !== undefined && type !== 'histogram') problems.push({ path: 'buckets', message: 'are for histograms; leave them out' });
  const ascending = (buckets ?? [0]).every(
    (bound, index, all) => Number.isFinite(bound) && (index === 0 || bound > (all[index - 1] as number)),
  );
  if (!ascending || buckets?.length === 0) problems.push({ path: 'buckets', message: 'are not numbers in ascending order, at least one' });
  return problems;
}

function labelProblems(type: MetricModel['type'], labels: readonly string[]): Problem[] {
  return labels.flatMap((label, index): Problem[] => {
    const path = `labels[${index}]`;
    if (!METRIC_NAME.test(label) || label.startsWith('__'))
      return [{ path, message: `${shown(label)} must be letters, digits and '_', and not begin with a digit or '__'` }];
    if (label === 'le' && type === 'histogram') return [{ path, message: "'le' is the label of a histogram's ranges; choose another" }];
    return labels.indexOf(label) === index ? [] : [{ path, message: `'${label}' is named twice` }];
  });
}
