import type { Node } from '../../../../src/kubernetes/kinds/index.js';
import { conditionsOf, container, Stage } from '../stage.js';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.start();
});
afterEach(() => stage.close());
const node = (name = 'late'): Node => stage.world.must<Node>('nodes', `/${name}`);
const taints = (): readonly string[] => (node().spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
const create = (more: object = {}): Promise<void> => stage.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'late' }, ...more });
const setReady = async (status: string): Promise<void> => {
  await stage.world.patch('nodes', '/late', { status: { conditions: [{ type: 'Ready', status }] } }, 'status');
  await stage.world.settled();
};

test('a Node that is created is ready, has room and an address of its own, and no taint', async () => {
  await create();
  const { status } = node();
  expect(conditionsOf({ status })).toMatchObject({ Ready: 'True KubeletReady', MemoryPressure: 'False KubeletHasSufficientMemory' });
  expect(status).toMatchObject({ capacity: { cpu: '8', pods: '110' }, allocatable: { cpu: '8', pods: '110' } });
  const [address, hostname] = status?.addresses ?? [];
  expect([address?.type, hostname?.address]).toEqual(['InternalIP', 'late']);
  expect(address?.address).not.toBe(node('node-1').status?.addresses?.[0]?.address);
  expect(taints()).toEqual([]);
});

test('a Node that is not ready, or of which nobody hears, has the taint for that until it is ready', async () => {
  await create({ spec: { taints: [{ key: 'mine', effect: 'NoSchedule' }] } });
  await setReady('False');
  expect(taints()).toEqual(['mine:NoSchedule', 'node.kubernetes.io/not-ready:NoSchedule']);
  await setReady('Unknown');
  expect(taints()).toEqual(['mine:NoSchedule', 'node.kubernetes.io/unreachable:NoSchedule']);
  await setReady('True');
  expect(taints()).toEqual(['mine:NoSchedule']);
});

test('a status that somebody has written stays, but for the address and the amounts that it leaves out', async () => {
  await create({ status: { capacity: { cpu: '2' }, conditions: [{ type: 'Ready', status: 'False', reason: 'Mine' }] } });
  expect(node().status).toMatchObject({ capacity: { cpu: '2' }, conditions: [{ type: 'Ready', status: 'False', reason: 'Mine' }] });
  expect(taints()).toEqual(['node.kubernetes.io/not-ready:NoSchedule']);
});

test('no Pod is put on a Node that is not ready', async () => {
  await create({ metadata: { name: 'late', labels: { disk: 'ssd' } } });
  await setReady('False');
  await stage.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', namespace: 'default' },
    spec: { containers: [container('a:1')], nodeSelector: { disk: 'ssd' } },
  });
  expect(stage.pod('a').spec.nodeName).toBeUndefined();
  await setReady('True');
  expect(stage.pod('a').spec.nodeName).toBe('late');
});
