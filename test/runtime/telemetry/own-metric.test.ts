import { counter, type Gauge, gauge, histogram } from 'keelson';
import type { MetricModel } from '../../../src/keelson/definition/index.js';
import { Metrics } from '../../../src/runtime/telemetry/index.js';
import { MemoryLog } from '../harness/running-controller.js';

async function made<T>(
  model: MetricModel,
): Promise<{ readonly metric: T; readonly log: MemoryLog; readonly series: () => Promise<string[]> }> {
  const metrics = await Metrics.create({ processMetrics: false });
  const log = new MemoryLog();
  const metric = metrics.own(model, log) as T;
  const series = async (): Promise<string[]> => {
    const { body } = await metrics.text();
    const lines = body.split('\n');
    return lines.filter((line) => line.startsWith(model.name) || line.startsWith('keelson_metric_series_dropped_total{')).toSorted();
  };
  return { metric, log, series };
}

test('a gauge is set, moved and removed by its labels', async () => {
  const { metric, series } = await made<Gauge<'state' | 'zone'>>(gauge('members', 'Members.', ['state', 'zone']));
  metric.set({ state: 'ready', zone: 'a' }, 3);
  metric.inc({ zone: 'a', state: 'ready' }, -1);
  metric.set({ state: 'gone', zone: 'a' }, 1);
  metric.remove({ zone: 'a', state: 'gone' });
  expect(await series()).toEqual(['keelson_metric_series_dropped_total{metric="members"} 0', 'members{state="ready",zone="a"} 2']);
});

test('a metric without labels is there from the beginning', async () => {
  const { series } = await made(counter('runs_total', 'Runs.'));
  expect(await series()).toContain('runs_total 0');
});

test('a histogram counts in its ranges', async () => {
  const { metric, series } = await made<{ observe(labels: object, value: number): void }>(
    histogram('took_seconds', 'Duration.', [], { buckets: [1, 2] }),
  );
  metric.observe({}, 1.5);
  expect(await series()).toEqual(
    expect.arrayContaining(['took_seconds_bucket{le="1"} 0', 'took_seconds_bucket{le="2"} 1', 'took_seconds_sum 1.5']),
  );
});

test('label sets over the bound are not recorded: logged once, counted each time, and a removed one makes room', async () => {
  const { metric, log, series } = await made<Gauge<'name'>>(gauge('sites', 'Sites.', ['name'], { maxSeries: 2 }));
  for (const name of ['a', 'b', 'c', 'd']) metric.set({ name }, 1);
  metric.set({ name: 'a' }, 5);
  expect(await series()).toEqual(['keelson_metric_series_dropped_total{metric="sites"} 2', 'sites{name="a"} 5', 'sites{name="b"} 1']);
  expect(log.texts).toEqual([
    'warn metric sites: has 2 label sets already; further ones are not recorded. Give its labels few values, or remove sets that are over',
  ]);
  metric.remove({ name: 'a' });
  metric.set({ name: 'c' }, 1);
  expect(await series()).toContain('sites{name="c"} 1');
});

test('other labels and values that are not usable break nothing, and are logged once', async () => {
  const { metric, log, series } = await made<{ inc(labels: unknown, by?: unknown): void }>(counter('runs_total', 'Runs.', ['result']));
  for (const labels of [{}, { reslt: 'a' }, { result: 'a', more: 'b' }, undefined, 'a']) metric.inc(labels);
  for (const by of [-1, Number.NaN, 'a', Number.POSITIVE_INFINITY]) metric.inc({ result: 'a' }, by);
  metric.inc({ result: 'a' });
  expect(await series()).toEqual(['keelson_metric_series_dropped_total{metric="runs_total"} 0', 'runs_total{result="a"} 1']);
  expect(log.texts).toEqual([
    'warn metric runs_total: its labels are result; what has others is not recorded',
    'warn metric runs_total: a value that is not usable is not recorded',
  ]);
  expect(log.lines.map(({ fields }) => fields)).toEqual([
    expect.objectContaining({ labels: {} }),
    expect.objectContaining({ labels: { result: 'a' }, value: -1 }),
  ]);
});
