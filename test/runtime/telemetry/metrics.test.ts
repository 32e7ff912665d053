import { Counter } from 'prom-client';
import { Deployment, Pod } from '../../../src/kubernetes/kinds/index.js';
import { WorkQueue } from '../../../src/runtime/queue/index.js';
import { Metrics } from '../../../src/runtime/telemetry/index.js';
import { FakeClock } from '../clock/fake-clock.js';

const NAMES = {
  controller_runtime_reconcile_total: ['counter', 'controller', 'result'],
  controller_runtime_reconcile_errors_total: ['counter', 'controller'],
  controller_runtime_terminal_reconcile_errors_total: ['counter', 'controller'],
  controller_runtime_reconcile_panics_total: ['counter', 'controller'],
  controller_runtime_reconcile_timeouts_total: ['counter', 'controller'],
  controller_runtime_reconcile_time_seconds: ['histogram', 'controller'],
  controller_runtime_max_concurrent_reconciles: ['gauge', 'controller'],
  controller_runtime_active_workers: ['gauge', 'controller'],
  workqueue_depth: ['gauge', 'name', 'controller', 'priority'],
  workqueue_adds_total: ['counter', 'name', 'controller'],
  workqueue_retries_total: ['counter', 'name', 'controller'],
  workqueue_queue_duration_seconds: ['histogram', 'name', 'controller'],
  workqueue_work_duration_seconds: ['histogram', 'name', 'controller'],
  workqueue_unfinished_work_seconds: ['gauge', 'name', 'controller'],
  workqueue_longest_running_processor_seconds: ['gauge', 'name', 'controller'],
  controller_runtime_webhook_latency_seconds: ['histogram', 'webhook'],
  controller_runtime_webhook_requests_total: ['counter', 'webhook', 'code'],
  controller_runtime_webhook_requests_in_flight: ['gauge', 'webhook'],
  controller_runtime_webhook_panics_total: ['counter'],
  controller_runtime_conversion_webhook_panics_total: ['counter'],
  certwatcher_read_certificate_total: ['counter'],
  certwatcher_read_certificate_errors_total: ['counter'],
  leader_election_master_status: ['gauge', 'name'],
  leader_election_slowpath_total: ['counter', 'name'],
  rest_client_requests_total: ['counter', 'code', 'method', 'host'],
} as const;

const OWN_NAMES = {
  keelson_object_ready_seconds: ['histogram', 'controller'],
  keelson_paused_objects: ['gauge', 'controller'],
  keelson_reconciles_unreturned: ['gauge', 'controller'],
  keelson_deletion_longest_seconds: ['gauge', 'controller'],
  keelson_controller_ready: ['gauge', 'controller'],
  keelson_objects_not_ready: ['gauge', 'controller'],
  keelson_not_ready_longest_seconds: ['gauge', 'controller'],
  keelson_former_names_left: ['gauge', 'controller'],
  keelson_stray_finalizers: ['gauge', 'kind'],
  keelson_stray_children: ['gauge', 'kind'],
  keelson_takeovers_total: ['counter', 'controller', 'what'],
  keelson_metric_series_dropped_total: ['counter', 'metric'],
  keelson_certificate_expiry_timestamp_seconds: ['gauge', 'use'],
  keelson_cache_objects: ['gauge', 'kind'],
  keelson_cache_lists_total: ['counter', 'kind'],
  keelson_cache_watches_total: ['counter', 'kind'],
  keelson_cache_failures_total: ['counter', 'kind', 'reason'],
  keelson_cache_changes_total: ['counter', 'kind', 'type'],
  keelson_cache_invalid_objects_total: ['counter', 'kind'],
  keelson_external_calls_total: ['counter', 'external', 'method', 'result'],
  keelson_external_call_duration_seconds: ['histogram', 'external', 'method', 'result'],
  keelson_poll_reads_total: ['counter', 'controller', 'source', 'result'],
  keelson_subscription_failures_total: ['counter', 'controller', 'source'],
  keelson_background_active: ['gauge', 'controller', 'name'],
  keelson_background_ended_total: ['counter', 'controller', 'name', 'phase'],
  keelson_task_runs_total: ['counter', 'task', 'result'],
  keelson_task_duration_seconds: ['histogram', 'task'],
  keelson_stored_objects_rewritten_total: ['counter', 'crd', 'result'],
  keelson_crd_missing_fields: ['gauge', 'crd'],
  keelson_events_total: ['counter', 'result'],
} as const;

const PRIVATE = { processMetrics: false };

async function samples(metrics: Metrics): Promise<Map<string, number>> {
  const { body } = await metrics.text();
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

async function expectMetric(name: string, [type, ...labels]: readonly string[]): Promise<void> {
  const metrics = await Metrics.create(PRIVATE);
  const metric = metrics.registry.getSingleMetric(name) as unknown as { labelNames: string[]; constructor: { name: string } } | undefined;
  expect(metric?.constructor.name.toLowerCase()).toBe(type);
  expect(metric?.labelNames).toEqual(labels);
}

test.each(Object.entries(NAMES))("%s is controller-runtime's, with its labels", expectMetric);
test.each(Object.entries(OWN_NAMES))('%s keeps its name and labels: dashboards and alerts are made of them', expectMetric);

test('there are no others of the runtime', async () => {
  const metrics = await Metrics.create(PRIVATE);
  const names = metrics.registry.getMetricsAsArray().map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('keelson_')).toSorted()).toEqual(Object.keys(OWN_NAMES).toSorted());
});

test('former names that are left, and names without a controller, are counted when metrics are read', async () => {
  const metrics = await Metrics.create(PRIVATE);
  metrics.watchNames({
    formerLeft: () =>
      new Map([
        ['website', 3],
        ['other', undefined],
      ]),
    strays: (what) => new Map([['Website', what === 'finalizer' ? 2 : 1]]),
  });
  metrics.reconcileObserver('website', 1).tookOver('website', 'finalizer');
  const found = await samples(metrics);
  expect([
    found.get('keelson_former_names_left{controller="website"}'),
    found.get('keelson_former_names_left{controller="other"}'),
    found.get('keelson_stray_finalizers{kind="Website"}'),
    found.get('keelson_stray_children{kind="Website"}'),
    found.get('keelson_takeovers_total{controller="website",what="finalizer"}'),
  ]).toEqual([3, undefined, 2, 1, 1]);
});

test('what is known beforehand begins with 0: a first error is an increase', async () => {
  const metrics = await Metrics.create(PRIVATE);
  metrics.reconcileObserver('website', 10);
  metrics.queueObserver('website');
  metrics.leaderObserver('lease');
  metrics.webhookObserver(['/validate']);
  metrics.cacheObserver([Deployment]);
  metrics.eventObserver();
  const all = await samples(metrics);
  for (const result of ['success', 'error', 'requeue', 'requeue_after'])
    expect(all.get(`controller_runtime_reconcile_total{controller="website",result="${result}"}`)).toBe(0);
  for (const series of [
    'controller_runtime_reconcile_errors_total{controller="website"}',
    'controller_runtime_terminal_reconcile_errors_total{controller="website"}',
    'controller_runtime_reconcile_panics_total{controller="website"}',
    'controller_runtime_reconcile_timeouts_total{controller="website"}',
    'controller_runtime_reconcile_time_seconds_count{controller="website"}',
    'controller_runtime_active_workers{controller="website"}',
    'keelson_reconciles_unreturned{controller="website"}',
    'keelson_paused_objects{controller="website"}',
    'keelson_object_ready_seconds_count{controller="website"}',
    'workqueue_adds_total{name="website",controller="website"}',
    'workqueue_retries_total{name="website",controller="website"}',
    'workqueue_work_duration_seconds_count{name="website",controller="website"}',
    'controller_runtime_webhook_requests_total{webhook="/validate",code="200"}',
    'controller_runtime_webhook_requests_total{webhook="/validate",code="500"}',
    'controller_runtime_webhook_panics_total',
    'leader_election_master_status{name="lease"}',
    'leader_election_slowpath_total{name="lease"}',
    'keelson_cache_objects{kind="deployments.apps"}',
    'keelson_events_total{result="dropped"}',
  ])
    expect([series, all.get(series)]).toEqual([series, 0]);
  expect(all.get('controller_runtime_max_concurrent_reconciles{controller="website"}')).toBe(10);
});

test('reconciles are counted by their end; a terminal error is an error, too', async () => {
  const metrics = await Metrics.create(PRIVATE);
  const observer = metrics.reconcileObserver('website', 2);
  for (const end of ['success', 'error', 'requeue', 'requeue_after', 'terminal'] as const) {
    observer.started('website');
    observer.finished('website', end, 0.3);
  }
  observer.started('website');
  observer.timedOut('website');
  observer.panicked('website');
  const all = await samples(metrics);
  const results = ['success', 'error', 'requeue', 'requeue_after'].map((result) =>
    all.get(`controller_runtime_reconcile_total{controller="website",result="${result}"}`),
  );
  expect(results).toEqual([1, 2, 1, 1]);
  expect(all.get('controller_runtime_reconcile_errors_total{controller="website"}')).toBe(2);
  expect(all.get('controller_runtime_terminal_reconcile_errors_total{controller="website"}')).toBe(1);
  expect(all.get('controller_runtime_active_workers{controller="website"}')).toBe(1);
  expect(all.get('controller_runtime_reconcile_panics_total{controller="website"}')).toBe(1);
  expect(all.get('controller_runtime_reconcile_timeouts_total{controller="website"}')).toBe(1);
  expect(all.get('controller_runtime_reconcile_time_seconds_bucket{le="0.3",controller="website"}')).toBe(5);
  expect(all.get('controller_runtime_reconcile_time_seconds_bucket{le="0.25",controller="website"}')).toBe(0);
});

test('the number of paused objects is shown', async () => {
  const metrics = await Metrics.create(PRIVATE);
  metrics.reconcileObserver('website', 2).paused('website', 3);
  expect((await samples(metrics)).get('keelson_paused_objects{controller="website"}')).toBe(3);
});

test('reconciles that were given up are shown until their functions have returned', async () => {
  const metrics = await Metrics.create(PRIVATE);
  const observer = metrics.reconcileObserver('website', 2);
  const shown = async (): Promise<number | undefined> =>
    (await samples(metrics)).get('keelson_reconciles_unreturned{controller="website"}');
  observer.left('website');
  observer.left('website');
  observer.returned('website');
  expect(await shown()).toBe(1);
  observer.returned('website');
  expect(await shown()).toBe(0);
});

test('the deletion that waits longest is shown as it is when metrics are read, and is 0 without one', async () => {
  const metrics = await Metrics.create(PRIVATE);
  let longestMs = 0;
  const forget = metrics.watchDeletions('website', { longestMs: () => longestMs });
  const shown = async () => (await samples(metrics)).get('keelson_deletion_longest_seconds{controller="website"}');
  expect(await shown()).toBe(0);
  longestMs = 90_500;
  expect(await shown()).toBe(90.5);
  forget();
  expect(await shown()).toBeUndefined();
});

test('a queue shows its depth by priority and the work that goes on, as it is when it is asked', async () => {
  const metrics = await Metrics.create(PRIVATE);
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock, observer: metrics.queueObserver('website') });
  const forget = metrics.watchQueue('website', queue);
  for (const name of ['a', 'b', 'c']) queue.add({ name }, { trigger: { cause: 'object' } });
  for (const name of ['d', 'e']) queue.add({ name }, { trigger: { cause: 'resync' }, lane: 'slow' });
  clock.advance(2_000);
  const item = await queue.take();
  await queue.take();
  clock.advance(3_000);
  let all = await samples(metrics);
  const labels = 'name="website",controller="website"';
  expect(all.get(`workqueue_depth{${labels},priority="0"}`)).toBe(1);
  expect(all.get(`workqueue_depth{${labels},priority="-100"}`)).toBe(2);
  expect(all.get(`workqueue_adds_total{${labels}}`)).toBe(5);
  expect(all.get(`workqueue_queue_duration_seconds_sum{${labels}}`)).toBe(4);
  expect(all.get(`workqueue_unfinished_work_seconds{${labels}}`)).toBe(6);
  expect(all.get(`workqueue_longest_running_processor_seconds{${labels}}`)).toBe(3);
  if (item !== undefined) queue.done(item, { type: 'failed' });
  forget();
  all = await samples(metrics);
  expect(all.get(`workqueue_retries_total{${labels}}`)).toBe(1);
  expect(all.get(`workqueue_work_duration_seconds_sum{${labels}}`)).toBe(3);
  expect([...all.keys()].filter((series) => series.startsWith('workqueue_depth'))).toEqual([]);
  queue.shutDown();
});

test('requests, leadership, certificates, webhooks and caches are counted', async () => {
  const metrics = await Metrics.create({ ...PRIVATE, requestDurations: true });
  metrics.onAttempt({ method: 'GET', host: 'h:1', outcome: 200, durationMs: 30 });
  metrics.onAttempt({ method: 'GET', host: 'h:1', outcome: 'KEELSON_CONNECTION_FAILED', durationMs: 1 });
  const leader = metrics.leaderObserver('lease');
  leader.leading?.(true);
  leader.slowPath?.();
  const certificate = metrics.certificateObserver();
  certificate.read();
  certificate.readFailed();
  certificate.expires(new Date(1_900_000_000_000));
  const webhook = metrics.webhookObserver(['/validate', '/convert']);
  webhook.started('/validate');
  webhook.finished('/validate', 200, 0.1);
  webhook.started('/convert');
  webhook.panicked('/convert');
  const cache = metrics.cacheObserver();
  cache.listed?.(Pod, { objects: 2, durationMs: 5, isInitial: true });
  cache.changed?.(Pod, 'added', 3);
  cache.changed?.(Pod, 'modified', 1);
  cache.changed?.(Pod, 'deleted', 2);
  cache.failed?.(Pod, 'Forbidden');
  expect(Object.fromEntries(await samples(metrics))).toMatchObject({
    'rest_client_requests_total{code="200",method="GET",host="h:1"}': 1,
    'rest_client_requests_total{code="<error>",method="GET",host="h:1"}': 1,
    'rest_client_request_duration_seconds_count{verb="GET",host="h:1"}': 2,
    'leader_election_master_status{name="lease"}': 1,
    'leader_election_slowpath_total{name="lease"}': 1,
    certwatcher_read_certificate_total: 1,
    certwatcher_read_certificate_errors_total: 1,
    'keelson_certificate_expiry_timestamp_seconds{use="serving"}': 1_900_000_000,
    'controller_runtime_webhook_requests_total{webhook="/validate",code="200"}': 1,
    'controller_runtime_webhook_requests_in_flight{webhook="/validate"}': 0,
    'controller_runtime_webhook_requests_in_flight{webhook="/convert"}': 1,
    controller_runtime_conversion_webhook_panics_total: 1,
    controller_runtime_webhook_panics_total: 0,
    'keelson_cache_objects{kind="pods"}': 1,
    'keelson_cache_changes_total{kind="pods",type="added"}': 3,
    'keelson_cache_lists_total{kind="pods"}': 1,
    'keelson_cache_failures_total{kind="pods",reason="Forbidden"}': 1,
  });
});

test('the world outside, tasks, stored objects and missing fields are counted by how they ended', async () => {
  const metrics = await Metrics.create(PRIVATE);
  const outside = metrics.outsideObserver('website');
  outside.called?.('store', 'save', 'error', 0.2);
  outside.polled?.('size', 'ok');
  outside.polled?.('size', 'error');
  outside.polled?.('size', 'error');
  outside.subscriptionFailed?.('pushes');
  for (const phase of ['done', 'failed', 'cancelled'] as const) {
    outside.backgroundStarted?.('copy');
    outside.backgroundEnded?.('copy', phase);
  }
  outside.backgroundStarted?.('copy');
  metrics.taskObserver(['sweep', 'reap']).ran('sweep', 'error', 1.5);
  metrics.migrationObserver(['a.example.com']).rewrote?.('a.example.com', 'ok');
  metrics.schemaObserver(['a.example.com', 'b.example.com']).missing?.('a.example.com', 2);
  const cache = metrics.cacheObserver([Pod]);
  cache.watching?.(Pod);
  cache.invalid?.(Pod);
  expect(Object.fromEntries(await samples(metrics))).toMatchObject({
    'keelson_external_calls_total{external="store",method="save",result="error"}': 1,
    'keelson_external_call_duration_seconds_sum{external="store",method="save",result="error"}': 0.2,
    'keelson_poll_reads_total{controller="website",source="size",result="ok"}': 1,
    'keelson_poll_reads_total{controller="website",source="size",result="error"}': 2,
    'keelson_subscription_failures_total{controller="website",source="pushes"}': 1,
    'keelson_background_active{controller="website",name="copy"}': 1,
    'keelson_background_ended_total{controller="website",name="copy",phase="done"}': 1,
    'keelson_background_ended_total{controller="website",name="copy",phase="failed"}': 1,
    'keelson_background_ended_total{controller="website",name="copy",phase="cancelled"}': 1,
    'keelson_task_runs_total{task="sweep",result="ok"}': 0,
    'keelson_task_runs_total{task="sweep",result="error"}': 1,
    'keelson_task_runs_total{task="reap",result="ok"}': 0,
    'keelson_task_duration_seconds_sum{task="sweep"}': 1.5,
    'keelson_task_duration_seconds_count{task="reap"}': 0,
    'keelson_stored_objects_rewritten_total{crd="a.example.com",result="ok"}': 1,
    'keelson_stored_objects_rewritten_total{crd="a.example.com",result="error"}': 0,
    'keelson_crd_missing_fields{crd="a.example.com"}': 2,
    'keelson_crd_missing_fields{crd="b.example.com"}': 0,
    'keelson_cache_watches_total{kind="pods"}': 1,
    'keelson_cache_invalid_objects_total{kind="pods"}': 1,
  });
});

test('H66 the number of series does not depend on objects, nor on what is sent to the webhook port', async () => {
  const metrics = await Metrics.create(PRIVATE);
  const clock = new FakeClock();
  const reconciles = metrics.reconcileObserver('website', 10);
  const queue = new WorkQueue({ clock, observer: metrics.queueObserver('website') });
  metrics.watchQueue('website', queue);
  const webhook = metrics.webhookObserver(['/validate']);
  const cache = metrics.cacheObserver([Pod]);
  const work = async (from: number, to: number): Promise<number> => {
    for (let index = from; index < to; index += 1) {
      queue.add({ namespace: `n${index}`, name: `o${index}` }, { trigger: { cause: 'object' } });
      const item = await queue.take();
      reconciles.started('website');
      reconciles.finished('website', 'success', index / 1_000);
      if (item !== undefined) queue.done(item, { type: 'done' });
      webhook.started(`/path-${index}`);
      webhook.finished(`/path-${index}`, 404, 0.001);
      cache.changed?.(Pod, 'added', 1);
    }
    return (await samples(metrics)).size;
  };
  const few = await work(0, 10);
  expect(await work(10, 10_000)).toBe(few);
  queue.shutDown();
});

test('two operators in one process count apart, and an operator has metrics of its own', async () => {
  const [one, two] = await Promise.all([Metrics.create(), Metrics.create(PRIVATE)]);
  new Counter({ name: 'websites_total', help: 'own', registers: [one.registry] }).inc();
  one.reconcileObserver('website', 1).finished('website', 'success', 1);
  two.reconcileObserver('website', 1);
  const [first, second] = [await samples(one), await samples(two)];
  expect(first.get('controller_runtime_reconcile_total{controller="website",result="success"}')).toBe(1);
  expect(second.get('controller_runtime_reconcile_total{controller="website",result="success"}')).toBe(0);
  expect(first.get('websites_total')).toBe(1);
  expect(first.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect([...first.keys()].some((series) => series.startsWith('nodejs_eventloop_lag'))).toBe(true);
  expect([...second.keys()].some((series) => series.startsWith('process_'))).toBe(false);
});

test('what is not a number stops nothing', async () => {
  const metrics = await Metrics.create(PRIVATE);
  metrics.reconcileObserver('website', 1).finished('website', 'success', Number.NaN);
  metrics.certificateObserver().expires(new Date(Number.NaN));
  expect((await samples(metrics)).get('controller_runtime_reconcile_time_seconds_count{controller="website"}')).toBe(1);
});
