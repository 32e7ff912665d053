import { defaulting, defineCustomResource, defineOperator, validating } from 'keelson';
import { Operator } from 'keelson/constructs';
import { ConfigMap, Lease, Pod } from 'keelson/kinds';
import { z } from 'zod';
import { type Logger, runtimeSettingsOf, type SelfManagedCertificateSettings } from '../../src/keelson/definition/index.js';
import { WebhookServer } from '../../src/runtime/admission/index.js';
import { CertificateManager } from '../../src/runtime/certificate-manager/index.js';
import { type ApiClient, createClient } from '../../src/runtime/client/index.js';
import { systemClock } from '../../src/runtime/clock/index.js';
import { connectionOf } from '../../src/runtime/http/index.js';
import { eventually } from '../eventually.js';
import { applyAll, dryRunUntil } from './checks/index.js';
import { type ApiResponse, describeCluster, ServiceNetwork, SharedCluster, type Status, type TestObject } from './harness/index.js';
import { manifestsOf } from './manifests/index.js';

const Shop = defineCustomResource({
  group: 'shop.example.com',
  kind: 'Shop',
  versions: {
    v1: {
      spec: z.object({ size: z.number().int().default(3), label: z.string().optional(), mode: z.string().optional() }),
      status: z.object({ ready: z.number().int() }),
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' },
      storage: true,
    },
    v1beta1: { spec: z.object({ replicas: z.number().int() }) },
  },
  convert: {
    v1beta1: {
      toStorage: ({ spec: { replicas } }) => ({ spec: { size: replicas } }),
      fromStorage: ({ spec, metadata: { name } }) => {
        if (name === 'broken') throw new RangeError('cannot be said in v1beta1');
        return { spec: { replicas: spec.size } };
      },
      lossy: {
        fromStorage: { 'spec.label': 'v1beta1 has no label', 'spec.mode': 'v1beta1 has no mode', 'status.ready': 'v1beta1 has no status' },
      },
    },
  },
});

const operator = defineOperator({
  name: 'shop',
  controllers: [],
  webhooks: [
    defaulting(Shop, (shop, { userInfo }) => {
      shop.spec.label ??= userInfo.username;
    }),
    validating(Shop, {
      create: ({ spec, metadata }, { warn }) => {
        if (spec.mode === 'old') warn('mode old goes away');
        if (spec.mode === 'throw') throw new TypeError('a fault of the operator');
        if (spec.mode === 'never') return 'never at all';
        if (spec.size % 2 === 1) return [];
        return [
          { path: 'spec.size', message: 'must be odd' },
          { path: 'metadata.name', message: `${metadata.name} is taken`, type: 'Forbidden' },
        ];
      },
      delete: ({ metadata }) => (metadata.labels?.['kept'] === 'yes' ? 'is kept' : []),
    }),
    validating(Shop, ({ spec }) => ((spec?.replicas ?? 0) > 9 ? [{ path: 'spec.replicas', message: 'at most 9' }] : []), {
      subresource: 'scale',
    }),
    validating(Pod, ({ container, command }, { name, namespace }) => `${command?.join(' ')} in ${namespace}/${name}/${container}`, {
      subresource: 'exec',
      path: '/no-shells',
    }),
    validating([ConfigMap, Lease], ({ kind, metadata }) => (metadata.name === 'refused' ? `this ${kind} is refused` : []), {
      name: 'refused',
    }),
  ],
});

const NAMESPACE = 'shop-system';
const SHOPS = '/apis/shop.example.com/v1/namespaces/team/shops';
const OLD_SHOPS = '/apis/shop.example.com/v1beta1/namespaces/team/shops';
const shop = (name: string, spec: object, version = 'v1', metadata: object = {}): TestObject => ({
  apiVersion: `shop.example.com/${version}`,
  kind: 'Shop',
  metadata: { name, namespace: 'team', ...metadata },
  spec,
});

/** Keeps what is worse than it should be. */
class Complaints implements Logger {
  readonly texts: string[] = [];

  debug(): void {}
  info(): void {}

  warn(message: string, fields?: object): void {
    this.texts.push(`warn ${message} ${JSON.stringify(fields)}`);
  }

  error(message: string, fields?: object): void {
    this.texts.push(`error ${message} ${JSON.stringify(fields)}`);
  }
}

describeCluster('the webhook server and its certificates, as the API server uses them', () => {
  let network: ServiceNetwork;
  let cluster: SharedCluster;
  let client: ApiClient;
  let settings: SelfManagedCertificateSettings;
  let address: string;
  const running: { readonly manager: CertificateManager; readonly server: WebhookServer; readonly port: number }[] = [];
  const log = new Complaints();

  beforeAll(async () => {
    cluster = SharedCluster.take('bare');
    network = await ServiceNetwork.open(cluster);
    await cluster.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    const manifests = manifestsOf(NAMESPACE, (chart) => {
      new Operator(chart, 'operator', { operator, image: 'example:1', createNamespace: true });
    });
    await applyAll(cluster, manifests);
    settings = settingsIn(manifests);
    client = await clientOfOperator();
    const service = await cluster.must<{ spec: { clusterIP: string } }>('GET', `/api/v1/namespaces/${NAMESPACE}/services/shop-webhook`);
    address = `${service.spec.clusterIP}:443`;
    await startReplica();
    await untilTrusted();
  });

  afterAll(async () => {
    for (const { manager, server } of running) await Promise.all([manager.stop(), server.stop()]);
    client?.close();
    await cluster?.stop();
    await network?.close();
  });

  /** What the pod would be told by its environment. */
  function settingsIn(manifests: readonly TestObject[]): SelfManagedCertificateSettings {
    const deployment = manifests.find(({ kind }) => kind === 'Deployment') as unknown as {
      spec: { template: { spec: { containers: { env: { name: string; value?: string }[] }[] } } };
    };
    const env = deployment.spec.template.spec.containers[0]?.env ?? [];
    const { certificates } = runtimeSettingsOf(Object.fromEntries(env.map(({ name, value }) => [name, value])));
    if (certificates?.mode !== 'selfManaged') throw new Error('the manifests do not ask for a certificate of our own');
    return certificates;
  }

  /** With the rights of its ServiceAccount, and no others. */
  async function clientOfOperator(): Promise<ApiClient> {
    const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/shop/token`;
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { status } = await cluster.must<{ status: { token: string } }>('POST', path, body);
    return createClient({ connection: connectionOf({ server: cluster.url, ca: cluster.connection.ca, token: status.token }) });
  }

  /** Back-dated by five minutes, its certificate is worn out when it is issued: every look rotates, under all tests of this suite. */
  async function startReplica(): Promise<void> {
    const hasty = { lifeMs: 120_000, checkMs: 200, propagationMs: 3_000 };
    const manager = new CertificateManager({ settings, client, namespace: NAMESPACE, clock: systemClock, log, ...hasty });
    manager.start();
    await manager.ready();
    const parts = { operator, port: 0, host: '127.0.0.1', clock: systemClock, log, lingerMs: 0 };
    const server = new WebhookServer({ ...parts, certificate: manager });
    const { port } = await server.start();
    running.push({ manager, server, port });
    network.route(address, port);
  }

  const ask = <T = Status>(...call: Parameters<typeof cluster.request>): Promise<ApiResponse<T>> => cluster.request<T>(...call);
  const must = <T = TestObject>(...call: Parameters<typeof cluster.request>): Promise<T> => cluster.must<T>(...call);

  /** A definition that changes has its storage made anew, and until then the API server asks clients that list to come again, as they all do. */
  async function listed(path: string, labelSelector: string): Promise<readonly TestObject[]> {
    return eventually(async () => {
      const { status, body, headers } = await ask<Status & { items: readonly TestObject[] }>('GET', path, undefined, {
        query: { labelSelector },
      });
      if (status === 200) return body.items;
      expect([status, body.message, headers['retry-after']]).toEqual([429, 'storage is (re)initializing', '1']);
      return undefined;
    });
  }

  /** The API server learns of what has been written by a watch, a moment after it has stored it. */
  async function untilTrusted(): Promise<void> {
    const probes = [shop('probe', {}), shop('probe', { replicas: 3 }, 'v1beta1')];
    for (const probe of probes) expect(await dryRunUntil(cluster, probe, 201)).toMatchObject({ status: 201 });
    log.texts.length = 0;
  }

  test('an object is defaulted by the operator, in the name of who asks', async () => {
    const created = await must('POST', SHOPS, shop('a', {}));
    expect(created['spec']).toEqual({ size: 3, label: 'admin' });
  });

  test('a subresource is checked as what it carries, several kinds by one handler, a connection by its options', async () => {
    await must('POST', SHOPS, shop('scaled', { size: 3 }));
    const scale = (replicas: number) => ({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'scaled', namespace: 'team' },
      spec: { replicas },
    });
    expect((await ask('PUT', `${SHOPS}/scaled/scale`, scale(9))).status).toBe(200);
    const refused = await ask('PUT', `${SHOPS}/scaled/scale`, scale(11));
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('spec.replicas: Invalid value: 11: at most 9')]);

    for (const [kind, apiVersion, path] of [
      ['ConfigMap', 'v1', '/api/v1/namespaces/team/configmaps'],
      ['Lease', 'coordination.k8s.io/v1', '/apis/coordination.k8s.io/v1/namespaces/team/leases'],
    ] as const) {
      const { status, body } = await ask('POST', path, { apiVersion, kind, metadata: { name: 'refused' } });
      expect([status, body.message]).toEqual([403, expect.stringContaining(`denied the request: this ${kind} is refused`)]);
    }

    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'main', image: 'example:1' }] } };
    await must('POST', '/api/v1/namespaces/team/pods', pod);
    const query = { container: 'main', command: 'id', stdout: 'true' };
    const { status, body } = await ask('POST', '/api/v1/namespaces/team/pods/p/exec', undefined, { query });
    expect([status, body.message]).toEqual([403, expect.stringContaining('denied the request: id in team/p/main')]);
  });

  test("refusals reach the user as the API server's own do", async () => {
    const { status, body } = await ask('POST', SHOPS, shop('even', { size: 2 }));
    const causes = [
      { reason: 'FieldValueInvalid', field: 'spec.size', message: 'Invalid value: 2: must be odd' },
      { reason: 'FieldValueForbidden', field: 'metadata.name', message: 'Forbidden: even is taken' },
    ];
    const lines = causes.map(({ field, message }) => `${field}: ${message}`);
    expect([status, body.reason, body.message]).toEqual([
      422,
      'Invalid',
      `admission webhook "validating.shops.shop.example.com" denied the request: Shop.shop.example.com "even" is invalid: [${lines.join(', ')}]`,
    ]);
    expect(body.details).toEqual({ name: 'even', group: 'shop.example.com', kind: 'Shop', causes });
    const denied = await ask('POST', SHOPS, shop('b', { mode: 'never' }));
    expect([denied.status, denied.body.reason, denied.body.message]).toEqual([
      403,
      'Forbidden',
      'admission webhook "validating.shops.shop.example.com" denied the request: never at all',
    ]);
  });

  test('a handler that throws has denied nothing: the call has failed, and the user reads why', async () => {
    const { status, body } = await ask('POST', SHOPS, shop('b', { mode: 'throw' }));
    expect([status, body.message]).toEqual([
      500,
      expect.stringMatching(
        /^Internal error occurred: failed calling webhook "validating\.shops\.shop\.example\.com": .*TypeError: a fault of the operator/,
      ),
    ]);
    expect(log.texts.splice(0).join('\n')).toContain('error a webhook failed');
  });

  test('warnings and checks of deletions come through', async () => {
    const warned = await cluster.kubectl(['create', '-f', '-'], {
      stdin: JSON.stringify(shop('old', { mode: 'old' }, 'v1', { labels: { kept: 'yes' } })),
    });
    expect([warned.code, warned.stderr]).toEqual([0, expect.stringContaining('Warning: mode old goes away')]);
    const { status, body } = await ask('DELETE', `${SHOPS}/old`);
    expect([status, body.message]).toEqual([403, expect.stringContaining('denied the request: is kept')]);
    await must('DELETE', `${SHOPS}/a`);
  });

  test('lists are converted whole, and a failure names the object', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `list-${index}`);
    for (let at = 0; at < names.length; at += 30) {
      await Promise.all(
        names
          .slice(at, at + 30)
          .map((name) => must('POST', OLD_SHOPS, shop(name, { replicas: 5 }, 'v1beta1', { labels: { list: 'yes' } }))),
      );
    }
    const items = await listed(OLD_SHOPS, 'list=yes');
    expect(items).toHaveLength(300);
    expect(new Set(items.map(({ apiVersion, spec }) => JSON.stringify([apiVersion, spec])))).toEqual(
      new Set(['["shop.example.com/v1beta1",{"replicas":5}]']),
    );
    // Not stored: what cannot be converted keeps the API server from listing its whole kind.
    const { status, body } = await ask('POST', OLD_SHOPS, shop('broken', { replicas: 1 }, 'v1beta1'), { query: { dryRun: 'All' } });
    expect([status, body.message]).toEqual([
      500,
      expect.stringContaining('conversion of Shop team/broken from v1 to v1beta1 failed: RangeError: cannot be said in v1beta1'),
    ]);
    log.texts.length = 0;
  });

  test('H61 the certificate rotates under a steady stream of requests: not one fails', async () => {
    const shown = new Set<string>();
    running[0]?.manager.onChange(({ certificate }) => shown.add(certificate));
    const failures: unknown[] = [];
    let requests = 0;
    // Lists are put off while the definition changes, as it does after each certificate that is shown: our client comes again, and so does kubectl.
    const user = createClient({ connection: connectionOf({ server: cluster.url, ca: cluster.connection.ca, token: cluster.adminToken }) });
    const reading = (async () => {
      for (let rotations = 0; shown.size < 4; ) {
        const { items } = await user.list(Shop, { namespace: 'team', labelSelector: 'list=yes' });
        if (items.length !== 300) failures.push(items.length);
        if (shown.size === rotations) continue;
        rotations = shown.size;
        const { code, stderr } = await cluster.kubectl(['get', 'shops', '-n', 'team', '-l', 'list=yes', '-o', 'name']);
        if (code !== 0) failures.push(stderr);
      }
    })().finally(() => user.close());
    while (shown.size < 4) {
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          const { status, body } = await ask('POST', SHOPS, shop(`r-${requests++}`, {}), { query: { dryRun: 'All' } });
          const converted = await ask('GET', `${OLD_SHOPS}/list-${requests % 300}`);
          if (status !== 201 || converted.status !== 200) failures.push(body, converted.body);
        }),
      );
    }
    await reading;
    expect([failures, log.texts]).toEqual([[], []]);
    expect(requests).toBeGreaterThan(50);
  });
});
