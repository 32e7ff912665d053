import type { Informer, KubernetesObject, ObjectCache } from '@kubernetes/client-node';
import { ConfigMap, Namespace } from 'keelson/kinds/core/v1';
import { type ClientNodeBench, startBench } from './client-node.js';
import { Told } from './told.js';

let bench: ClientNodeBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.cluster.close());

type TestInformer = Informer<KubernetesObject> & ObjectCache<KubernetesObject>;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  bench.cluster.faults.clear();
});

/** An informer of the ConfigMaps of one namespace, and what it tells. */
async function informerOf(namespace: string, labelSelector?: string): Promise<{ informer: TestInformer; told: Told }> {
  const { cluster, k8s, config } = bench;
  await cluster.create(Namespace({ metadata: { name: namespace } }));
  const core = config.makeApiClient(k8s.CoreV1Api);
  const list = () => core.listNamespacedConfigMap({ namespace, ...(labelSelector === undefined ? {} : { labelSelector }) });
  const informer = k8s.makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list, labelSelector);
  const told = new Told();
  for (const verb of ['add', 'update', 'delete'] as const) informer.on(verb, ({ metadata }) => told.add(`${verb} ${metadata?.name}`));
  informer.on('error', () => told.add('error'));
  informer.on('connect', () => told.add('connect'));
  stops.push(() => informer.stop());
  return { informer, told };
}

describe('an informer of client-node', () => {
  test('knows what is there, and hears of what comes, changes and goes', async () => {
    const { informer, told } = await informerOf('follows');
    await bench.cluster.create(ConfigMap({ metadata: { name: 'early', namespace: 'follows' } }));
    await informer.start();
    expect(await told.until('add early')).toEqual(['connect', 'add early']);
    const late = await bench.cluster.create(ConfigMap({ metadata: { name: 'late', namespace: 'follows' } }));
    await bench.cluster.update({ ...late, data: { x: '1' } });
    await bench.cluster.delete(ConfigMap, 'follows/early');
    expect(await told.until('delete early')).toEqual(['add late', 'update late', 'delete early']);
    expect(informer.list('follows')).toMatchObject([{ metadata: { name: 'late' }, data: { x: '1' } }]);
    expect(informer.get('late', 'follows')?.metadata?.uid).toBe(late.metadata.uid);
    expect(informer.get('early', 'follows')).toBeUndefined();
  });

  test('sees only what its labels select', async () => {
    const { informer, told } = await informerOf('selects', 'shown=yes');
    await informer.start();
    const label = (shown: string) => ({ name: 'a', namespace: 'selects', labels: { shown } });
    const hidden = await bench.cluster.create(ConfigMap({ metadata: label('no') }));
    const shown = await bench.cluster.update({ ...hidden, metadata: { ...hidden.metadata, labels: { shown: 'yes' } } });
    await bench.cluster.update({ ...shown, metadata: { ...shown.metadata, labels: { shown: 'no' } } });
    expect(await told.until('delete a')).toEqual(['connect', 'add a', 'delete a']);
  });

  test('goes on after a watch has ended, and misses nothing', async () => {
    const { informer, told } = await informerOf('ends');
    await informer.start();
    bench.cluster.faults.closeCleanly({ watch: ConfigMap, namespace: 'ends' });
    await bench.cluster.create(ConfigMap({ metadata: { name: 'between', namespace: 'ends' } }));
    expect(await told.until('add between')).toEqual(['connect', 'connect', 'add between']);
    // It resumes: nothing is listed anew.
    expect(bench.cluster.requests.filter({ verb: 'list', kind: ConfigMap, namespace: 'ends' }).all).toHaveLength(1);
  });

  test('lists anew when its history is gone', async () => {
    const { informer, told } = await informerOf('expires');
    const gone = await bench.cluster.create(ConfigMap({ metadata: { name: 'gone', namespace: 'expires' } }));
    await informer.start();
    await told.until('add gone');
    bench.cluster.faults.expire({ watch: ConfigMap, namespace: 'expires', times: 1, after: 0 });
    await bench.cluster.delete(ConfigMap, `expires/${gone.metadata.name}`);
    expect(await told.until('delete gone')).toEqual(['connect', 'delete gone']);
    expect(bench.cluster.requests.filter({ verb: 'list', kind: ConfigMap, namespace: 'expires' }).all).toHaveLength(2);
  });

  test('tells of a broken connection, and can be started again', async () => {
    const { informer, told } = await informerOf('breaks');
    await informer.start();
    bench.cluster.faults.drop({ watch: ConfigMap, namespace: 'breaks' });
    await told.until('error');
    await bench.cluster.create(ConfigMap({ metadata: { name: 'meanwhile', namespace: 'breaks' } }));
    await informer.start();
    expect(await told.until('add meanwhile')).toEqual(['connect', 'add meanwhile']);
  });

  test('tells of a list that is refused', async () => {
    const { informer, told } = await informerOf('refuses');
    bench.cluster.faults.fail({ verb: 'list', kind: ConfigMap, status: 503 });
    await informer.start();
    expect(await told.until('error')).toEqual(['connect', 'error']);
    await informer.start();
    await bench.cluster.create(ConfigMap({ metadata: { name: 'at-last', namespace: 'refuses' } }));
    await told.until('add at-last');
  });
});
