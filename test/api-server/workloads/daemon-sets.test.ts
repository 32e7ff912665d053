import { compareUtf8 } from '../../../src/kubernetes/apimachinery/index.js';
import type { DaemonSet } from '../../../src/kubernetes/kinds/index.js';
import { daemonSet, Stage, template } from './stage.js';

describe('a DaemonSet', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.start({ nodes: 3 });
  });
  afterEach(() => stage.close());
  const status = (): DaemonSet['status'] => stage.world.must<DaemonSet>('apps/daemonsets', 'default/agent').status;
  const nodes = (): readonly string[] => stage.pods.map(({ spec }) => spec.nodeName ?? '').sort(compareUtf8);

  test('runs on every node, and on those that come', async () => {
    await stage.create(daemonSet());
    expect(nodes()).toEqual(['node-1', 'node-2', 'node-3']);
    expect(status()).toMatchObject({
      currentNumberScheduled: 3,
      desiredNumberScheduled: 3,
      numberAvailable: 3,
      numberMisscheduled: 0,
      numberReady: 3,
      updatedNumberScheduled: 3,
    });
    await stage.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'late' } });
    expect(nodes()).toEqual(['late', 'node-1', 'node-2', 'node-3']);
  });

  test('keeps to its node selector, and off nodes with taints that it does not bear', async () => {
    await stage.world.patch('nodes', '/node-1', { metadata: { labels: { disk: 'ssd' } } });
    await stage.world.patch('nodes', '/node-2', {
      metadata: { labels: { disk: 'ssd' } },
      spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] },
    });
    await stage.create(daemonSet({ template: template('a:1', { nodeSelector: { disk: 'ssd' } }) }));
    expect(nodes()).toEqual(['node-1']);
    expect(status()).toMatchObject({ desiredNumberScheduled: 1, numberReady: 1 });
  });

  test('is updated one node after the other', async () => {
    await stage.create(daemonSet());
    const held = stage.world.server.pods.holdBack({ image: 'a:2' });
    await stage.patch('apps/daemonsets', 'agent', { spec: { template: template('a:2') } });
    expect(stage.images).toEqual(['a:1 2/2', 'a:2 0/1']);
    expect(status()).toMatchObject({ updatedNumberScheduled: 1, numberReady: 2, numberUnavailable: 1 });
    held.release();
    await stage.world.settled();
    expect(stage.images).toEqual(['a:2 3/3']);
  });

  test('with a surge starts the new Pod before the old one goes', async () => {
    await stage.create(daemonSet({ updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }));
    const held = stage.world.server.pods.holdBack({ image: 'a:2' });
    await stage.patch('apps/daemonsets', 'agent', { spec: { template: template('a:2') } });
    expect(stage.images).toEqual(['a:1 3/3', 'a:2 0/1']);
    held.release();
    await stage.world.settled();
    expect(stage.images).toEqual(['a:2 3/3']);
  });

  test('with OnDelete waits until somebody deletes its Pods', async () => {
    await stage.create(daemonSet({ updateStrategy: { type: 'OnDelete' } }));
    await stage.patch('apps/daemonsets', 'agent', { spec: { template: template('a:2') } });
    expect(stage.images).toEqual(['a:1 3/3']);
    await stage.world.delete('pods', `default/${stage.pods[0]?.metadata.name}`);
    await stage.world.settled();
    expect(stage.images).toEqual(['a:1 2/2', 'a:2 1/1']);
  });

  test('replaces a Pod that has failed', async () => {
    await stage.create(daemonSet());
    await stage.world.server.pods.fail(stage.pods[0]?.metadata.name ?? '');
    await stage.world.settled();
    expect(stage.images).toEqual(['a:1 3/3']);
  });
});
