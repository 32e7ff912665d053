import { randomBytes } from 'node:crypto';
import { type InProcessCluster, type KubeApiServerCluster, TestCluster } from 'keelson/testing';
import { describeCluster, requiredBinaries } from './harness/index.js';
import { suiteOn } from './test-cluster/suite.js';
import { ConfigMap, operator, Secret, Widget } from './test-cluster/widget.js';

describeCluster('one suite runs', (shared) => {
  describe('in the process', () => {
    suiteOn(() => ({ namespace: 'tested' }));
  });

  describe('on binaries of its own', () => {
    suiteOn(() => ({ server: 'kube-apiserver', binaries: requiredBinaries().directory, namespace: 'tested' }));
  });

  describe('on a cluster that is there', () => {
    const namespace = `suite-${randomBytes(4).toString('hex')}`;
    suiteOn(() => ({ server: 'existing', kubeconfig: shared.kubeconfig, context: 'admin', namespace }));

    afterAll(async () => {
      const left = [
        `/api/v1/namespaces/${namespace}`,
        '/api/v1/namespaces/widget-operator-system',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.suite.example.com',
        '/apis/rbac.authorization.k8s.io/v1/clusterroles/widget-operator',
      ];
      const answers = await Promise.all(left.map((path) => shared.request('GET', path)));
      // What the suite made is gone; the cluster is as it was.
      expect(answers.map(({ status }) => status)).toEqual(left.map(() => 404));
    });
  });
});

describeCluster('beside the verbs', () => {
  const servers: readonly (readonly [string, () => Promise<InProcessCluster | KubeApiServerCluster>])[] = [
    ['in the process', () => TestCluster.start({ operator })],
    ['on binaries', () => TestCluster.start({ server: 'kube-apiserver', binaries: requiredBinaries().directory, operator })],
  ];

  test.each(servers)('%s, the log tells the requests of others, and a cluster comes to rest', async (_name, start) => {
    await using cluster = await start();
    await cluster.create(Widget({ metadata: { name: 'a' }, spec: {} }));
    await cluster.settled();
    cluster.requests.expectNone();
    const asOperator = cluster.as(cluster.operator);
    await asOperator.list(Widget);
    cluster.requests.expectNoWrites();
    cluster.requests.expectNoneDenied();
    const { mark } = cluster.requests;
    await asOperator.create(ConfigMap({ metadata: { name: 'b' } }));
    await expect(asOperator.get(Secret, 'c')).rejects.toThrow('cannot get resource "secrets"');
    await cluster.settled();
    const { requests } = cluster;
    expect(requests.since(mark).all.map(({ verb, resource, code }) => [verb, resource, code])).toEqual([
      ['create', 'configmaps', 201],
      ['get', 'secrets', 403],
    ]);
    expect(requests.filter({ kind: Widget, verb: ['list', 'watch'] })).toHaveLength(1);
    expect(requests.byVerb('create').filter({ kind: 'configmaps', namespace: 'default' })).toHaveLength(1);
    expect(() => requests.expectNoWrites()).toThrow(/expected no writes, but there is 1:\n.*\n.*create +configmaps +default\/\* +201/);
    requests.expectNoWrites({ except: [ConfigMap] });
    expect(() => requests.expectNoneDenied()).toThrow(/widget-operator +get +secrets +default\/c +403/);
    expect(requests.byUser('system:serviceaccount:widget-operator-system:widget-operator')).toHaveLength(3);
  });

  test('binaries that are not there are told, with how to get them', async () => {
    await expect(TestCluster.start({ server: 'kube-apiserver', binaries: '/nowhere' })).rejects.toThrow(
      /binaries are missing:\n {2}etcd: no executable \/nowhere\/etcd \(the option binaries\)\n.*setup-envtest/s,
    );
  });
});
