import { conditionsOf, container, Stage } from '../stage.js';

let stage: Stage;
afterEach(() => stage.close());
const pod = (spec: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'default', ...metadata },
  spec: { containers: [container('a:1')], ...spec },
});
const problem = (): string | undefined => stage.pod('a').status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
const nodeOf = (name: string): string | undefined => stage.pod(name).spec.nodeName;

test('a Pod that fits on no node says why, and is put on one that comes', async () => {
  stage = await Stage.start();
  await stage.create(pod({ nodeSelector: { disk: 'ssd' } }));
  const scheduled = stage.pod('a').status?.conditions?.find(({ type }) => type === 'PodScheduled');
  expect(scheduled).toMatchObject({
    status: 'False',
    reason: 'Unschedulable',
    message: "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
  });
  await stage.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'fast', labels: { disk: 'ssd' } } });
  expect(stage.pod('a').spec.nodeName).toBe('fast');
  expect(conditionsOf(stage.pod('a'))).toMatchObject({ Ready: 'True' });
});

test('Pods are spread over the nodes', async () => {
  stage = await Stage.start({ nodes: 2 });
  for (const name of ['a', 'b', 'c', 'd']) await stage.create(pod({}, { name }));
  expect(['a', 'b', 'c', 'd'].map(nodeOf)).toEqual(['node-1', 'node-2', 'node-1', 'node-2']);
});

test('a Pod waits for its claims to be there and bound', async () => {
  stage = await Stage.start();
  await stage.create(pod({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] }));
  expect(problem()).toBe('0/1 nodes are available: persistentvolumeclaim "data" not found.');
  await stage.create({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'late' },
  });
  expect(problem()).toBe('0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.');
  await stage.create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'late' },
    provisioner: 'keelson.dev/simulated',
  });
  expect(nodeOf('a')).toBe('node-1');
});

test('a Pod of another scheduler, or with a gate, is left alone', async () => {
  stage = await Stage.start();
  await stage.create(pod({ schedulerName: 'mine' }));
  await stage.create(pod({ schedulingGates: [{ name: 'example.com/wait' }] }, { name: 'b' }));
  expect(['a', 'b'].map(nodeOf)).toEqual([undefined, undefined]);
  await stage.patch('pods', 'b', { spec: { schedulingGates: null } });
  expect(['a', 'b'].map(nodeOf)).toEqual([undefined, 'node-1']);
});

test('a Pod that a test holds back is put on a node when it is released', async () => {
  stage = await Stage.start();
  const held = stage.world.server.pods.holdBack('a', { before: 'scheduled' });
  await stage.create(pod());
  expect([nodeOf('a'), problem()]).toEqual([undefined, undefined]);
  held.release();
  await stage.world.settled();
  expect(nodeOf('a')).toBe('node-1');
});
