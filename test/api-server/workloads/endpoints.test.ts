import type { EndpointSlice, Endpoints } from '../../../src/kubernetes/kinds/index.js';
import { deployment, Stage, statefulSet } from './stage.js';

describe('endpoints of a Service', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.start();
  });
  afterEach(() => stage.close());
  const service = (spec: object = {}, metadata: object = {}): object => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default', ...metadata },
    spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }], ...spec },
  });
  const slices = (): readonly EndpointSlice[] =>
    stage.world.list<EndpointSlice>('discovery.k8s.io/endpointslices').filter(({ metadata }) => metadata.name !== 'kubernetes');
  const conditions = (): readonly object[] =>
    slices().flatMap(({ endpoints }) => (endpoints ?? []).map((endpoint) => endpoint.conditions ?? {}));

  test('are those Pods that are there, ready or not', async () => {
    const held = stage.world.server.pods.holdBack('web-*');
    await stage.create(deployment({ replicas: 2 }));
    await stage.create(service());
    expect(conditions()).toEqual([
      { ready: false, serving: false, terminating: false },
      { ready: false, serving: false, terminating: false },
    ]);
    held.release();
    await stage.world.settled();
    const [slice] = slices();
    const [pod] = stage.pods;
    expect(slice).toMatchObject({
      metadata: {
        labels: { 'kubernetes.io/service-name': 'web', 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' },
        ownerReferences: [{ kind: 'Service', name: 'web', controller: true }],
      },
      addressType: 'IPv4',
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    });
    expect(slice?.endpoints?.[0]).toEqual({
      addresses: [pod?.status?.podIP],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: 'node-1',
      targetRef: { kind: 'Pod', namespace: 'default', name: pod?.metadata.name, uid: pod?.metadata.uid },
    });
    expect(stage.world.must<Endpoints>('endpoints', 'default/web').subsets?.[0]).toMatchObject({
      addresses: [{}, {}],
      ports: [{ name: 'http', port: 8080 }],
    });
  });

  test('follow a Pod that stops being ready, and one that goes', async () => {
    await stage.create(deployment({ replicas: 1 }));
    await stage.create(service());
    const [
      {
        metadata: { name },
      } = { metadata: { name: '' } },
    ] = stage.pods;
    await stage.world.server.pods.setReady(name, false);
    await stage.world.settled();
    expect(conditions()).toEqual([{ ready: false, serving: false, terminating: false }]);
    await stage.world.server.pods.setReady(name, true);
    await stage.world.settled();
    stage.world.server.pods.holdBack(name, { before: 'gone' });
    await stage.world.delete('pods', `default/${name}`);
    await stage.world.settled();
    expect(conditions()).toContainEqual({ ready: false, serving: true, terminating: true });
    await stage.world.pass(30);
    expect(conditions()).toEqual([{ ready: true, serving: true, terminating: false }]);
  });

  test('name the Pods of a StatefulSet, and are marked as headless', async () => {
    await stage.create(statefulSet({ replicas: 1 }));
    await stage.create(service({ clusterIP: 'None' }, { name: 'db' }));
    expect(slices()[0]?.endpoints?.[0]).toMatchObject({ hostname: 'db-0' });
    expect(slices()[0]?.metadata.labels).toMatchObject({ 'service.kubernetes.io/headless': '' });
  });

  test('are an empty slice where there is no Pod, and gone with the Service', async () => {
    await stage.create(service());
    // As a real server keeps an empty list that has to be there.
    expect(slices().map(({ endpoints }) => endpoints)).toEqual([null]);
    await stage.world.delete('services', 'default/web');
    await stage.world.settled();
    expect(slices()).toEqual([]);
    expect(stage.world.get('endpoints', 'default/web')).toBeUndefined();
  });
});
