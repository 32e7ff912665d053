import { defineCustomResource, k } from 'keelson';
import { CustomResourceDefinition } from 'keelson/constructs';
import { z } from 'zod';
import { applyDefaults } from '../../src/kubernetes/structural/index.js';
import { applyAll, readBack } from './checks/index.js';
import { describeCluster, type TestObject } from './harness/index.js';
import { manifestsOf } from './manifests/index.js';

const Shop = defineCustomResource({
  group: 'embedded.example.com',
  kind: 'Shop',
  versions: {
    v1: {
      spec: z.object({
        template: k.builtin('PodTemplateSpec'),
        sidecar: k.builtin('Container').optional(),
        ports: k.listMap(k.builtin('ServicePort'), 'port', 'protocol').optional(),
      }),
    },
  },
});

const written = {
  template: {
    spec: {
      containers: [
        {
          name: 'shop',
          ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }],
          env: [{ name: 'KEY', valueFrom: { configMapKeyRef: { key: 'key' } } }],
          livenessProbe: { grpc: { port: 9000 } },
        },
      ],
      imagePullSecrets: [{ name: 'pull' }],
      volumes: [
        { name: 'settings', configMap: {} },
        { name: 'disk', azureDisk: { diskName: 'd', diskURI: 'u' } },
        { name: 'block', rbd: { image: 'i', monitors: ['m'] } },
      ],
    },
  },
  sidecar: { name: 'proxy', ports: [{ containerPort: 80 }] },
  ports: [{ port: 80 }],
};

/** What the API server adds to a Pod or a Service of its own has to come from the schema where the type is embedded. */
const stored = {
  template: {
    spec: {
      containers: [
        {
          name: 'shop',
          ports: [
            { containerPort: 53, protocol: 'TCP' },
            { containerPort: 53, protocol: 'UDP' },
          ],
          env: [{ name: 'KEY', valueFrom: { configMapKeyRef: { key: 'key', name: '' } } }],
          livenessProbe: { grpc: { port: 9000, service: '' } },
        },
      ],
      imagePullSecrets: [{ name: 'pull' }],
      volumes: [
        { name: 'settings', configMap: { name: '' } },
        {
          name: 'disk',
          azureDisk: { diskName: 'd', diskURI: 'u', cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared', readOnly: false },
        },
        { name: 'block', rbd: { image: 'i', monitors: ['m'], keyring: '/etc/ceph/keyring', pool: 'rbd', user: 'admin' } },
      ],
    },
  },
  sidecar: { name: 'proxy', ports: [{ containerPort: 80, protocol: 'TCP' }] },
  ports: [{ port: 80, protocol: 'TCP' }],
};

describeCluster('defaults inside embedded built-in types', (cluster) => {
  const [definition] = manifestsOf('default', (chart) => {
    new CustomResourceDefinition(chart, 'shops', { definition: Shop });
  }) as [TestObject];
  let namespace: string;
  const shop = (name: string, spec: object): TestObject => ({
    apiVersion: 'embedded.example.com/v1',
    kind: 'Shop',
    metadata: { name, namespace },
    spec,
  });
  beforeAll(async () => {
    namespace = await cluster.namespace('embedded');
    await applyAll(cluster, [definition]);
  });
  afterAll(async () => cluster.must('DELETE', await cluster.paths.pathOf(definition)));

  test('are those that Kubernetes itself fills in, and those that our own defaulting gives', async () => {
    expect((await readBack(cluster, shop('read-back', written)))['spec']).toEqual(stored);
    const schema = Shop.versionList[0]?.schema.properties?.['spec'];
    expect(applyDefaults(schema as NonNullable<typeof schema>, structuredClone(written))).toEqual(stored);
  });

  test('complete the keys of lists, so that two managers each own their port', async () => {
    const path = await cluster.paths.pathOf(shop('shared', {}));
    const apply = (manager: string, ports: readonly object[]): Promise<TestObject> => {
      const spec = { template: {}, sidecar: { name: 'proxy', ports } };
      const query = { fieldManager: manager, fieldValidation: 'Strict' };
      return cluster.must('PATCH', path, shop('shared', spec), { contentType: 'application/apply-patch+yaml', query });
    };
    await apply('one', [{ containerPort: 53 }]);
    const both = await apply('two', [{ containerPort: 53, protocol: 'UDP' }]);
    expect((both['spec'] as { sidecar: object }).sidecar).toEqual({
      name: 'proxy',
      ports: [
        { containerPort: 53, protocol: 'TCP' },
        { containerPort: 53, protocol: 'UDP' },
      ],
    });
    const one = await apply('one', []);
    expect((one['spec'] as { sidecar: { ports: object[] } }).sidecar.ports).toEqual([{ containerPort: 53, protocol: 'UDP' }]);
  });
});
