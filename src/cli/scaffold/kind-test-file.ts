import { importLines } from './import-lines.js';
import type { KindFile } from './kind-file.js';
import { TEST_MODULES, type TestRunner } from './test-runner.js';

export interface KindTestFile extends KindFile {
  readonly runner: TestRunner;
}

/** The tests of a kind and its controller: one call of the controller, then the whole operator on an API server in the test's process. */
export function kindTestFile(options: KindTestFile): string {
  const { kind, variable, file, runner, olderVersion, webhooks } = options;
  const imports = importLines({
    [TEST_MODULES[runner]]: ['afterAll', 'beforeAll', 'expect', 'test'],
    'keelson/kinds': ['Deployment', 'Service'],
    '@keelson/testing': ['type InProcessCluster', 'mergePatch', 'reconcileOnce', 'TestCluster'],
    [`./${file}.js`]: ['deploymentFor', kind, 'serviceFor', `${variable}Controller`],
    './operator.js': ['operator'],
  });
  return `${imports}
const IMAGE = 'registry.example.com/app:1.0';

test('wants a Deployment and a Service, and promises nothing before there are pods', async () => {
  const object = ${kind}({ metadata: { name: 'one-call' }, spec: { replicas: 2, image: IMAGE, port: 8080 } }) as ${kind};
  const { owned, conditions } = await reconcileOnce(${variable}Controller, { object });
  expect(owned).toEqual({ deployments: [deploymentFor(object)], services: [serviceFor(object)] });
  expect(conditions).toMatchObject([{ type: 'Ready', status: 'Unknown', reason: 'Starting' }]);
});

let cluster: InProcessCluster;
beforeAll(async () => {
  cluster = await TestCluster.start({ operator, workloads: true, namespace: 'shop' });
  await cluster.startOperator();
});
afterAll(() => cluster.close());

test('becomes ready when its pods do', async () => {
  await cluster.create(${kind}({ metadata: { name: 'first' }, spec: { replicas: 3, image: IMAGE } }));
  await cluster.settled();
  const { status } = await cluster.get(${kind}, 'first');
  expect(status).toMatchObject({ replicas: 3, conditions: [{ type: 'Ready', status: 'True', reason: 'PodsReady' }] });
  expect((await cluster.get(Service, 'first')).spec?.selector).toMatchObject({ 'app.kubernetes.io/instance': 'first' });
});

test('changes back what a user changes in the Deployment', async () => {
  await cluster.create(${kind}({ metadata: { name: 'drift' }, spec: { replicas: 1, image: IMAGE } }));
  await cluster.settled();
  await cluster.patch(Deployment, 'drift', mergePatch({ spec: { replicas: 7 } }));
  await cluster.settled();
  expect((await cluster.get(Deployment, 'drift')).spec?.replicas).toBe(1);
});

test('refuses a name that a Service cannot have', async () => {
  const refused = cluster.create(${kind}({ metadata: { name: '1st' }, spec: { image: IMAGE } }));
  await expect(refused).rejects.toThrow('begin with a letter');
});
${webhooks ? `\n${webhookTests(options)}` : ''}${olderVersion === undefined ? '' : `\n${conversionTest(options, olderVersion)}`}
test('asks for nothing without a right', async () => {
  await cluster.settled();
  cluster.requests.expectNoneDenied();
});
`;
}

function webhookTests({ kind, file }: KindTestFile): string {
  return `test('is labelled, unless it has the label', async () => {
  const label = 'app.kubernetes.io/part-of';
  const { metadata } = await cluster.create(${kind}({ metadata: { name: 'labelled' }, spec: { image: IMAGE } }));
  expect(metadata.labels?.[label]).toBe('${file}');
  const labelled = ${kind}({ metadata: { name: 'other', labels: { [label]: 'shop' } }, spec: { image: IMAGE } });
  expect((await cluster.create(labelled)).metadata.labels?.[label]).toBe('shop');
});

test('refuses an image whose tag moves', async () => {
  const refused = cluster.create(${kind}({ metadata: { name: 'latest' }, spec: { image: 'app:latest' } }));
  await expect(refused).rejects.toThrow('must name a version or a digest, not latest');
});
`;
}

function conversionTest({ kind }: KindTestFile, olderVersion: string): string {
  return `test('is one object in both versions', async () => {
  const Older = ${kind}.versions.${olderVersion};
  await cluster.create(Older({ metadata: { name: 'older' }, spec: { size: 2, image: IMAGE } }));
  expect((await cluster.get(${kind}, 'older')).spec.replicas).toBe(2);
  expect((await cluster.get(Older, 'older')).spec.size).toBe(2);
});
`;
}
