import type { FoundManifest } from '../../../src/cli/manifests/index.js';
import { changesBetween } from '../../../src/cli/plan/changes.js';
import { planMarkdown } from '../../../src/cli/plan/plan-markdown.js';
import { exitStatusOf } from '../../../src/cli/plan/plan-report.js';
import { planText } from '../../../src/cli/plan/plan-text.js';
import { restartsOf } from '../../../src/cli/plan/restarts.js';
import { keyOf } from '../../../src/cli/rehearsal/world.js';
import { defineController, defineOperator } from '../../../src/keelson/index.js';
import type { KubernetesObject } from '../../../src/kubernetes/apimachinery/index.js';
import { Role } from '../../../src/kubernetes/kinds/index.js';
import { Kiln, kiln, kilnOperator } from '../rehearsal/kiln-operator.js';
import { shapeProblems } from '../report-shape.js';
import { plannedOf } from './life.js';

const copy = (object: object): FoundManifest => ({ place: 'copies', object: object as KubernetesObject, strictProblems: [] });
const at = (name: string) => ({ name, namespace: 'shop' });
const ownedBy = (kind: string, uid: string) => ({ apiVersion: 'apps/v1', kind, name: 'x', uid, controller: true });
const OWNER = { apiVersion: 'lab.example.org/v1', kind: 'Kiln', name: 'a', uid: 'uid-a', controller: true, blockOwnerDeletion: true };

/** A Kiln and its children as another release has left them: Pods are counted by their replicas. */
function world(change: object = {}): readonly FoundManifest[] {
  const template = {
    metadata: { labels: { app: 'a', kind: 'kiln' } },
    spec: {
      containers: [{ name: 'kiln', image: 'kiln:0', ports: [{ containerPort: 80, protocol: 'TCP' }], env: [{ name: 'MODE', value: 'a' }] }],
    },
  };
  return [
    kiln('a', { replicas: 3, image: 'kiln:1', mode: 'plain' }, { uid: 'uid-a', managedFields: [] }),
    copy({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...at('a'), uid: 'uid-d', ownerReferences: [OWNER], managedFields: [] },
      spec: { replicas: 3, selector: { matchLabels: { app: 'a' } }, template, ...change },
      status: { readyReplicas: 3 },
    }),
    copy({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...at('a-settings'), uid: 'uid-c', ownerReferences: [OWNER], managedFields: [] },
      data: { heat: 'high' },
    }),
  ];
}

test('a copied child is changed, not made again: uids survive, and status is that of the source', async () => {
  const plan = await plannedOf(kilnOperator(), world());
  expect(plan.failures).toEqual([]);
  expect(plan.changes.map(({ action, object: { kind, name }, owner }) => [action, kind, name, owner])).toEqual([
    ['change', 'Deployment', 'a', 'Kiln shop/a'],
  ]);
  expect(plan.changes[0]?.fields).toContainEqual({
    path: 'spec.template.spec.containers[kiln].image',
    before: '"kiln:0"',
    after: '"kiln:1"',
  });
  expect(plan.restarts).toEqual([
    expect.objectContaining({ pods: 3, because: expect.arrayContaining(['spec.template.spec.containers[kiln].image']) }),
  ]);
  expect(plan.status).toEqual([
    expect.objectContaining({
      object: expect.objectContaining({ kind: 'Kiln' }),
      fields: expect.arrayContaining([{ path: 'status.ready', after: '3' }]),
    }),
  ]);
});

test('a Deployment that is paused restarts no Pod', async () => {
  expect((await plannedOf(kilnOperator(), world({ paused: true }))).restarts).toEqual([]);
});

test('an owner that the copy lacks takes its children with it, as the garbage collector would', async () => {
  const plan = await plannedOf(kilnOperator(), world().slice(1));
  expect(plan.changes.map(({ action, object: { kind } }) => [action, kind])).toEqual([
    ['delete', 'ConfigMap'],
    ['delete', 'Deployment'],
  ]);
});

test('Pods of a workload that goes are no changes of their own, and a Pod that is deleted under its owner restarts', () => {
  const [, deployment] = world();
  const replicaSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { ...at('rs'), uid: 'uid-rs', ownerReferences: [ownedBy('Deployment', 'uid-d')] },
  };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...at('p'), uid: 'uid-p', ownerReferences: [ownedBy('ReplicaSet', 'uid-rs')] } };
  const all = [(deployment as FoundManifest).object, replicaSet, pod] as unknown as readonly KubernetesObject[];
  const worldOfObjects = (objects: readonly KubernetesObject[]) => new Map(objects.map((object) => [keyOf(object), object]));
  const before = worldOfObjects(all);
  const changes = changesBetween(before, worldOfObjects([]));
  expect(changes.map(({ action, object: { kind } }) => `${action} ${kind}`)).toEqual(['delete Deployment']);
  expect(restartsOf(changes, before, worldOfObjects([]))).toEqual([]);
  const without = worldOfObjects(all.slice(0, 2));
  expect(restartsOf(changesBetween(before, without), before, without)).toEqual([
    expect.objectContaining({ pods: 1, because: ['the Pod is deleted, and its ReplicaSet makes another'] }),
  ]);
});

test.each([
  ['OnDelete', { updateStrategy: { type: 'OnDelete' } }, 0],
  ['a partition', { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } }, 1],
  ['no word', {}, 3],
])('a StatefulSet with %s restarts as many Pods as its controller would', (_what, spec, pods) => {
  const set = (image: string) =>
    new Map(
      [
        {
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          metadata: { ...at('s'), uid: 'u' },
          spec: { replicas: 3, template: { image }, ...spec },
        } as KubernetesObject,
      ].map((object) => [keyOf(object), object]),
    );
  const [before, after] = [set('a'), set('b')];
  expect(restartsOf(changesBetween(before, after), before, after).reduce((sum, restart) => sum + restart.pods, 0)).toBe(pods);
});

test('a Pod whose resources are resized in place does not restart', () => {
  const pod = (container: object) => {
    const object = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...at('p'), uid: 'u' },
      spec: { containers: [{ name: 'a', ...container }] },
    } as KubernetesObject;
    return new Map([[keyOf(object), object]]);
  };
  const restarted = (container: object) => restartsOf(changesBetween(pod({}), pod(container)), pod({}), pod(container)).length;
  expect([restarted({ resources: { limits: { cpu: '2' } } }), restarted({ image: 'b' })]).toEqual([0, 1]);
});

test('an object that the schema does not allow any more is named, and the plan fails', async () => {
  const plan = await plannedOf(kilnOperator(), [kiln('a', { replicas: -1, colour: 'red' }, { uid: 'uid-a', managedFields: [] })]);
  expect(plan.unfit).toEqual([
    expect.objectContaining({
      object: expect.objectContaining({ name: 'a' }),
      message: expect.stringContaining('unknown field "spec.colour"'),
    }),
  ]);
  expect(exitStatusOf(plan)).toBe(1);
});

test('one object of many that fails or hangs hides no other, and the plan fails', async () => {
  const objects = [kiln('a'), kiln('b', { mode: 'fails' }), kiln('c', { mode: 'hangs' }), kiln('d')];
  const plan = await plannedOf(kilnOperator(), objects, 2_000);
  expect(plan.changes.map(({ object: { kind, name } }) => `${kind} ${name}`)).toEqual(
    ['a', 'd'].map((name) => `ConfigMap ${name}-settings`).concat(['Deployment a', 'Deployment d']),
  );
  expect(plan.failures.map(({ subject, reason }) => `${subject} ${reason}`).sort()).toEqual(['Kiln shop/b failed', 'Kiln shop/c timeout']);
  expect(exitStatusOf(plan)).toBe(1);
});

test('what depends on a call outside is known after it, and is no failure', async () => {
  const plan = await plannedOf(kilnOperator(), [kiln('a', { mode: 'asks' })]);
  expect(plan.knownAfter).toEqual([{ subject: 'Kiln shop/a', needs: 'shop.order' }]);
  expect(plan).toMatchObject({ failures: [], status: [] });
  expect(exitStatusOf(plan)).toBe(2);
});

test('a request beyond the rights of the operator is refused as in its cluster, and named as that', async () => {
  const granting = defineController({
    name: 'granting',
    for: Kiln,
    owns: { roles: Role },
    reconcile: ({ object: { metadata }, done }) =>
      done({
        owned: { roles: [Role({ metadata: { name: metadata.name }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] })] },
      }),
  });
  const plan = await plannedOf(defineOperator({ name: 'granting', controllers: [granting] }), [kiln('a')]);
  expect(plan.failures).toEqual([
    {
      subject: 'Kiln shop/a',
      reason: 'forbidden',
      message: expect.stringContaining('is attempting to grant RBAC permissions not currently held'),
    },
  ]);
  expect(plan.changes).toEqual([]);
});

test('a copy without managed fields makes the plan less certain, and it says so', async () => {
  const [first] = world();
  const { managedFields: _, ...metadata } = (first as FoundManifest).object.metadata;
  const { notes } = await plannedOf(kilnOperator(), [copy({ ...(first as FoundManifest).object, metadata })]);
  expect(notes).toEqual([expect.stringContaining('--show-managed-fields')]);
});

test('a kind that no CRD describes is named with the way out', async () => {
  const plan = await plannedOf(kilnOperator(), [copy({ apiVersion: 'other.example.org/v1', kind: 'Pot', metadata: at('p') })]);
  expect(plan.failures).toEqual([
    {
      subject: 'Pot shop/p (copies)',
      reason: 'refused',
      message: 'no CustomResourceDefinition describes Pot of other.example.org/v1; name it with --crds',
    },
  ]);
});

describe('the report', () => {
  const planned = () =>
    plannedOf(kilnOperator(), [...world(), kiln('b', { mode: 'secret' }), kiln('c', { mode: 'asks' }), kiln('d', { mode: 'fails' })]);

  test('as text names failures first, fields by old and new, Pods apart, and no data of a Secret', async () => {
    const text = planText(await planned(), false);
    expect(text).toMatch(/^Failed or not judged:\n {2}Kiln shop\/d: the kiln is cold\n\n/);
    expect(text).toContain('~ change Deployment shop/a of Kiln shop/a\n');
    expect(text).toContain('    spec.template.spec.containers[kiln].image: "kiln:0" → "kiln:1"\n');
    expect(text).toContain('+ create Secret shop/b-key of Kiln shop/b\n');
    expect(text).toMatch(/\nPods that will restart:\n {2}Deployment shop\/a: 3 Pods, for spec\.template\./);
    expect(text).toContain('Known after calls outside, which are not made:\n  Kiln shop/c: shop.order\n');
    expect(text).toMatch(
      /\nPlan: 3 to create, 1 to change, 0 to delete, 0 to recreate, .*1 failed or not judged\. 3 Pods will restart\.\n$/,
    );
    expect(text).not.toMatch(/hunter2|aHVudGVyMg/);
  });

  test('as Markdown folds fields, and lets no value become markup', async () => {
    const text = planMarkdown(await planned());
    expect(text).toMatch(/^\*\*Plan: 3 to create/);
    expect(text).toContain('<details><summary><code>~ change Deployment shop/a of Kiln shop/a</code></summary>\n<pre>');
    const [field] = [{ path: 'data.a', before: '"</pre>```"', after: '"@team"' }];
    const evil = {
      ...(await planned()),
      changes: [{ action: 'change' as const, object: { apiVersion: 'v1', kind: 'A', name: 'a' }, fields: [field] }],
    };
    expect(planMarkdown(evil)).toContain('data.a: "&lt;/pre&gt;```" → "@team"');
  });

  test('as JSON has the shape that the package promises', async () => {
    expect(shapeProblems('plan.v1', JSON.parse(JSON.stringify(await planned())))).toEqual([]);
  });
});
