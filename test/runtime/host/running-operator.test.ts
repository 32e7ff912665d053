import { ConfigMap, Lease } from 'keelson/kinds';
import { type InProcessCluster, TestCluster } from 'keelson/testing';
import { RUNTIME_DEFAULTS, type RuntimeSettings } from '../../../src/definition/index.js';
import { type RunningOperator, type StartOptions, start } from '../../../src/runtime/host/index.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Website, websiteOperator } from '../reconcile/website.js';

jest.setTimeout(60_000);

const SETTINGS: RuntimeSettings = { ...RUNTIME_DEFAULTS, metrics: undefined, healthPort: 0 };

let cluster: InProcessCluster;
const running: RunningOperator[] = [];
beforeAll(async () => {
  cluster = await TestCluster.start({ operator: websiteOperator, webhooks: false, namespace: 'shop' });
});
afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));
afterAll(() => cluster.close());

async function begin(options: StartOptions = {}): Promise<RunningOperator> {
  const { server } = cluster;
  const token = server.tokenFor({ username: 'operator', groups: ['system:masters', 'system:authenticated'] });
  const connection = connectionOf({ server: server.url, ca: server.certificateAuthority, token });
  const operator = await start(websiteOperator, {
    connection,
    log: new MemoryLog(),
    environment: {},
    processMetrics: false,
    settings: SETTINGS,
    ...options,
  });
  running.push(operator);
  return operator;
}

test('an object may be enqueued by its kind and key; what names none is refused', async () => {
  const operator = await begin({ journal: true });
  await cluster.create(Website({ metadata: { name: 'w' }, spec: {} }));
  await cluster.until(() => expect(operator.isSettled).toBe(true));
  await cluster.until(ConfigMap, 'w', 'present');
  const causes = () => operator.journal({ object: 'shop/w' }).flatMap(({ triggers }) => triggers.map(({ cause }) => cause));
  for (const key of ['shop/w', { namespace: 'shop', name: 'w' }]) {
    const before = causes().filter((cause) => cause === 'enqueued').length;
    operator.enqueue(Website, key);
    await cluster.until(() => expect(causes().filter((cause) => cause === 'enqueued')).toHaveLength(before + 1));
  }
  expect(() => operator.enqueue(ConfigMap, 'shop/w')).toThrow('enqueue: no controller of website-operator is for ConfigMap');
  expect(() => operator.enqueue({ ...Website, group: 'other.example.com' }, 'shop/w')).toThrow('is for Website');
  expect(() => operator.enqueue(Website, 'w')).toThrow(`enqueue: "w" names no Website; give 'namespace/name', or a key`);
});

test('a journal is kept where it is asked for, by the options before the settings', async () => {
  const text = 'no journal is kept; start with { journal: true }, or with KEELSON_JOURNAL=true in the environment';
  const [none, bySettings, byOptions] = [
    await begin(),
    await begin({ settings: { ...SETTINGS, journal: true } }),
    await begin({ settings: { ...SETTINGS, journal: true }, journal: false }),
  ];
  expect(() => none.journal()).toThrow(text);
  expect(bySettings.journal({ object: 'shop/nothing' })).toEqual([]);
  expect(() => byOptions.journal()).toThrow(text);
});

test('its Lease is in the namespace of the Pod, else in that of the connection', async () => {
  for (const [environment, namespace] of [
    [{ POD_NAMESPACE: 'shop' }, 'shop'],
    [{}, 'default'],
  ] as const) {
    const operator = await begin({ settings: { ...SETTINGS, leaseName: `in-${namespace}` }, environment });
    await cluster.until(() => expect(operator.isLeader).toBe(true));
    expect(await cluster.find(Lease, { namespace, name: `in-${namespace}` })).toBeDefined();
    await operator.stop();
  }
});

test('an operator that has no webhooks serves none, and its end is waited for once', async () => {
  const operator = await begin();
  expect([operator.servingWebhooks, operator.isStopping]).toEqual([undefined, false]);
  const [first, second] = [operator.stop(), operator.stop()];
  expect([first === second, operator.isStopping, operator.isLeader]).toEqual([true, true, false]);
  await first;
});

test('an operator that may not read its objects says so, and is not ready', async () => {
  cluster.faults.fail({ verb: 'list', kind: Website, status: 403, times: Number.POSITIVE_INFINITY });
  cluster.faults.fail({ verb: 'watch', kind: Website, status: 403, times: Number.POSITIVE_INFINITY });
  const operator = await begin();
  const readiness = async (): Promise<string> => (await fetch(`http://127.0.0.1:${operator.ports.health}/readyz?verbose`)).text();
  await cluster.until(() => expect(operator.readinessProblems).toMatchObject([{ what: 'cache of Website', why: expect.stringContaining('403') }]));
  expect(await readiness()).toContain('[-]caches-synced failed');
  expect(operator.isIdle).toBe(false);
  cluster.faults.clear();
});
