import { mergePatch } from '@keelson/testing';
import { ConfigMap, Deployment, Service } from 'keelson/kinds';
import { RunningController } from '../harness/running-controller.js';
import { Website, websiteOperator } from './website.js';

const USER = 'system:serviceaccount:website-operator-system:website-operator';

let running: RunningController;
afterEach(() => running.close());

async function started(): Promise<RunningController> {
  running = await RunningController.start(websiteOperator);
  return running;
}

test('children and status follow the object, and nothing is written when nothing differs', async () => {
  const { cluster } = await started();
  await cluster.create(Website({ metadata: { name: 'a' }, spec: { title: 'A' } }));
  await running.settled();
  expect(running.log.texts.filter((text) => /^(warn|error)/.test(text))).toEqual([]);
  const config = await cluster.get(ConfigMap, 'a');
  expect(config.data).toEqual({ title: 'A' });
  const { uid } = (await cluster.get(Website, 'a')).metadata;
  expect(config.metadata.ownerReferences).toEqual([
    { apiVersion: 'web.example.com/v1', kind: 'Website', name: 'a', uid, controller: true, blockOwnerDeletion: true },
  ]);
  expect((await cluster.get(Website, 'a')).status).toMatchObject({
    replicas: 0,
    observedGeneration: 1,
    conditions: [{ type: 'Ready', status: 'False' }],
  });
  const mark = cluster.requests.mark;
  await cluster.patchStatus(Deployment, 'a', { readyReplicas: 1, replicas: 1 });
  await running.settled();
  expect((await cluster.get(Website, 'a')).status).toMatchObject({ replicas: 1, conditions: [{ type: 'Ready', status: 'True' }] });
  const writes = cluster.requests.since(mark).writes().byUser(USER).all;
  expect(writes.map(({ verb, resource, subresource }) => `${verb} ${resource}/${subresource}`)).toEqual(['patch websites/status']);
  expect(cluster.requests.denied().all).toEqual([]);
});

test('a restart in steady state writes nothing', async () => {
  const { cluster } = await started();
  for (const name of ['a', 'b', 'c']) await cluster.create(Website({ metadata: { name }, spec: { title: name } }));
  await running.settled();
  await running.stop();
  const mark = cluster.requests.mark;
  await running.begin();
  await running.settled();
  expect(cluster.requests.since(mark).writes().byUser(USER).all).toEqual([]);
});

test('a child that was changed, deleted, or is desired no longer is put right', async () => {
  const { cluster } = await started();
  await cluster.create(Website({ metadata: { name: 'a' }, spec: { title: 'A' } }));
  await running.settled();
  await cluster.patch(ConfigMap, 'a', mergePatch({ data: { title: 'hacked' } }));
  await cluster.until(ConfigMap, 'a', { data: { title: 'A' } });
  await cluster.delete(Deployment, 'a');
  await cluster.until(Deployment, 'a', 'present');
  await cluster.patch(Website, 'a', mergePatch({ spec: { withService: false } }));
  await cluster.until(Service, 'a', 'absent');
});

test('H6 H52 a standby that is elected begins with what there is, not with what its watch has told', async () => {
  running = await RunningController.start(websiteOperator, { standsBy: true });
  const { cluster, log } = running;
  for (const name of ['a', 'b']) await cluster.create(Website({ metadata: { name }, spec: { title: name } }));
  await cluster.until(() => expect(running.runner.queue.depth).toBe(2));
  cluster.faults.silence({ watch: Website });
  await cluster.patch(Website, 'a', mergePatch({ spec: { withService: false } }));
  await cluster.delete(Website, 'b');
  cluster.faults.fail({ verb: 'list', kind: Website, status: 403, message: 'not yet' });
  const { mark } = cluster.requests;
  running.lead();
  await cluster.until(Website, 'a', ({ metadata, status }) => status?.observedGeneration === metadata.generation);
  await running.settled();
  const writes = cluster.requests.since(mark).writes().byUser(USER).all;
  expect(writes.map(({ resource, name }) => `${resource} ${name}`)).toEqual(['configmaps a', 'deployments a', 'websites a']);
  expect(log.texts.filter((text) => /^(warn|error)/.test(text))).toEqual([
    'warn what there is could not be asked for at the beginning of the term; trying again',
  ]);
});

test('H6 a standby that is elected knows the children that there are, though their watch has died', async () => {
  running = await RunningController.start(websiteOperator, { standsBy: true });
  const { cluster } = running;
  running.lead();
  await cluster.create(Website({ metadata: { name: 'a' }, spec: { title: 'A' } }));
  await running.settled();
  await running.stop();
  await running.begin();
  await cluster.until(() => expect(running.runner.hasSynced).toBe(true));
  cluster.faults.silence({ watch: ConfigMap });
  await cluster.patch(ConfigMap, 'a', mergePatch({ data: { title: 'changed' } }));
  running.lead();
  await cluster.until(ConfigMap, 'a', { data: { title: 'A' } });
});
