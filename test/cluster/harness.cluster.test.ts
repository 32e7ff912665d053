import { existsSync } from 'node:fs';
import { KUBERNETES_VERSION } from '../../src/kubernetes/kinds/index.js';
import { eventually } from '../eventually.js';
import { describeCluster, type LocalCluster, SharedCluster, startCluster } from './harness/index.js';
import { inventoryOf } from './harness/sweep.js';

const configMap = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { key: 'value' },
});
const configMaps = '/api/v1/namespaces/default/configmaps';

describeCluster('the shared cluster', (cluster) => {
  test('runs the pinned version', async () => {
    const { gitVersion } = await cluster.must<{ gitVersion: string }>('GET', '/version');
    expect(gitVersion).toBe(KUBERNETES_VERSION);
  });

  test('kubectl reaches it as any of its users', async () => {
    const admin = await cluster.kubectl(['auth', 'can-i', '*', '*']);
    expect([admin.code, admin.stdout]).toEqual([0, 'yes\n']);
    const stranger = await cluster.kubectl(['auth', 'can-i', 'list', 'secrets'], { user: 'stranger' });
    expect([stranger.code, stranger.stdout]).toEqual([1, 'no\n']);
  });

  test('a request in the name of another user is judged, and audited, as that user', async () => {
    const impersonate = { user: 'system:serviceaccount:default:robot', groups: ['system:authenticated'] };
    const response = await cluster.request('GET', '/api/v1/namespaces/default/secrets', undefined, { impersonate });
    expect(response.status).toBe(403);
    const entry = cluster.audit().find(({ impersonatedUser }) => impersonatedUser?.username === impersonate.user);
    expect(entry).toMatchObject({ verb: 'list', objectRef: { resource: 'secrets', namespace: 'default' }, responseStatus: { code: 403 } });
  });

  test('warnings of the server arrive in full', async () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'a', typo: 1 }] } };
    const query = { dryRun: 'All', fieldValidation: 'Warn' };
    const { warnings } = await cluster.request('POST', '/api/v1/namespaces/default/pods', pod, { query });
    expect(warnings).toEqual(['unknown field "spec.containers[0].typo"']);
  });
});

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Nobody answers for any of it. */
const service = { service: { name: 'nobody', namespace: 'default' } };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'leftovers.sweep.example.com' },
  spec: {
    group: 'sweep.example.com',
    scope: 'Namespaced',
    names: { plural: 'leftovers', singular: 'leftover', kind: 'Leftover', listKind: 'LeftoverList' },
    conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig: service } },
    versions: ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema: { openAPIV3Schema: { type: 'object' } } })),
  },
};
const judge = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'refuses-all' },
  webhooks: [
    {
      name: 'refuses.sweep.example.com',
      clientConfig: service,
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

describe.each(['bare', 'managed'] as const)('a control plane of the pool, %s,', (sort) => {
  describeCluster('is swept', () => {
    test('of what cannot be read, is refused, waits for a node, or has a finalizer', async () => {
      const cluster = SharedCluster.take(sort);
      const namespace = await cluster.namespace('swept');
      const metadata = { name: 'left', finalizers: ['sweep.example.com/nobody'] };
      await cluster.must('POST', crds, definition);
      await cluster.untilServed(definition.metadata.name);
      await cluster.must('POST', `/apis/sweep.example.com/v1/namespaces/${namespace}/leftovers`, {
        apiVersion: 'sweep.example.com/v1',
        kind: 'Leftover',
        metadata,
      });
      const spec = { containers: [{ name: 'a', image: 'a' }], nodeName: 'nowhere' };
      const pods = `/api/v1/namespaces/${namespace}/pods`;
      await cluster.must('POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'left' }, spec });
      await cluster.must('DELETE', `${pods}/left`);
      await cluster.must('POST', '/api/v1/namespaces/default/configmaps', { ...configMap('left'), metadata });
      await cluster.must('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', judge);
      await cluster.stop();
      const isOfManager = (path: string): boolean => path.startsWith('/api/v1/namespaces/kube-system/serviceaccounts/');
      const left = (await inventoryOf(cluster)).filter((path) => !isOfManager(path));
      expect(left.toSorted()).toEqual(cluster.connection.inventory?.filter((path) => !isOfManager(path)).toSorted());
      cluster.disconnect();
    });
  });
});

describeCluster('a cluster of its own', () => {
  let own: LocalCluster;
  beforeAll(async () => {
    own = await startCluster({ users: { alice: ['developers'] } });
  });
  afterAll(() => own.stop());

  test('keeps its objects when the API server is killed and started again', async () => {
    await own.must('POST', configMaps, configMap('kept'));
    await own.apiServer.kill();
    expect(own.apiServer.isRunning).toBe(false);
    await expect(own.request('GET', configMaps)).rejects.toThrow();
    await own.apiServer.start();
    expect((await own.must('GET', `${configMaps}/kept`))['data']).toEqual({ key: 'value' });
  });

  test('answers 5xx while etcd is away, and recovers', async () => {
    await own.etcd.kill();
    const { status } = await own.request('POST', configMaps, configMap('lost'), { query: { timeout: '2s' } });
    expect(status).toBeGreaterThanOrEqual(500);
    await own.etcd.start();
    await eventually(async () => (await own.request('POST', configMaps, configMap('late'))).status < 500);
  });

  test('a component that cannot start shows the end of its log', async () => {
    await expect(startCluster({ apiServerFlags: ['--no-such-flag'] })).rejects.toThrow(
      /kube-apiserver ended with code 1; .*unknown flag: --no-such-flag/s,
    );
  });

  test('leaves no process and no file behind', async () => {
    const other = await startCluster();
    const [pid, { directory }] = [other.apiServer.pid as number, other.connection];
    await other.stop();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(existsSync(directory)).toBe(false);
  });
});
