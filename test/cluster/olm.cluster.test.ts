import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '@keelson/api-server';
import { parse, stringify } from 'yaml';
import { memcachedBundle } from '../../examples/memcached/bundle.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { describeCluster, SharedCluster } from './harness/index.js';

const NAMESPACE = 'operators';

interface ServiceVersion {
  readonly spec: {
    readonly install: {
      readonly spec: {
        readonly deployments: readonly { readonly name: string; readonly label: object; readonly spec: object }[];
        readonly permissions: readonly { readonly serviceAccountName: string; readonly rules: readonly object[] }[];
        readonly clusterPermissions: readonly { readonly serviceAccountName: string; readonly rules: readonly object[] }[];
      };
    };
    readonly webhookdefinitions: readonly Webhook[];
  };
}

interface Webhook {
  readonly type: string;
  readonly generateName: string;
  readonly webhookPath: string;
  readonly deploymentName: string;
  readonly containerPort: number;
  readonly targetPort: number;
}

/** The objects that OLM makes from a ClusterServiceVersion, as its install strategy does; OLM itself is not there. */
function installed({ spec }: ServiceVersion): object[] {
  const { deployments, permissions, clusterPermissions } = spec.install.spec;
  return [
    ...permissions.flatMap(({ serviceAccountName: name, rules }) => [
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: NAMESPACE } },
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name, namespace: NAMESPACE }, rules },
    ]),
    ...clusterPermissions.map(({ serviceAccountName: name, rules }) => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name },
      rules,
    })),
    ...deployments.map(({ name, label: labels, spec: deployment }) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: NAMESPACE, labels },
      spec: deployment,
    })),
    ...spec.webhookdefinitions.map(configuration),
  ];
}

function configuration({
  type,
  generateName,
  webhookPath,
  deploymentName,
  containerPort,
  targetPort: _target,
  ...webhook
}: Webhook): object {
  const service = { name: `${deploymentName}-service`, namespace: NAMESPACE, path: webhookPath, port: containerPort };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${type.replace('Admission', '')}Configuration`,
    metadata: { name: generateName },
    webhooks: [{ name: generateName, clientConfig: { service }, ...webhook }],
  };
}

describeCluster('the objects of an OLM bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-olm-'));
  let embedded: ApiServer;
  let cluster: SharedCluster;
  const kubeconfigs: string[] = [];

  beforeAll(async () => {
    cluster = SharedCluster.take('bare');
    embedded = await ApiServer.start();
    const kubeconfig = join(folder, 'embedded.kubeconfig');
    writeFileSync(kubeconfig, embedded.kubeconfig(), { mode: 0o600 });
    kubeconfigs.push(kubeconfig, cluster.kubeconfig);
  });
  afterAll(async () => {
    await embedded?.close();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ['the embedded server', 0],
    ['a kube-apiserver', 1],
  ])('are taken by %s, strictly', async (_name, index) => {
    const kubectl = (...args: readonly string[]): Promise<string> =>
      new Promise((resolve, reject) => {
        const command = ['--kubeconfig', kubeconfigs[index] ?? '', ...args];
        execFile(cluster.connection.kubectl, command, { timeout: DEADLINE_MS }, (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`kubectl ${args.join(' ')}: ${stderr}`));
        });
      });
    const files = memcachedBundle.files().filter(({ path }) => path.startsWith('manifests/'));
    const isVersion = ({ path }: { readonly path: string }): boolean => path.includes('clusterserviceversion');
    const version = parse(files.find(isVersion)?.text ?? '') as ServiceVersion;
    const file = join(folder, `objects-${index}.yaml`);
    const others = files.filter((each) => !isVersion(each)).map(({ text }) => text);
    writeFileSync(file, [...others, ...installed(version).map((object) => stringify(object, { version: '1.1' }))].join('---\n'));
    await kubectl('create', 'namespace', NAMESPACE);
    const output = await kubectl('create', '--validate=strict', '--namespace', NAMESPACE, '--filename', file);
    expect(output.trim().split('\n')).toHaveLength(others.length + installed(version).length);
    expect(output).toContain('deployment.apps/memcached-operator created');
  });
});
