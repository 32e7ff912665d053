import { defineController, defineCustomResource, defineOperator, own, permissionsOf } from 'keelson';
import { ConfigMap, Job, Namespace, Pod } from 'keelson/kinds';
import { z } from 'zod';
import { problemsOf } from '../refusals.js';

const versions = { v1: { spec: z.object({}) } };
const Ring = defineCustomResource({ group: 'etcd.example.com', kind: 'Ring', versions });
const Other = defineCustomResource({ group: 'other.example.com', kind: 'Ring', versions });
const World = defineCustomResource({ group: 'etcd.example.com', kind: 'World', scope: 'Cluster', versions });
const owning = (child: unknown, kind: unknown = Ring) =>
  defineController({ name: 'ring', for: kind, owns: { jobs: child }, reconcile: ({ done }: { done: () => unknown }) => done() } as never);
const job = (options: object) => () => owning(own(Job, options as never));

test.each<[string, () => unknown, string]>([
  [
    'a kind that is its own child',
    () => owning(own(Ring)),
    'owns.jobs: Ring is the kind that the controller is for; an object is not its own child',
  ],
  [
    'a cluster-scoped child of a namespaced object',
    () => owning(own(Namespace)),
    'owns.jobs: Namespace is cluster-scoped and Ring is namespaced',
  ],
  ['a child that nothing makes', job({ desired: false }), 'owns.jobs.desired: is false, and there are no verbs'],
  [
    'one that is made once and not desired',
    job({ desired: false, verbs: ['create'], existence: 'once' }),
    "owns.jobs.existence: is 'once', which is for desired children",
  ],
  [
    'one that is made once and made anew',
    job({ existence: 'once', onImmutable: 'recreate' }),
    "owns.jobs.onImmutable: is 'recreate', but existence: 'once' never changes a child",
  ],
  [
    'one that is made once and adopted',
    job({ existence: 'once', adopt: 'unowned' }),
    "owns.jobs.adopt: is beside existence: 'once', which changes nothing that is there",
  ],
  ['a selection by no label', job({ select: { labels: {} } }), 'owns.jobs.select: has no labels, which would be every object of the kind'],
  [
    'one that is adopted and not desired',
    job({ desired: false, verbs: ['create'], adopt: 'unowned' }),
    'owns.jobs.adopt: is for desired children; patch the owner reference by hand',
  ],
])('%s is refused', (_, make, problem) => {
  expect(problemsOf(make)).toEqual([expect.stringContaining(problem)]);
});

test.each<[string, () => unknown]>([
  ['a kind of the same name in another group', () => owning(own(Other))],
  ['a cluster-scoped child of a cluster-scoped object', () => owning(own(Namespace), World)],
  ['a namespaced child of a cluster-scoped object', () => owning(own(Pod), World)],
  ['a child that is made once', job({ existence: 'once' })],
  ['a child that is made anew', job({ onImmutable: 'recreate' })],
  ['a child that verbs make', job({ desired: false, verbs: ['create'] })],
  ['a selection by a label', job({ select: { labels: { app: 'a' } } })],
])('%s is taken', (_, make) => {
  expect(problemsOf(make)).toEqual([]);
});

test('a child that is made once needs the note of it on its owner, and no change', () => {
  const grants = permissionsOf(defineOperator({ name: 'ring', controllers: [owning(own(Job, { existence: 'once' }))] }), {
    leaderElection: false,
  });
  const verbsOf = (resource: string): readonly string[] =>
    grants.cluster
      .filter(({ resources }) => resources?.includes(resource))
      .flatMap(({ verbs }) => verbs)
      .toSorted();
  expect(verbsOf('rings')).toContain('patch');
  expect(verbsOf('jobs')).toEqual(['create', 'delete', 'list', 'watch']);
  const taken = defineController({
    ...{ name: 'ring', for: Ring, owns: { jobs: own(Job, { existence: 'once' }), pods: own(Pod) }, formerFieldManagers: ['ring-operator'] },
    reconcile: ({ done }: { done: () => unknown }) => done(),
  } as never);
  const reasons = permissionsOf(defineOperator({ name: 'ring', controllers: [taken] })).grants.map(({ because }) => because);
  expect(reasons).toContain('controller ring takes over pods from a former field manager');
  expect(reasons).not.toContain('controller ring takes over jobs from a former field manager');
  expect(JSON.stringify(grants)).toContain('remembers on rings which children were made once');
});

test.each([
  [{ adopt: 'unowned' }, true],
  [{ adopt: 'unowned', onDelete: 'orphan' }, true],
  [{ adopt: 'unowned', onDelete: 'delete' }, false],
] as const)('an adopted child outlives its owner, unless onDelete says delete: %j', (options, keepsAdopted) => {
  expect(own(ConfigMap, options).policy).toMatchObject({ keepsAdopted });
});
