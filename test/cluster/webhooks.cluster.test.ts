import { defineController, defineCustomResource, defineOperator, mutating, validating } from 'keelson';
import { Operator } from 'keelson/constructs';
import { ConfigMap, EndpointSlice, Lease, Pod, Secret } from 'keelson/kinds';
import { z } from 'zod';
import { operator as memcachedOperator } from '../../examples/memcached/memcached-operator.js';
import { eventually } from '../eventually.js';
import { applyAll, dryRunUntil } from './checks/index.js';
import {
  type ApiResponse,
  describeCluster,
  ServiceNetwork,
  type ServingCertificate,
  SharedCluster,
  type Status,
  servingCertificate,
  type TestObject,
  WebhookServer,
} from './harness/index.js';
import { manifestsOf } from './manifests/index.js';
import { answerOf, conversionAnswerOf } from './webhook-host.js';

/** Cluster-scoped, in two versions. */
const Pool = defineCustomResource({
  group: 'net.example.com',
  kind: 'Pool',
  scope: 'Cluster',
  versions: {
    v1: { spec: z.object({ cidrs: z.array(z.string()) }), storage: true },
    v1beta1: { spec: z.object({ cidr: z.string() }) },
  },
  convert: {
    v1beta1: {
      toStorage: ({ spec: { cidr } }) => ({ spec: { cidrs: Array.of(cidr) } }),
      fromStorage: ({ spec }) => ({ spec: { cidr: spec.cidrs[0] ?? '' } }),
      lossy: { fromStorage: { 'spec.cidrs': 'v1beta1 has one' } },
    },
  },
});

const podGuard = validating(
  Pod,
  { create: () => [] },
  { matchConditions: [{ name: 'not-exempt', expression: "!('exempt' in object.metadata.?labels.orValue({}))" }] },
);
const guardOperator = defineOperator({
  name: 'guard',
  controllers: [defineController({ name: 'pool', for: Pool, reconcile: ({ done }) => done() })],
  webhooks: [
    podGuard,
    validating(Pool, () => []),
    mutating(ConfigMap, { failurePolicy: 'Ignore', select: { labels: { watched: 'yes' } }, apply: () => undefined }),
  ],
});

/** On what it needs itself; in two namespaces, so that the others of this suite are left alone. */
const itsOwn = { namespaceSelector: { matchExpressions: [{ key: 'keeper', operator: 'Exists' }] } } as const;
const keeperOperator = defineOperator({
  name: 'keeper',
  webhooks: [validating(Secret, () => [], itsOwn), validating(Lease, () => [], itsOwn), validating(EndpointSlice, () => [], itsOwn)],
});

const OPERATORS = [
  { name: 'memcached-operator', namespace: 'memcached-system', operator: memcachedOperator },
  { name: 'guard', namespace: 'guard-system', operator: guardOperator },
] as const;
const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
const MEMCACHEDS = '/apis/cache.example.com/v1alpha1/namespaces/team/memcacheds';

const memcached = (name: string, spec: object, namespace = 'team'): TestObject => ({
  apiVersion: 'cache.example.com/v1alpha1',
  kind: 'Memcached',
  metadata: { name, namespace },
  spec,
});
const pod = (name: string, namespace: string, labels = {}): TestObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, labels },
  spec: { containers: [{ name: 'a', image: 'a:1' }] },
});
const configMap = (name: string, namespace: string, labels = {}): TestObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, labels },
});
const secret = (name: string, namespace: string): TestObject => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } });
const lease = (name: string, namespace: string): TestObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, namespace },
});
const endpoints = (name: string, namespace: string): TestObject => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name, namespace },
  addressType: 'IPv4',
  endpoints: [],
});
const pool = (name: string, version: string, spec: object): TestObject => ({
  apiVersion: `net.example.com/${version}`,
  kind: 'Pool',
  metadata: { name },
  spec,
});

describeCluster('webhooks, as the API server calls them', () => {
  let network: ServiceNetwork;
  let cluster: SharedCluster;
  let deployments: readonly TestObject[];

  beforeAll(async () => {
    cluster = SharedCluster.take('bare');
    network = await ServiceNetwork.open(cluster);
    for (const name of ['team', 'guard-system', 'keeper-system', 'keeper-team', 'kube-node-lease']) {
      const labels = name === 'team' || name === 'guard-system' ? {} : { keeper: 'yes' };
      const answer = await cluster.request('POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, labels },
      });
      // The API server makes kube-node-lease itself.
      expect([201, name === 'kube-node-lease' ? 409 : 201]).toContain(answer.status);
    }
    const manifests = OPERATORS.flatMap(({ namespace, operator }) =>
      manifestsOf(namespace, (chart) => {
        new Operator(chart, 'operator', { operator, image: 'example:1', createNamespace: namespace === 'memcached-system' });
      }),
    );
    deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    const keeper = manifestsOf('keeper-system', (chart) => {
      new Operator(chart, 'operator', { operator: keeperOperator, image: 'example:1' });
    });
    await applyAll(cluster, [...manifests, ...keeper]);
    await untilInForce();
  });
  afterAll(async () => {
    await cluster?.stop();
    await network?.close();
  });

  /** The API server learns of a configuration by a watch, a moment after it has stored it. */
  async function untilInForce(): Promise<void> {
    const probes = [memcached('probe', {}), pod('probe', 'team'), pool('probe', 'v1', { cidrs: [] }), secret('probe', 'keeper-team')];
    for (const probe of probes) {
      const last = await dryRunUntil(cluster, probe, 500);
      expect(last).toMatchObject({ status: 500, body: { message: expect.stringContaining('failed calling webhook') } });
    }
    // One that fails open shows in who is looked for.
    const guard = await addressOf(OPERATORS[1]);
    await eventually(async () => {
      network.dialled.length = 0;
      await dryRun(configMap('probe', 'team', { watched: 'yes' }));
      return network.dialled.includes(guard);
    });
  }

  async function dryRun(object: TestObject): Promise<ApiResponse<Status>> {
    return cluster.request<Status>('POST', await cluster.paths.collectionOf(object), object, { query: { dryRun: 'All' } });
  }

  /** Where the API server looks for an operator: the address of its Service, and the port that the configuration names. */
  async function addressOf({ name, namespace }: { name: string; namespace: string }): Promise<string> {
    const service = await cluster.must<{ spec: { clusterIP: string } }>('GET', `/api/v1/namespaces/${namespace}/services/${name}-webhook`);
    return `${service.spec.clusterIP}:443`;
  }

  describe('while nobody answers', () => {
    test('a Memcached is refused, and the operator of its definition is the one that was looked for', async () => {
      network.dialled.length = 0;
      const { status, body } = await cluster.request<Status>('POST', MEMCACHEDS, memcached('a', { size: 3 }));
      expect(status).toBe(500);
      expect(body.message).toMatch(
        /failed calling webhook "defaulting\.memcacheds\.cache\.example\.com": .*https:\/\/memcached-operator-webhook\.memcached-system\.svc:443\/defaulting\/cache\.example\.com\/v1alpha1\/memcacheds\?timeout=5s/,
      );
      expect([...new Set(network.dialled)]).toEqual([await addressOf(OPERATORS[0])]);
      for (const namespace of ['memcached-system', 'kube-system']) {
        expect((await dryRun(memcached('a', { size: 3 }, namespace))).status).toBe(500);
      }
    });

    test('pods of the operator and of kube-system start, all others wait (H59)', async () => {
      const operatorPod = deployments.map(({ metadata, spec }): TestObject => {
        const { template } = spec as { template: { metadata: object; spec: object } };
        return {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { ...template.metadata, name: `${metadata.name}-0`, namespace: metadata.namespace as string },
          spec: template.spec,
        };
      });
      const answers = await Promise.all([...operatorPod.slice(1), pod('dns', 'kube-system'), pod('web', 'team')].map(dryRun));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 500]);
      expect(answers[2]?.body.message).toContain('failed calling webhook "validating.pods.core"');
    });

    test('what the operator needs to come up does not wait for it: its certificate, its Lease, its addresses (H59)', async () => {
      const needed = [secret, lease, endpoints];
      const own = await Promise.all(needed.map((make) => dryRun(make('own', 'keeper-system'))));
      expect(own.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect((await dryRun(lease('node', 'kube-node-lease'))).status).toBe(201);
      const others = await Promise.all(needed.map((make) => dryRun(make('other', 'keeper-team'))));
      expect(others.map(({ status, body }) => [status, /failed calling webhook "([^"]*)"/.exec(body.message ?? '')?.[1]])).toEqual([
        [500, 'validating.secrets.core'],
        [500, 'validating.leases.coordination.k8s.io'],
        [500, 'validating.endpointslices.discovery.k8s.io'],
      ]);
    });

    test('custom resources wait in every namespace: no pod depends on them', async () => {
      const answers = await Promise.all(['memcached-system', 'kube-system'].map((namespace) => dryRun(memcached('own', {}, namespace))));
      expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    });

    test('what a match condition, an operation or a resource leaves out is not asked about', async () => {
      expect((await dryRun(pod('a', 'team', { exempt: 'yes' }))).status).toBe(201);
      await cluster.must('POST', '/api/v1/namespaces/team/pods', pod('kept', 'team', { exempt: 'yes' }));
      const merge = { contentType: 'application/merge-patch+json' };
      await cluster.must('PATCH', '/api/v1/namespaces/team/pods/kept', { metadata: { labels: { exempt: null } } }, merge);
      await cluster.must('PATCH', '/api/v1/namespaces/team/pods/kept/status', { status: { phase: 'Running' } }, merge);
      await cluster.must('DELETE', '/api/v1/namespaces/team/pods/kept', { gracePeriodSeconds: 0 });
    });

    test('a webhook that fails open keeps nobody from working', async () => {
      network.dialled.length = 0;
      expect((await dryRun(configMap('a', 'team'))).status).toBe(201);
      expect(network.dialled).toEqual([]);
      expect((await dryRun(configMap('a', 'team', { watched: 'yes' }))).status).toBe(201);
      expect([...new Set(network.dialled)]).toEqual([await addressOf(OPERATORS[1])]);
    });

    test('objects of a cluster-scoped kind are judged although no namespace selects them', async () => {
      const { status, body } = await dryRun(pool('a', 'v1', { cidrs: [] }));
      expect([status, body.message]).toEqual([500, expect.stringContaining('failed calling webhook "validating.pools.net.example.com"')]);
    });

    test("'*' that fails closed cannot be declared (H59)", () => {
      expect(() => mutating(Pod, { subresource: '*', apply: () => undefined })).toThrow("failurePolicy: is 'Fail' for '*'");
    });
  });

  describe('with a server behind the Service', () => {
    let servers: WebhookServer[];
    let certificates: ServingCertificate[];

    beforeAll(async () => {
      certificates = OPERATORS.map(({ name, namespace }) => servingCertificate([`${name}-webhook.${namespace}.svc`]));
      servers = await Promise.all(certificates.map(WebhookServer.listen));
      for (const [index, { operator, ...place }] of OPERATORS.entries()) {
        const server = servers[index] as WebhookServer;
        for (const webhook of operator.webhooks) server.answer(webhook.path, answerOf(webhook));
        network.route(await addressOf(place), server.port);
      }
      servers[1]?.answer('/convert', conversionAnswerOf(Pool.conversions ?? {}, Pool.storageVersion));
    });
    afterAll(() => Promise.all((servers ?? []).map((server) => server.close())));

    const asOperator = ({ name, namespace }: { name: string; namespace: string }) => ({
      impersonate: {
        user: `system:serviceaccount:${namespace}:${name}`,
        groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
      },
    });

    test('the Service leads to the port that the operator serves on', async () => {
      for (const [index, { name, namespace }] of OPERATORS.entries()) {
        const service = await cluster.must<ServiceObject>('GET', `/api/v1/namespaces/${namespace}/services/${name}-webhook`);
        const { template } = (deployments[index] as TestObject)['spec'] as DeploymentSpec;
        const [port] = service.spec.ports;
        const served = template.spec.containers
          .flatMap(({ ports }) => ports)
          .find((containerPort) => containerPort.name === port?.targetPort);
        expect([service.spec.ports.length, port?.port, served?.containerPort]).toEqual([1, 443, 9443]);
        expect(template.metadata.labels).toMatchObject(service.spec.selector);
      }
    });

    test('a certificate that nobody vouches for is not trusted', async () => {
      const { status, body } = await dryRun(memcached('a', {}));
      expect(status).toBe(500);
      expect(body.message).toContain('x509: certificate signed by unknown authority');
    });

    test("the operator's own rights suffice to keep a certificate and to vouch for it, and reach no configuration of its neighbour", async () => {
      for (const [index, place] of OPERATORS.entries()) {
        const { key, certificate } = certificates[index] as ServingCertificate;
        const secrets = `/api/v1/namespaces/${place.namespace}/secrets`;
        const data = { 'tls.crt': toBase64(certificate), 'tls.key': toBase64(key) };
        const secret = {
          apiVersion: 'v1',
          kind: 'Secret',
          type: 'kubernetes.io/tls',
          metadata: { name: `${place.name}-certificate` },
          data,
        };
        await cluster.must('POST', secrets, secret, asOperator(place));
        await cluster.must('GET', `${secrets}/${place.name}-certificate`, undefined, asOperator(place));
        for (const path of configurationsOf(place)) await inject({ path, place, caBundle: toBase64(certificate) });
        const neighbour = OPERATORS[1 - index] as (typeof OPERATORS)[number];
        for (const path of configurationsOf(neighbour)) {
          expect((await cluster.request('GET', path, undefined, asOperator(place))).status).toBe(403);
        }
      }
      await untilTrusted();
    });

    const configurationsOf = ({ name }: { name: string }): string[] => [
      `${REGISTRATION}/mutatingwebhookconfigurations/${name}`,
      `${REGISTRATION}/validatingwebhookconfigurations/${name}`,
      ...(name === 'guard' ? ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions/pools.net.example.com'] : []),
    ];

    async function inject({ path, place, caBundle }: { path: string; place: (typeof OPERATORS)[number]; caBundle: string }): Promise<void> {
      const found = await cluster.must<{ webhooks?: readonly object[] }>('GET', path, undefined, asOperator(place));
      const patch =
        found.webhooks === undefined
          ? [{ op: 'add', path: '/spec/conversion/webhook/clientConfig/caBundle', value: caBundle }]
          : found.webhooks.map((_, index) => ({ op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value: caBundle }));
      await cluster.must('PATCH', path, patch, { ...asOperator(place), contentType: 'application/json-patch+json' });
    }

    /** As with {@link untilInForce}. */
    async function untilTrusted(): Promise<void> {
      const probes = [memcached('probe', {}), pod('probe', 'team'), pool('probe', 'v1beta1', { cidr: 'a' })];
      for (const probe of probes) expect(await dryRunUntil(cluster, probe, 201)).toMatchObject({ status: 201 });
      await eventually(async () => {
        servers[1]?.takeReceived();
        await dryRun(configMap('probe', 'team', { watched: 'yes' }));
        return servers[1]?.received.length === 1;
      });
      for (const server of servers) server.takeReceived();
    }

    test('a Memcached is defaulted by the schema, then by the operator, then checked; and stored so', async () => {
      const created = await cluster.must('POST', MEMCACHEDS, memcached('sample', {}));
      const spec = { size: 3, port: 11211 };
      expect(created['spec']).toEqual({ ...spec, resources: { requests: { memory: '96Mi' } } });
      const received = servers[0]?.takeReceived() ?? [];
      expect(received.map(({ path, apiVersion, kind, request }) => [path, apiVersion, kind, request.object?.['spec']])).toEqual([
        ['/defaulting/cache.example.com/v1alpha1/memcacheds', 'admission.k8s.io/v1', 'AdmissionReview', spec],
        ['/validating/cache.example.com/v1alpha1/memcacheds', 'admission.k8s.io/v1', 'AdmissionReview', created['spec']],
      ]);
      expect(received[0]?.request).toMatchObject({
        operation: 'CREATE',
        namespace: 'team',
        name: 'sample',
        dryRun: false,
        oldObject: null,
      });
    });

    test('an update brings the old object with it, a dry run says that it is one', async () => {
      const merge = { contentType: 'application/merge-patch+json', query: { dryRun: 'All' } };
      await cluster.must('PATCH', `${MEMCACHEDS}/sample`, { spec: { size: 5 } }, merge);
      const sizes = servers[0]
        ?.takeReceived()
        .map(({ request }) => [request.operation, request.dryRun, sizeOf(request.object), sizeOf(request.oldObject)]);
      expect(sizes).toEqual([
        ['UPDATE', true, 5, 3],
        ['UPDATE', true, 5, 3],
      ]);
    });

    test("the operator's word is the last: its message reaches the user", async () => {
      const { status, body } = await dryRun(memcached('even', { size: 2 }));
      expect([status, body.message]).toEqual([
        422,
        'admission webhook "validating.memcacheds.cache.example.com" denied the request: spec.size: must be odd',
      ]);
    });

    test('the schema speaks before the operator is asked to check', async () => {
      servers[0]?.takeReceived();
      expect((await dryRun(memcached('big', { size: 7 }))).body.details?.causes?.[0]?.field).toBe('spec.size');
      expect(servers[0]?.takeReceived().map(({ path }) => path.split('/')[1])).toEqual(['defaulting']);
    });

    // Scaling goes past the check, as everywhere in Kubernetes: a rule in CEL would see it.
    test('writes of the status, scaling and deletion ask nobody', async () => {
      const merge = { contentType: 'application/merge-patch+json' };
      await cluster.must('PATCH', `${MEMCACHEDS}/sample/status`, { status: { replicas: 1 } }, merge);
      await cluster.must('PATCH', `${MEMCACHEDS}/sample/scale`, { spec: { replicas: 4 } }, merge);
      await cluster.must('DELETE', `${MEMCACHEDS}/sample`);
      expect(servers[0]?.takeReceived()).toEqual([]);
    });

    test("the operator's custom resources are judged in its own namespace and in kube-system too; kinds of others are not", async () => {
      for (const namespace of ['memcached-system', 'kube-system']) {
        expect(await dryRun(memcached('own', { size: 2 }, namespace))).toMatchObject({ status: 422 });
        expect(servers[0]?.takeReceived().map(({ path }) => path.split('/')[1])).toEqual(['defaulting', 'validating']);
      }
      for (const namespace of ['guard-system', 'kube-system']) expect((await dryRun(pod('a', namespace))).status).toBe(201);
      expect(servers[1]?.takeReceived()).toEqual([]);
    });

    test('a webhook for a kind of others gets what its selector and conditions leave', async () => {
      for (const labels of [{}, { exempt: 'yes' }]) expect((await dryRun(pod('a', 'team', labels))).status).toBe(201);
      for (const labels of [{}, { watched: 'yes' }]) expect((await dryRun(configMap('b', 'team', labels))).status).toBe(201);
      expect(servers[1]?.takeReceived().map(({ path, request }) => [path, request.object?.metadata.labels])).toEqual([
        ['/validating/core/v1/pods', undefined],
        ['/mutating/core/v1/configmaps', { watched: 'yes' }],
      ]);
    });

    test('an object in an old version is converted, judged in the version of the webhook, and read in both', async () => {
      await cluster.must('POST', '/apis/net.example.com/v1beta1/pools', pool('p', 'v1beta1', { cidr: '10.0.0.0/8' }));
      const received = servers[1]?.takeReceived() ?? [];
      const admitted = received.find(({ kind }) => kind === 'AdmissionReview');
      expect(admitted).toMatchObject({ path: '/validating/net.example.com/v1/pools', request: { resource: { version: 'v1' } } });
      expect(admitted?.request).not.toHaveProperty('namespace');
      expect(admitted?.request.object).toMatchObject(pool('p', 'v1', { cidrs: ['10.0.0.0/8'] }));
      const conversions = received.filter(({ kind }) => kind === 'ConversionReview');
      expect([...new Set(conversions.map(({ path, apiVersion }) => `${path} ${apiVersion}`))]).toEqual([
        '/convert apiextensions.k8s.io/v1',
      ]);
      expect(await cluster.must('GET', '/apis/net.example.com/v1/pools/p')).toMatchObject(pool('p', 'v1', { cidrs: ['10.0.0.0/8'] }));
      expect(await cluster.must('GET', '/apis/net.example.com/v1beta1/pools/p')).toMatchObject(
        pool('p', 'v1beta1', { cidr: '10.0.0.0/8' }),
      );
    });
  });
});

const sizeOf = (object: TestObject | null | undefined): unknown => (object?.['spec'] as { size: number } | undefined)?.size;

const toBase64 = (text: string): string => Buffer.from(text).toString('base64');

interface ServiceObject {
  readonly spec: { readonly ports: readonly { port: number; targetPort: string }[]; readonly selector: Record<string, string> };
}

interface DeploymentSpec {
  readonly template: {
    readonly metadata: { readonly labels: Record<string, string> };
    readonly spec: { readonly containers: readonly { readonly ports: readonly { name: string; containerPort: number }[] }[] };
  };
}
