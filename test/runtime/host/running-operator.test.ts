import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InProcessCluster, TestCluster } from '@keelson/testing';
import { type Done, defineController, defineCustomResource, defineOperator, type Operator, validating } from 'keelson';
import { ConfigMap, Lease } from 'keelson/kinds';
import { z } from 'zod';
import { RUNTIME_DEFAULTS, type RuntimeSettings } from '../../../src/keelson/definition/index.js';
import { CertificateAuthority } from '../../../src/kubernetes/certificates/index.js';
import { type RunningOperator, type StartOptions, start } from '../../../src/runtime/host/index.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { Cache } from '../admission/kinds.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Website, websiteOperator } from '../reconcile/website.js';

const SETTINGS: RuntimeSettings = { ...RUNTIME_DEFAULTS, metrics: undefined, healthPort: 0 };

let cluster: InProcessCluster;
const running: RunningOperator[] = [];
beforeAll(async () => {
  cluster = await TestCluster.start({ operator: websiteOperator, webhooks: false, namespace: 'shop' });
});
afterEach(() => Promise.allSettled(running.splice(0).map((one) => one.stop())));
afterAll(() => cluster.close());

async function begin(options: StartOptions = {}, definition: Operator = websiteOperator): Promise<RunningOperator> {
  const { server } = cluster;
  const token = server.tokenFor({ username: 'operator', groups: ['system:masters', 'system:authenticated'] });
  const connection = connectionOf({ server: server.url, ca: server.certificateAuthority, token });
  const operator = await start(definition, {
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

test('a process that is paused by its settings is ready and reconciles nothing, and says so once', async () => {
  const log = new MemoryLog();
  const operator = await begin({ log, settings: { ...SETTINGS, paused: true }, journal: true });
  await cluster.create(Website({ metadata: { name: 'held' }, spec: {} }));
  await cluster.until(() => expect(operator.readinessProblems).toEqual([]));
  await cluster.settled({ isIdle: () => operator.isSettled });
  await cluster.until(ConfigMap, 'held', 'absent');
  expect(operator.journal()).toEqual([]);
  expect(log.texts.filter((text) => text.startsWith('warn'))).toEqual([
    'warn paused by KEELSON_PAUSED: no object is reconciled until it is removed',
  ]);
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

test('it is known to the API server by its name: as the client, and as the manager of fields', async () => {
  const { mark } = cluster.requests;
  const operator = await begin();
  const { metadata } = await operator.client.create(ConfigMap, { metadata: { namespace: 'shop', name: 'named' }, data: { a: 'b' } });
  expect(metadata.managedFields?.map(({ manager }) => manager)).toEqual(['website-operator']);
  const agents = cluster.requests
    .since(mark)
    .byUser('operator')
    .all.map(({ userAgent }) => userAgent);
  expect(new Set(agents)).toEqual(new Set(['website-operator/keelson']));
});

test('an operator that may not read its objects says so, and is not ready', async () => {
  cluster.faults.fail({ verb: 'list', kind: Website, status: 403, times: Number.POSITIVE_INFINITY });
  cluster.faults.fail({ verb: 'watch', kind: Website, status: 403, times: Number.POSITIVE_INFINITY });
  const operator = await begin();
  const readiness = async (): Promise<string> => (await fetch(`http://127.0.0.1:${operator.ports.health}/readyz?verbose`)).text();
  await cluster.until(() =>
    expect(operator.readinessProblems).toMatchObject([{ what: 'cache of Website', why: expect.stringContaining('403') }]),
  );
  expect(await readiness()).toContain('[-]caches-synced failed');
  expect(operator.isIdle).toBe(false);
  cluster.faults.clear();
});

describe('webhooks', () => {
  const withWebhook = defineOperator({
    name: 'website-operator',
    controllers: [defineController({ name: 'website', for: Website, reconcile: ({ done }): Done => done() })],
    webhooks: [validating(Website, () => [])],
  });
  const converting = defineOperator({ name: 'cache-operator', customResources: [Cache] });
  let directory: string;
  let authority: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'keelson-webhooks-'));
    const certificates = CertificateAuthority.create({ commonName: 'test' });
    const pair = certificates.issueServing({ dnsNames: ['hook.test.svc'] });
    authority = join(directory, 'clients.crt');
    for (const [file, text] of Object.entries({
      'tls.crt': pair.certificate,
      'tls.key': pair.privateKey,
      'clients.crt': certificates.certificate,
    }))
      writeFileSync(join(directory, file), text);
  });
  afterAll(() => rmSync(directory, { recursive: true }));
  const mounted = (): RuntimeSettings => ({ ...SETTINGS, webhookPort: 0, certificates: { mode: 'mounted', directory } });

  test('are not served without a certificate, which is logged, and the operator works all the same', async () => {
    const log = new MemoryLog();
    const operator = await begin({ log }, withWebhook);
    await cluster.until(() => expect(operator.readinessProblems).toEqual([]));
    expect(operator.servingWebhooks).toBeUndefined();
    expect(log.texts).toContain(
      'warn webhooks and conversions are not served: no certificate is configured; the manifests do so by KEELSON_CERTIFICATES',
    );
  });

  test('are served with one, and an operator is not ready before', async () => {
    const operator = await begin({ settings: mounted() }, withWebhook);
    expect(operator.readinessProblems.map(({ what }) => what)).toContain('webhooks');
    const port = await operator.servingWebhooks;
    expect(port).toBeGreaterThan(0);
    expect(await operator.servingWebhooks).toBe(port);
    await cluster.until(() => expect(operator.readinessProblems).toEqual([]));
    const readiness = await fetch(`http://127.0.0.1:${operator.ports.health}/readyz?verbose`);
    expect(await readiness.text()).toContain('[+]webhooks ok');
    await operator.stop();
    expect(operator.readinessProblems).toContainEqual({ what: 'webhooks', why: 'the server does not listen' });
  });

  test('stay in service while the API server does not serve a kind that a controller reads; the controller is shown as not ready', async () => {
    const Elsewhere = defineCustomResource({ group: 'elsewhere.example.com', kind: 'Monitor', versions: { v1: { spec: z.object({}) } } });
    const reconcile = ({ done }: { readonly done: () => Done }): Done => done();
    const operator = await begin(
      { settings: { ...mounted(), metrics: { port: 0, secure: false } } },
      defineOperator({
        name: 'website-operator',
        controllers: [
          defineController({ name: 'website', for: Website, reconcile }),
          defineController({ name: 'monitored', for: Website, writesStatus: false, watches: { monitors: Elsewhere }, reconcile }),
        ],
        webhooks: [validating(Website, () => [])],
      }),
    );
    await operator.servingWebhooks;
    const why = expect.stringContaining('does not serve monitors.elsewhere.example.com');
    await cluster.until(() => expect(operator.controllerProblems).toEqual([{ what: 'cache of Monitor', why }]));
    expect(operator.readinessProblems).toEqual([]);
    const { health, metrics } = operator.ports;
    const asked = async (path: string): Promise<readonly unknown[]> => {
      const answer = await fetch(`http://127.0.0.1:${health}${path}`);
      return [answer.status, await answer.text()];
    };
    expect(await asked('/readyz')).toEqual([200, 'ok']);
    expect(await asked('/startupz')).toEqual([200, 'ok']);
    expect(await asked('/readyz?verbose')).toEqual([
      200,
      expect.stringContaining('[+]webhooks ok\n[-]caches-synced failed: reason withheld; it does not decide\n'),
    ]);
    expect((await asked('/readyz/caches-synced'))[0]).toBe(500);
    const series = async (): Promise<readonly string[]> =>
      (await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text())
        .split('\n')
        .filter((line) => line.startsWith('keelson_controller_ready{'));
    expect(await series()).toEqual([
      'keelson_controller_ready{controller="website"} 1',
      'keelson_controller_ready{controller="monitored"} 0',
    ]);
  });

  test('of clients with a certificate need the file of their authority', async () => {
    const settings = { ...mounted(), webhookClientAuthorityFile: authority };
    const operator = await begin({ settings }, withWebhook);
    expect(await operator.servingWebhooks).toBeGreaterThan(0);
    const broken = await begin({ settings: { ...settings, webhookClientAuthorityFile: join(directory, 'nowhere') } }, withWebhook);
    await expect(broken.ended).rejects.toThrow('the client authority of the webhooks cannot be read: ENOENT');
  });

  test('that wait for a certificate until the end are never served', async () => {
    const settings: RuntimeSettings = { ...mounted(), certificates: { mode: 'mounted', directory: join(directory, 'nowhere') } };
    const operator = await begin({ settings }, withWebhook);
    const serving = operator.servingWebhooks;
    await operator.stop();
    await expect(serving).rejects.toThrow('the process ends');
  });

  test('with conversions cannot ask for certificates of clients', async () => {
    await expect(begin({ settings: { ...mounted(), webhookClientAuthorityFile: authority } }, converting)).rejects.toThrow(
      'KEELSON_WEBHOOK_CLIENT_AUTHORITY_FILE: API servers show no certificate when they ask for a conversion, and this operator converts; leave the variable out',
    );
  });
});
