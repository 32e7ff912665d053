import { templateIn } from '../../../src/api-server/workloads/revisions/index.js';
import type { ControllerRevision, StatefulSet } from '../../../src/kubernetes/kinds/index.js';
import { daemonSet, Stage, statefulSet, template } from './stage.js';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.start();
});
afterEach(() => stage.close());
const revisions = (): readonly ControllerRevision[] =>
  [...stage.world.list<ControllerRevision>('apps/controllerrevisions')].sort(
    ({ revision: left = 0 }, { revision: right = 0 }) => left - right,
  );

test('a StatefulSet keeps revisions, counts them on, and no more than its limit', async () => {
  await stage.create(statefulSet({ replicas: 1, revisionHistoryLimit: 1 }));
  for (const image of ['a:2', 'a:3', 'a:2']) await stage.patch('apps/statefulsets', 'db', { spec: { template: template(image) } });
  const kept = revisions();
  expect(new Set(kept.map(({ revision }) => revision))).toEqual(new Set([3, 4]));
  expect(kept.find(({ revision }) => revision === 4)?.metadata.name).toBe(
    stage.world.must<StatefulSet>('apps/statefulsets', 'default/db').status?.updateRevision,
  );
});

test('a revision holds the template, labels of its Pods, and a hash by which they are found', async () => {
  await stage.create(daemonSet());
  const [revision] = revisions();
  expect(revision && templateIn(revision)).toMatchObject({
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ image: 'a:1' }] },
  });
  expect(revision).toMatchObject({
    revision: 1,
    metadata: {
      labels: { app: 'web', 'controller-revision-hash': expect.any(String) },
      ownerReferences: [{ kind: 'DaemonSet', name: 'agent', controller: true }],
    },
    data: { spec: { template: { $patch: 'replace' } } },
  });
  const hash = revision?.metadata.labels?.['controller-revision-hash'];
  expect(revision?.metadata.name).toBe(`agent-${hash}`);
  expect(stage.pods[0]?.metadata.labels?.['controller-revision-hash']).toBe(hash);
});

test('a template that is wanted again has its old revision, as the newest', async () => {
  await stage.create(daemonSet());
  const [first] = revisions();
  for (const image of ['a:2', 'a:1']) await stage.patch('apps/daemonsets', 'agent', { spec: { template: template(image) } });
  expect(revisions().map(({ revision }) => revision)).toEqual([2, 3]);
  expect(revisions().at(-1)?.metadata.uid).toBe(first?.metadata.uid);
});

test('where a stranger has the name of a revision, it gets another one, and the owner counts the collision', async () => {
  await stage.create(daemonSet());
  const [revision] = revisions();
  const { name = '' } = revision?.metadata ?? {};
  await stage.world.delete('apps/daemonsets', 'default/agent');
  await stage.world.settled();
  expect(revisions()).toEqual([]);
  const stranger = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name, namespace: 'default' }, revision: 1 };
  await stage.create({ ...stranger, data: { spec: {} } });
  await stage.create(daemonSet());
  expect(stage.world.must('apps/daemonsets', 'default/agent')).toMatchObject({ status: { collisionCount: 1 } });
  expect(stage.images).toEqual(['a:1 1/1']);
});
