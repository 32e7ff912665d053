import type { FoundManifest } from '../../../src/cli/manifests/index.js';
import { type RehearsalInput, rehearse } from '../../../src/cli/rehearsal/index.js';
import { defineController, defineOperator } from '../../../src/keelson/index.js';
import type { KubernetesObject } from '../../../src/kubernetes/apimachinery/index.js';
import { defineKind } from '../../../src/kubernetes/kinds/index.js';
import { DEADLINE_MS } from '../../deadline.cjs';
import { Kiln, kiln, kilnOperator } from './kiln-operator.js';

const input = (objects: readonly FoundManifest[], change: Partial<RehearsalInput> = {}): RehearsalInput => ({
  operator: kilnOperator(),
  objects,
  definitions: [],
  playsPods: false,
  timeoutMs: DEADLINE_MS,
  ...change,
});
const copy = (object: object): FoundManifest => ({ place: 'copies', object: object as KubernetesObject, strictProblems: [] });
const owner = (apiVersion: string, kind: string) => ({ apiVersion, kind, name: 'x', uid: `uid-${kind}`, controller: true });

test('an owner of a kind that the operator does not read is not missed: the garbage collector leaves its Pods', async () => {
  const metadata = { namespace: 'shop', managedFields: [] };
  const pod = { ...metadata, name: 'p', uid: 'uid-p', ownerReferences: [owner('apps/v1', 'ReplicaSet')] };
  const config = { ...metadata, name: 'c', uid: 'uid-c', ownerReferences: [owner('helm.example.org/v1', 'Release')] };
  const { after } = await rehearse(
    input([
      copy({ apiVersion: 'v1', kind: 'Pod', metadata: pod, spec: { containers: [] } }),
      copy({ apiVersion: 'v1', kind: 'ConfigMap', metadata: config }),
    ]),
  );
  expect([...after.values()].map(({ kind, metadata: { name } }) => `${kind} ${name}`).sort()).toEqual(['ConfigMap c', 'Pod p']);
});

test('a manifest that is applied to a copy takes neither its uid nor its status', async () => {
  const old = copy({ ...kiln('a', { replicas: 2 }, { uid: 'uid-a' }).object, status: { ready: 7 } });
  const { before, after } = await rehearse(input([old, kiln('a', { replicas: 3 })]));
  const [given, now] = [before, after].map((world) => [...world.values()].find(({ kind }) => kind === 'Kiln'));
  expect(given).toMatchObject({ metadata: { uid: 'uid-a', generation: 2 }, spec: { replicas: 3 } });
  expect(now).toMatchObject({ metadata: { uid: 'uid-a' }, status: { ready: 0 } });
});

test('kinds that no CRD describes are named before the operator waits for them', async () => {
  const Pot = defineKind<KubernetesObject, 'Namespaced'>({
    group: 'other.example.org',
    version: 'v1',
    kind: 'Pot',
    plural: 'pots',
    scope: 'Namespaced',
  });
  const controller = defineController({
    name: 'pots',
    for: Kiln,
    owns: { pots: Pot },
    reconcile: ({ done }) => done({ owned: { pots: [] } }),
  });
  await expect(rehearse(input([], { operator: defineOperator({ name: 'pots', controllers: [controller] }) }))).rejects.toThrow(
    'the operator pots needs kinds that no CustomResourceDefinition describes: Pot of other.example.org/v1; name the CRDs with --crds',
  );
});

test.each(['Bad NS!', 7])(
  'an object in a namespace that cannot be (%j) is refused with its place, and hides no other',
  async (namespace) => {
    const { refused, after } = await rehearse(input([kiln('a'), kiln('b', {}, { namespace })]));
    expect(refused.map(({ place }) => place)).toEqual(['b.yaml']);
    expect([...after.values()].filter(({ kind }) => kind === 'Deployment').map(({ metadata: { name } }) => name)).toEqual(['a']);
  },
);

test('definitions that are refused are named with their places, all of them', async () => {
  const definition = (place: string, name: string): FoundManifest => ({
    place,
    object: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name }, spec: { group: 5 } } as never,
    strictProblems: [],
  });
  const answer = rehearse(input([kiln('a')], { definitions: [definition('crds/x.yaml', 'x'), definition('crds/y.yaml', 'y')] }));
  await expect(answer).rejects.toThrow(
    /^CustomResourceDefinitions that are refused:\n {2}crds\/x\.yaml: .*\n {2}crds\/y\.yaml: .*spec\.group/,
  );
});
