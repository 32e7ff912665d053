import type { KubernetesObject } from '@kubernetes/client-node';
import { ConfigMap, Namespace } from 'keelson/kinds/core/v1';
import { type ClientNodeBench, startBench } from './client-node.js';
import { Told } from './told.js';

let bench: ClientNodeBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.cluster.close());

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  bench.cluster.faults.clear();
});

async function watched(namespace: string, query: Readonly<Record<string, string | number | boolean>>): Promise<Told> {
  const told = new Told();
  const frame = (type: string, object: KubernetesObject & { code?: number }): void =>
    told.add(
      [type, object.metadata?.name ?? object.code ?? 'mark', object.metadata?.annotations?.['k8s.io/initial-events-end'] ? 'end' : '']
        .join(' ')
        .trim(),
    );
  const done = (error: unknown): void =>
    told.add(error === null ? 'done' : `failed ${(error as { statusCode?: number }).statusCode ?? 'broken'}`);
  const controller = await new bench.k8s.Watch(bench.config).watch(`/api/v1/namespaces/${namespace}/configmaps`, query, frame, done);
  stops.push(() => controller.abort());
  return told;
}

async function inNamespace(namespace: string, ...names: readonly string[]): Promise<void> {
  await bench.cluster.create(Namespace({ metadata: { name: namespace } }));
  for (const name of names) await bench.cluster.create(ConfigMap({ metadata: { name, namespace } }));
}

test('a watch without a version begins with what is there', async () => {
  await inNamespace('whole', 'a', 'b');
  const told = await watched('whole', {});
  await told.until('ADDED b');
  await bench.cluster.delete(ConfigMap, 'whole/a');
  expect(await told.until('DELETED a')).toEqual(['DELETED a']);
});

test('a streaming list ends with a bookmark', async () => {
  await inNamespace('streams', 'a', 'b');
  const query = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };
  const told = await watched('streams', query);
  expect(await told.until('BOOKMARK mark end')).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK mark end']);
});

test('a watch ends at its time limit', async () => {
  await inNamespace('limited');
  const told = await watched('limited', { timeoutSeconds: 1 });
  expect(await told.until('done')).toEqual(['done']);
});

test('what was forgotten is told as 410, and a version that is none as the server answers it', async () => {
  await inNamespace('forgets', 'a');
  const told = await watched('forgets', {});
  await told.until('ADDED a');
  bench.cluster.faults.expire({ watch: ConfigMap, namespace: 'forgets' });
  expect(await told.until('done')).toEqual(['ERROR 410', 'done']);
  // Not 400: so does a real server.
  const invalid = await watched('forgets', { resourceVersion: 'x' });
  expect(await invalid.until('failed 500')).toEqual(['failed 500']);
});

test('a connection that breaks is told', async () => {
  await inNamespace('snaps', 'a');
  const told = await watched('snaps', {});
  await told.until('ADDED a');
  bench.cluster.faults.drop({ watch: ConfigMap, namespace: 'snaps' });
  expect(await told.until('failed broken')).toEqual(['failed broken']);
});
