import { type InProcessCluster, TestCluster } from '@keelson/testing';
import {
  counter,
  customResourceDefinitionManifest,
  defineController,
  defineOperator,
  gauge,
  type Operator,
  settings,
  TerminalError,
} from 'keelson';
import { ConfigMap, CustomResourceDefinition, Lease } from 'keelson/kinds';
import { z } from 'zod';
import { RUNTIME_DEFAULTS, type RuntimeSettings } from '../../../src/keelson/definition/index.js';
import { type RunningOperator, type StartOptions, start } from '../../../src/runtime/host/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { connectionTo } from '../harness/connection.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Website, websiteOperator } from '../reconcile/website.js';

/** Any free port for probes, none for metrics. */
const QUIET: RuntimeSettings = { ...RUNTIME_DEFAULTS, healthPort: 0, metrics: undefined };

const USER = 'system:serviceaccount:website-operator-system:website-operator';

let cluster: InProcessCluster;
const running: RunningOperator[] = [];
const gates: (() => void)[] = [];
beforeEach(async () => {
  cluster = await TestCluster.start({ operator: websiteOperator, namespace: 'shop' });
});
afterEach(async () => {
  for (const open of gates.splice(0)) open();
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await cluster.close();
});

/** A reconciler may wait for it; the end of a test opens it too. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  gates.push(open);
  return { opened, open };
}

async function begin(
  pod: string,
  options: StartOptions = {},
  definition: Operator = websiteOperator,
): Promise<{ readonly operator: RunningOperator; readonly log: MemoryLog }> {
  const connection = connectionTo(cluster);
  const log = new MemoryLog();
  const environment = { POD_NAME: pod, POD_NAMESPACE: 'website-operator-system' };
  const operator = await start(definition, {
    connection,
    log,
    environment,
    processMetrics: false,
    settings: QUIET,
    ...options,
  });
  running.push(operator);
  return { operator, log };
}

test('an operator works until it is stopped, and leaves nothing behind', async () => {
  const { operator, log } = await begin('a');
  await cluster.create(Website({ metadata: { name: 'w' }, spec: { title: 'W' } }));
  await cluster.until(ConfigMap, 'w', { data: { title: 'W' } });
  expect([operator.isLeader, operator.readinessProblems]).toEqual([true, []]);
  await operator.stop();
  await operator.ended;
  expect(operator.isLeader).toBe(false);
  const mark = cluster.requests.mark;
  await cluster.create(Website({ metadata: { name: 'x' }, spec: {} }));
  expect(cluster.requests.since(mark).byUser('system:serviceaccount:website-operator-system:website-operator').all).toEqual([]);
  expect(log.texts.filter((text) => /^(warn|error)/.test(text))).toEqual([]);
});

test('H56: a standby is ready with warm caches, and leads when the leader stops', async () => {
  const settings = { ...QUIET, leaseName: 'website-operator' };
  const { operator: one } = await begin('one', { settings });
  await cluster.until(Lease, { namespace: 'website-operator-system', name: 'website-operator' }, 'present');
  const { operator: two } = await begin('two', { settings });
  await cluster.create(Website({ metadata: { name: 'w' }, spec: { title: 'W' } }));
  await cluster.until(ConfigMap, 'w', { data: { title: 'W' } });
  expect([one.isLeader, two.isLeader]).toEqual([true, false]);
  while (two.readinessProblems.length > 0) await new Promise((resolve) => setImmediate(resolve));
  await one.stop();
  await cluster.create(Website({ metadata: { name: 'x' }, spec: { title: 'X' } }));
  await cluster.until(ConfigMap, 'x', { data: { title: 'X' } });
  expect(two.isLeader).toBe(true);
  expect(cluster.requests.denied().all).toEqual([]);
});

test('H28: objects whose CRD is deleted unseen are not reconciled any more, and the process says that it is not ready', async () => {
  const { operator, log } = await begin('a');
  await cluster.create(Website({ metadata: { name: 'w' }, spec: {} }));
  const { metadata: child } = await cluster.until(ConfigMap, 'w', 'present');
  cluster.faults.fail({ verb: 'watch', kind: Website, status: 503, times: Number.POSITIVE_INFINITY });
  cluster.faults.drop({ watch: Website });
  await cluster.delete(CustomResourceDefinition, 'websites.web.example.com');
  await cluster.until(CustomResourceDefinition, 'websites.web.example.com', 'absent');
  cluster.faults.clear();
  await cluster.until(() =>
    expect(operator.readinessProblems).toMatchObject([{ what: 'cache of Website', why: expect.stringContaining('does not serve') }]),
  );
  // The garbage collector has seen the owner go, the operator has not.
  await cluster.until(ConfigMap, 'w', 'absent');
  await cluster.until(() => expect(operator.isIdle).toBe(true));
  const mark = cluster.requests.mark;
  await cluster.create(ConfigMap({ metadata: { name: 'late', labels: child.labels, ownerReferences: child.ownerReferences } }));
  await cluster.until(ConfigMap, 'late', 'absent');
  await cluster.settled();
  await cluster.until(() => expect(operator.isIdle).toBe(true));
  expect(cluster.requests.since(mark).byUser(USER).writes().all).toEqual([]);
  await cluster.create(customResourceDefinitionManifest(Website) as never);
  await cluster.until(() => expect(operator.readinessProblems).toEqual([]));
  await cluster.create(Website({ metadata: { name: 'x' }, spec: {} }));
  await cluster.until(ConfigMap, 'x', 'present');
  expect(log.texts.filter((text) => text.startsWith('warn Website: the watch is interrupted'))).not.toEqual([]);
});

test('H58: a process that was stopped in the middle of a run writes nothing when it goes on', async () => {
  const clock = new FakeClock();
  let runs = 0;
  const stopped = defineController({
    name: 'website',
    for: Website,
    owns: { configs: ConfigMap },
    reconcile({ object, done }) {
      // Time goes by, no timer has fired, and the next thing that the process does is to write.
      if (++runs === 1) clock.block(20_000);
      return done({ owned: { configs: [ConfigMap({ metadata: { name: object.metadata.name } })] } });
    },
  });
  const settings = { ...QUIET, leaseName: 'website-operator' };
  const { log } = await begin('a', { settings, clock }, defineOperator({ name: 'website-operator', controllers: [stopped] }));
  await cluster.create(Website({ metadata: { name: 'w' }, spec: {} }));
  await cluster.until(() => expect(log.texts).toContain('error leadership lost'));
  expect(cluster.requests.writes().all.filter(({ resource }) => resource === 'configmaps')).toEqual([]);
  await cluster.until(() => {
    clock.advance(1_000);
    expect(log.texts.filter((text) => text === 'info leading')).toHaveLength(2);
  });
  await cluster.until(ConfigMap, 'w', 'present');
});

test('a run that goes on after its time limit makes the process unready and is a metric, until its function has returned', async () => {
  const clock = new FakeClock();
  const held = gate();
  let begun = 0;
  const stuck = defineController({
    name: 'website',
    for: Website,
    async reconcile({ done }) {
      begun += 1;
      if (begun === 1) await held.opened;
      return done();
    },
  });
  const settings = { ...QUIET, metrics: { port: 0, secure: false } };
  const definition = defineOperator({ name: 'website-operator', controllers: [stuck] });
  const { operator, log } = await begin('a', { settings, clock, timeLimit: '1m' }, definition);
  const readiness = async (): Promise<readonly unknown[]> => {
    const answer = await fetch(`http://127.0.0.1:${operator.ports.health}/readyz?verbose`);
    return [answer.status, (await answer.text()).match(/^\[.\]runs-return.*$/m)?.[0]];
  };
  /** Runs that have not returned, and those whose time was up. */
  const counted = async (): Promise<readonly (string | undefined)[]> => {
    const text = await (await fetch(`http://127.0.0.1:${operator.ports.metrics}/metrics`)).text();
    const names = ['keelson_reconciles_unreturned', 'controller_runtime_reconcile_timeouts_total'];
    return names.map((name) => new RegExp(`^${name}\\{controller="website"\\} (.*)$`, 'm').exec(text)?.[1]);
  };
  await cluster.create(Website({ metadata: { name: 'w' }, spec: {} }));
  await cluster.until(() => begun === 1);
  expect([operator.readinessProblems, await readiness(), await counted()]).toEqual([[], [200, '[+]runs-return ok'], ['0', '0']]);
  clock.advance(60_000);
  await cluster.until(() => expect(operator.readinessProblems).toHaveLength(1));
  clock.advance(30_000);
  const why = 'the run of shop/w was given up 30 s ago and has not returned';
  expect(operator.readinessProblems).toEqual([{ what: 'controller website', why }]);
  expect([await readiness(), await counted()]).toEqual([
    [500, '[-]runs-return failed: reason withheld'],
    ['1', '1'],
  ]);
  expect(log.lines.filter(({ message }) => message.includes('has not returned'))).toMatchObject([{ fields: { object: 'shop/w' } }]);
  held.open();
  await cluster.until(() => expect(operator.readinessProblems).toEqual([]));
  expect([await readiness(), await counted()]).toEqual([
    [200, '[+]runs-return ok'],
    ['0', '1'],
  ]);
});

test.each<[string, StartOptions, { readonly workers: number; readonly limitMs: number }]>([
  ['its definition, whatever run says for all', { concurrency: 2, timeLimit: '2m' }, { workers: 1, limitMs: 60_000 }],
  [
    'run, where it names the controller',
    { controllers: { website: { concurrency: 2, timeLimit: '2m' } } },
    { workers: 2, limitMs: 120_000 },
  ],
])('a controller has the workers and the time limit of %s', async (_, options, { workers, limitMs }) => {
  const clock = new FakeClock();
  const end = gate();
  let [begun, aborted] = [0, 0];
  const patient = defineController({
    name: 'website',
    for: Website,
    concurrency: 1,
    timeLimit: '1m',
    async reconcile({ signal, done }) {
      begun += 1;
      signal.addEventListener('abort', () => {
        aborted += 1;
      });
      await end.opened;
      return done();
    },
  });
  for (const name of ['u', 'v', 'w']) await cluster.create(Website({ metadata: { name }, spec: {} }));
  const settings = { ...QUIET, metrics: { port: 0, secure: false } };
  const definition = defineOperator({ name: 'website-operator', controllers: [patient] });
  const { operator } = await begin('a', { settings, clock, ...options }, definition);
  await cluster.until(async () => {
    const text = await (await fetch(`http://127.0.0.1:${operator.ports.metrics}/metrics`)).text();
    const waiting = [...text.matchAll(/^workqueue_depth\{.*\} (\d+)$/gm)].reduce((sum, [, depth]) => sum + Number(depth), 0);
    expect([begun, waiting]).toEqual([workers, 3 - workers]);
    expect(text).toContain(`controller_runtime_max_concurrent_reconciles{controller="website"} ${workers}\n`);
  });
  clock.advance(limitMs - 1);
  expect(aborted).toBe(0);
  clock.advance(1);
  expect(aborted).toBe(workers);
});

test('the share by which requeueAfter is longer is an option', async () => {
  const clock = new FakeClock();
  let runs = 0;
  const again = defineController({
    name: 'website',
    for: Website,
    reconcile({ done }) {
      runs += 1;
      return done({ requeueAfter: '1m' });
    },
  });
  const definition = defineOperator({ name: 'website-operator', controllers: [again] });
  const { operator } = await begin('a', { clock, random: () => 0.5, requeueJitter: 0.4 }, definition);
  await cluster.create(Website({ metadata: { name: 'w' }, spec: {} }));
  await cluster.until(() => runs > 0);
  await cluster.settled();
  await cluster.until(() => operator.isSettled);
  const before = runs;
  clock.advance(71_999);
  expect(operator.isSettled).toBe(true);
  clock.advance(1);
  await cluster.until(() => runs === before + 1);
});

test('every object is looked at again after resync, a tenth earlier or later', async () => {
  const clock = new FakeClock();
  const triggers: string[] = [];
  const calm = defineController({
    name: 'website',
    for: Website,
    reconcile({ trigger, done }) {
      triggers.push(trigger.cause);
      return done();
    },
  });
  const definition = defineOperator({ name: 'website-operator', controllers: [calm] });
  const { operator } = await begin('a', { clock, random: () => 0.75, resync: '1h' }, definition);
  await cluster.create(Website({ metadata: { name: 'w' }, spec: {} }));
  await cluster.until(() => triggers.length > 0);
  await cluster.settled();
  await cluster.until(() => operator.isSettled);
  triggers.length = 0;
  clock.advance(1.05 * 3_600_000 - 1);
  expect(operator.isSettled).toBe(true);
  clock.advance(1);
  await cluster.until(() => triggers.length > 0);
  expect(triggers).toEqual(['resync']);
});

test("metrics of the operator's own stand beside the runtime's, one series for all controllers that use them", async () => {
  const titles = gauge('website_titles', 'Websites by title.', ['title']);
  const runs = counter('website_runs_total', 'Runs.', ['controller']);
  const of = (name: string) =>
    defineController({
      name,
      for: Website,
      writesStatus: name === 'one',
      uses: { titles, runs },
      reconcile({ object, titles, runs, done }) {
        titles.set({ title: object.spec.title }, 1);
        runs.inc({ controller: name });
        return done();
      },
    });
  const own = defineOperator({ name: 'website-operator', controllers: [of('one'), of('two')] });
  const { operator } = await begin('a', { settings: { ...QUIET, metrics: { port: 0, secure: false } } }, own);
  await cluster.create(Website({ metadata: { name: 'w' }, spec: { title: 'A' } }));
  await cluster.until(async () => {
    const text = await (await fetch(`http://127.0.0.1:${operator.ports.metrics}/metrics`)).text();
    expect(text.match(/^website_.*$/gm)?.map((line) => line.replace(/ [1-9]\d*$/, ' n'))).toEqual([
      'website_titles{title="A"} n',
      'website_runs_total{controller="one"} n',
      'website_runs_total{controller="two"} n',
    ]);
  });
});

test('settings come from the environment, or from values; what cannot be used is named before anything runs', async () => {
  const config = settings(z.object({ title: z.string().default('none'), size: z.number().int().default(1) }), { prefix: 'SITE_' });
  const seen: unknown[] = [];
  const configured = defineOperator({
    name: 'website-operator',
    controllers: [
      defineController({
        name: 'website',
        for: Website,
        uses: { config },
        reconcile({ config: { title, size }, done }) {
          seen.push([title, size]);
          return done();
        },
      }),
    ],
  });
  const environment = { POD_NAME: 'a', POD_NAMESPACE: 'website-operator-system', SITE_SIZE: '3' };
  await expect(begin('a', { environment: { ...environment, SITE_SIZE: 'big' } }, configured)).rejects.toThrow(
    "settings cannot be used:\n  SITE_SIZE: 'big' is not usable: write a number",
  );
  await begin('a', { environment, values: [config.values({ title: 'given' })] }, configured);
  await cluster.create(Website({ metadata: { name: 'w' }, spec: {} }));
  await cluster.until(() => expect(seen[0]).toEqual(['given', 3]));
});

test('probes and metrics answer; a taken port is told, and nothing is left', async () => {
  const { operator } = await begin('a', { settings: { ...QUIET, metrics: { port: 0, secure: false } } });
  const { health, metrics = 0 } = operator.ports;
  await cluster.create(Website({ metadata: { name: 'w' }, spec: {} }));
  await cluster.until(ConfigMap, 'w', 'present');
  expect((await fetch(`http://127.0.0.1:${health}/readyz`)).status).toBe(200);
  // A reconcile is counted when it has ended: after the child is there.
  await cluster.until(async () =>
    expect(await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()).toMatch(
      /controller_runtime_reconcile_total\{controller="website",result="success"\} [1-9]/,
    ),
  );
  await expect(begin('b', { settings: { ...QUIET, healthPort: health } })).rejects.toThrow(String(health));
  await operator.stop();
  await expect(fetch(`http://127.0.0.1:${health}/healthz`)).rejects.toThrow();
});

test('all parts of the process count: runs by their ends, the queue, caches, requests, leadership, events', async () => {
  const various = defineController({
    name: 'website',
    for: Website,
    reconcile({ object, events, done }) {
      if (object.spec.title === 'fault') throw new TypeError('a fault of the program');
      if (object.spec.title === 'never') throw new TerminalError('it cannot be');
      events.normal('Seen', 'it has been seen');
      return done();
    },
  });
  const settings = { ...QUIET, leaseName: 'website-operator', metrics: { port: 0, secure: false } };
  const { operator } = await begin('a', { settings }, defineOperator({ name: 'website-operator', controllers: [various] }));
  for (const title of ['fine', 'fault', 'never']) await cluster.create(Website({ metadata: { name: title }, spec: { title } }));
  const [controller, queue, kind] = ['controller="website"', 'name="website",controller="website"', 'kind="websites.web.example.com"'];
  await cluster.until(async () => {
    const text = await (await fetch(`http://127.0.0.1:${operator.ports.metrics}/metrics`)).text();
    for (const [series, count] of [
      [`controller_runtime_reconcile_total{${controller},result="success"}`, '[1-9]\\d*'],
      [`controller_runtime_reconcile_total{${controller},result="error"}`, '[1-9]\\d*'],
      [`controller_runtime_terminal_reconcile_errors_total{${controller}}`, '[1-9]\\d*'],
      [`controller_runtime_reconcile_panics_total{${controller}}`, '[1-9]\\d*'],
      [`controller_runtime_reconcile_timeouts_total{${controller}}`, '0'],
      [`controller_runtime_active_workers{${controller}}`, '0'],
      [`workqueue_adds_total{${queue}}`, '[1-9]\\d*'],
      [`workqueue_retries_total{${queue}}`, '[1-9]\\d*'],
      [`workqueue_queue_duration_seconds_count{${queue}}`, '[1-9]\\d*'],
      [`workqueue_work_duration_seconds_count{${queue}}`, '[1-9]\\d*'],
      [`keelson_cache_objects{${kind}}`, '3'],
      [`keelson_cache_lists_total{${kind}}`, '[1-9]\\d*'],
      [`keelson_cache_watches_total{${kind}}`, '[1-9]\\d*'],
      ['leader_election_master_status{name="website-operator"}', '1'],
      ['keelson_events_total{result="created"}', '[1-9]\\d*'],
    ] as const) {
      const line = text.split('\n').find((one) => one.startsWith(`${series} `));
      expect([series, line?.slice(series.length + 1)]).toEqual([series, expect.stringMatching(`^${count}$`)]);
    }
    expect(text).toMatch(/^rest_client_requests_total\{code="200",method="GET",host=".*"\} [1-9]/m);
  });
});

test.each<[StartOptions, string]>([
  [{ concurrency: 0 }, 'controller website: concurrency is 0; give a whole number from 1'],
  [{ timeLimit: '5 minutes' as never }, 'controller website: timeLimit is 5 minutes; give a time such as 30s'],
  [{ controllers: { web: {} } }, 'controllers.web: the operator has no such controller; it has website'],
])('%j is refused before anything is started', async (options, message) => {
  await expect(begin('a', options)).rejects.toThrow(message);
});

test('its ports listen at the address of the settings alone', async () => {
  const health = async (listenAddress: string | undefined, host: string): Promise<number | undefined> => {
    const { operator } = await begin('a', { settings: { ...QUIET, listenAddress } });
    const answer = await fetch(`http://${host}:${operator.ports.health}/healthz`).catch(() => undefined);
    return answer?.status;
  };
  expect(await health(undefined, '127.0.0.2')).toBe(200);
  expect(await health('127.0.0.1', '127.0.0.1')).toBe(200);
  expect(await health('127.0.0.1', '127.0.0.2')).toBeUndefined();
});
