import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:https';
import { type InProcessCluster, type KubeApiServerCluster, TestCluster } from '@keelson/testing';
import { parse } from 'yaml';
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

  test.each(servers)('%s, a request is in the log before it is answered: a test may have seen its effect by then', async (_name, start) => {
    await using cluster = await start();
    const { server, ...credentials } = connectionIn(await cluster.kubeconfig());
    const headers = { 'content-type': 'application/json', 'content-length': 1_000 };
    const created = request(`${server}/api/v1/namespaces/default/configmaps`, { ...credentials, method: 'POST', headers });
    created.write('{');
    const creates = () => cluster.requests.filter({ verb: 'create', kind: ConfigMap });
    await cluster.until(() => creates().filter({ answered: false }).length === 1);
    created.destroy();
    await once(created, 'error');
    await cluster.until(() => creates().filter({ answered: true }).length === 1);
    expect(creates()).toHaveLength(1);
  });

  test('what the control plane asks as it starts is not in the log', async () => {
    const binaries = requiredBinaries().directory;
    await using cluster = await TestCluster.start({ server: 'kube-apiserver', mode: 'cluster', binaries });
    cluster.requests.expectNone();
  });

  test('binaries that are not there are told, with how to get them', async () => {
    await expect(TestCluster.start({ server: 'kube-apiserver', binaries: '/nowhere' })).rejects.toThrow(
      /binaries are missing:\n {2}etcd: no executable \/nowhere\/etcd \(the option binaries\)\n.*setup-envtest/s,
    );
  });
});

/** Of a kubeconfig with one cluster and one user, who has a client certificate. */
function connectionIn(kubeconfig: string): { readonly server: string; readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer } {
  const { clusters, users } = parse(kubeconfig) as Kubeconfig;
  const [[{ cluster }], [{ user }]] = [clusters, users];
  const [ca, cert, key] = [cluster['certificate-authority-data'], user['client-certificate-data'], user['client-key-data']].map((data) =>
    Buffer.from(data, 'base64'),
  ) as [Buffer, Buffer, Buffer];
  return { server: cluster.server, ca, cert, key };
}

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }];
  readonly users: readonly [{ readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } }];
}
