import { Deployment, Pod } from '../../../src/kubernetes/kinds/index.js';
import { ApiServer, FakeClock, TestCluster } from '../../../src/testing/index.js';
import { deployment } from './stage.js';

describe('a TestCluster with workloads', () => {
  test('settles when its Pods are ready, holds them back, and moves them by its clock', async () => {
    await using cluster = await TestCluster.start({ workloads: { readyAfter: '30s' }, clock: new FakeClock() });
    await cluster.create(Deployment, deployment() as never);
    await cluster.settled();
    expect((await cluster.get(Deployment, 'web')).status).toMatchObject({ replicas: 3, unavailableReplicas: 3 });
    cluster.clock.advance('30s');
    await cluster.until(Deployment, 'web', { status: { readyReplicas: 3 } });
    const [pod] = await cluster.list(Pod, { namespace: 'default' });
    await cluster.pods.fail(pod?.metadata.name ?? '', { reason: 'Evicted' });
    await cluster.settled();
    expect((await cluster.get(Deployment, 'web')).status).toMatchObject({ readyReplicas: 2 });
    expect((await cluster.get(Pod, pod?.metadata.name ?? '')).status).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
  });

  test('takes keys in its own namespace', async () => {
    await using cluster = await TestCluster.start({ workloads: true, namespace: 'shop' });
    await cluster.create(Pod, { metadata: { name: 'a' }, spec: { containers: [{ name: 'main', image: 'a' }] } });
    await cluster.until(Pod, 'a', { status: { phase: 'Running' } });
    await cluster.pods.kill('a');
    await cluster.until(Pod, 'a', 'absent');
  });

  test('is refused where nobody runs Pods', async () => {
    await expect(ApiServer.start({ mode: 'envtest', workloads: true })).rejects.toThrow("there are no controllers in mode 'envtest'");
    await using cluster = await TestCluster.start();
    expect(() => cluster.pods).toThrow('start the server with workloads: true');
  });
});
