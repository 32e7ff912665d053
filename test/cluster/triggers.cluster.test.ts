import { type InProcessCluster, type KubeApiServerCluster, mergePatch, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k, referenced, toSelectors, watch } from 'keelson';
import { ConfigMap, Namespace, Secret } from 'keelson/kinds';
import { z } from 'zod';
import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';

const Collector = defineCustomResource({
  group: 'triggers.example.com',
  kind: 'Collector',
  versions: {
    v1: {
      spec: z.object({ selector: k.labelSelector().optional(), namespaces: k.labelSelector().optional(), secret: z.string().optional() }),
    },
  },
});

let runs: string[] = [];
const operator = defineOperator({
  name: 'trigger-operator',
  controllers: [
    defineController({
      name: 'collector',
      for: Collector,
      watches: {
        configs: watch(ConfigMap, {
          enqueue: toSelectors(Collector, ({ spec }) => ({ labels: spec.selector, namespaces: spec.namespaces })),
        }),
        secrets: watch(Secret, { only: referenced(Collector, ({ spec }) => [spec.secret]) }),
      },
      reconcile({ object, secrets, trigger, done }) {
        const { secret } = object.spec;
        const seen = secret === undefined ? 'none' : (secrets.get(secret)?.data?.['a'] ?? 'missing');
        runs.push(`${object.metadata.name}: ${'object' in trigger ? trigger.object.name : trigger.cause} ${seen}`);
        return done();
      },
    }),
  ],
});

describeCluster('triggers by selection and by name', () => {
  const servers: readonly (readonly [string, () => Promise<InProcessCluster | KubeApiServerCluster>])[] = [
    ['in the process', () => TestCluster.start({ operator, namespace: 'shop' })],
    ['on kube-apiserver', () => startOnPool({ operator, namespace: 'shop' })],
  ];

  test.each(servers)('%s', async (_name, start) => {
    await using cluster = await start();
    runs = [];
    await cluster.create(Namespace({ metadata: { name: 'other' } }));
    await cluster.create(Secret({ metadata: { name: 'key' }, data: { a: 'MQ==' } }));
    await cluster.create(ConfigMap({ metadata: { name: 'c', namespace: 'other', labels: { team: 'a' } } }));
    await cluster.create(
      Collector({
        metadata: { name: 'far' },
        spec: { selector: { matchLabels: { team: 'a' } }, namespaces: { matchLabels: { in: 'yes' } } },
      }),
    );
    await cluster.create(Collector({ metadata: { name: 'near' }, spec: { selector: {}, secret: 'key' } }));
    await cluster.startOperator();
    const after = async (change: () => Promise<unknown>, ...expected: readonly string[]): Promise<void> => {
      runs = [];
      await change();
      await cluster.until(() => expect(runs.toSorted()).toEqual(expected));
    };
    await cluster.until(() => expect(runs.toSorted()).toEqual(['far: object none', 'near: object MQ==']));
    await after(() => cluster.create(ConfigMap({ metadata: { name: 'd' } })), 'near: d MQ==');
    await after(() => cluster.patch(Namespace, 'other', mergePatch({ metadata: { labels: { in: 'yes' } } })), 'far: c none');
    await after(
      () => cluster.patch(ConfigMap, { name: 'c', namespace: 'other' }, mergePatch({ metadata: { labels: { team: 'b' } } })),
      'far: c none',
    );
    await after(() => cluster.patch(Secret, 'key', mergePatch({ data: { a: 'Mg==' } })), 'near: key Mg==');
    await after(() => cluster.patch(Collector, 'near', mergePatch({ spec: { secret: 'other' } })), 'near: object missing');
    cluster.requests.expectNoneDenied();
  });
});
