import { FakeClock, type InProcessCluster, processes, TestCluster } from '@keelson/testing';
import { ConfigMap, Deployment, Pod } from 'keelson/kinds';

function deployment({ replicas = 1, images = ['web:1'] }: { readonly replicas?: number; readonly images?: readonly string[] } = {}) {
  const labels = { app: 'web' };
  const containers = images.map((image) => ({ name: image.split(':')[0] ?? '', image }));
  return Deployment({
    metadata: { name: 'web' },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
}

/** What the message of a wait for a ready Deployment says of its Pods, without the ends of their names; empty: nothing. */
async function saidOfPods(cluster: InProcessCluster, { replicas = 9 } = {}): Promise<string> {
  const error = await cluster.until(Deployment, 'web', { status: { readyReplicas: replicas } }, { timeout: 100 }).then(
    () => 'it came',
    (thrown: unknown) => String(thrown),
  );
  const [, said = ''] = /\n((?:Pods of it|It has no Pods)[\s\S]*)$/.exec(error) ?? [];
  return said.replace(/web-[\da-z]+-[\da-z]+/g, 'web-POD');
}

test('a wait for a workload that fails says why its Pods are not ready', async () => {
  await using cluster = await TestCluster.start({ workloads: true });
  const held = cluster.pods.holdBack({ labels: { app: 'web' } });
  await cluster.create(deployment());
  await cluster.settled();
  expect(await saidOfPods(cluster)).toBe(
    'Pods of it that are not ready (1 of 1):\n  web-POD: Running\n    container web runs and is not ready',
  );
  held.release();
  await cluster.settled();
  expect(await saidOfPods(cluster)).toBe('');
});

test('a container that does not stay says how it ended, and one whose image is not there what it waits for', async () => {
  const containers = processes({ 'ends:1': () => ({ program: process.execPath, args: ['-e', 'process.exit(3)'] }) });
  // The back-off stands still: at the end of its ten seconds there would be another restart.
  await using cluster = await TestCluster.start({ workloads: { containers }, clock: new FakeClock() });
  await cluster.create(deployment({ images: ['ends:1', 'other:1'] }));
  await cluster.until(async () => expect(await saidOfPods(cluster)).toContain('BackOff: Back-off'));
  const lines = (await saidOfPods(cluster)).split('\n');
  expect(lines).toEqual([
    'Pods of it that are not ready (1 of 1):',
    '  web-POD: Pending',
    expect.stringMatching(/^ {4}container ends waits, CrashLoopBackOff: back-off 10s restarting failed container=ends pod=web-POD_default/),
    '    container ends has 1 restart; its last run ended with exit code 3, Error',
    expect.stringMatching(/^ {4}container other waits, ImagePullBackOff: no program is mapped to image "other:1"/),
    expect.stringMatching(/^ {4}Warning Failed: Error: no program is mapped to image "other:1"/),
    expect.stringMatching(/^ {4}Warning BackOff: Back-off restarting failed container ends/),
  ]);
});

test('a Pod that no node takes says why; of many Pods the first are shown', async () => {
  await using cluster = await TestCluster.start();
  await cluster.create(deployment());
  const spec = { containers: [{ name: 'web', image: 'web:1' }] };
  for (const name of ['web-a-1', 'web-a-2', 'web-a-3', 'web-a-4'])
    await cluster.create(Pod, { metadata: { name, labels: { app: 'web' } }, spec });
  const unscheduled = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message: '0/1 nodes are available: 1 Insufficient cpu.',
  } as const;
  await cluster.patchStatus(Pod, 'web-a-1', { phase: 'Pending', conditions: [unscheduled] });
  await cluster.patchStatus(Pod, 'web-a-4', { phase: 'Succeeded' });
  expect((await saidOfPods(cluster)).split('\n')).toEqual([
    'Pods of it that are not ready (3 of 4):',
    '  web-POD: Pending',
    '    it is not scheduled, Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.',
    '  web-POD: Pending',
    '  web-POD: Pending',
  ]);
  await cluster.patchStatus(Pod, 'web-a-4', { phase: 'Pending' });
  expect((await saidOfPods(cluster)).split('\n').at(-1)).toBe('  … 1 more');
});

test('that there is no Pod is said, of workloads alone', async () => {
  await using cluster = await TestCluster.start();
  await cluster.create(deployment());
  expect(await saidOfPods(cluster)).toBe('It has no Pods.');
  await cluster.create(ConfigMap({ metadata: { name: 'web' } }));
  expect(await cluster.until(ConfigMap, 'web', { data: { a: 'b' } }, { timeout: 50 }).catch(String)).not.toContain('Pods');
});
