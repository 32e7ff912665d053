import {
  type ClusterClient,
  type ExistingCluster,
  FakeClock,
  type Faults,
  type InProcessCluster,
  type JournalRun,
  type KubeApiServerCluster,
  mergePatch,
  type RequestLog,
  TestCluster,
} from '@keelson/testing';
import { expectTypeOf } from 'expect-type';
import { defineController, defineCustomResource, defineOperator, k, type Stored } from 'keelson';
import { ConfigMap, Deployment, defineKind, type Kind, Namespace } from 'keelson/kinds';
import { z } from 'zod';

const Cache = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Cache',
  versions: {
    v1: { spec: z.object({ size: k.int32().default(1), image: z.string().optional() }), status: z.object({ nodes: k.int32().optional() }) },
  },
});
const controller = defineController({ name: 'cache', for: Cache, owns: { maps: ConfigMap }, reconcile: ({ done }) => done() });
const operator = defineOperator({ name: 'cache-operator', controllers: [controller] });

interface Widget {
  readonly apiVersion: 'example.com/v1';
  readonly kind: 'Widget';
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: { readonly size: number };
  readonly status?: { readonly ready: boolean };
}
const Widget: Kind<Widget, 'Namespaced'> = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
});

declare const cluster: InProcessCluster<FakeClock>;

// Each server has its own type; what takes a TestCluster takes all of them.
expectTypeOf(TestCluster.start()).resolves.toExtend<InProcessCluster>();
expectTypeOf(
  TestCluster.start({ operator, resources: [Cache], manifests: ['a.yaml', ConfigMap({ metadata: { name: 'a' } })] }),
).resolves.toExtend<InProcessCluster>();
expectTypeOf(TestCluster.start({ server: 'in-process', clock: new FakeClock() })).resolves.toEqualTypeOf<InProcessCluster<FakeClock>>();
expectTypeOf(TestCluster.start({ server: 'kube-apiserver' })).resolves.toEqualTypeOf<KubeApiServerCluster>();
expectTypeOf(TestCluster.start({ server: 'existing' })).resolves.toEqualTypeOf<ExistingCluster>();
expectTypeOf<InProcessCluster | KubeApiServerCluster | ExistingCluster>().toExtend<TestCluster>();
expectTypeOf(cluster.as(cluster.operator)).toEqualTypeOf<ClusterClient>();

// A clock that can be moved, faults and a log are where they are, and nowhere else.
expectTypeOf(cluster.clock).toEqualTypeOf<FakeClock>();
expectTypeOf(cluster.faults).toEqualTypeOf<Faults>();
expectTypeOf<KubeApiServerCluster['requests']>().toEqualTypeOf<RequestLog>();
expectTypeOf<KubeApiServerCluster>().not.toHaveProperty('faults');
expectTypeOf<KubeApiServerCluster>().not.toHaveProperty('clock');
expectTypeOf<ExistingCluster>().not.toHaveProperty('requests');
expectTypeOf<TestCluster>().not.toHaveProperty('settled');

// What comes back of a definition, an imported kind and a built-in one is typed, and was stored.
expectTypeOf(cluster.get(Cache, 'a'))
  .resolves.toHaveProperty('spec')
  .toEqualTypeOf<{ readonly size: number; readonly image?: string | undefined }>();
expectTypeOf(cluster.create(Cache({ metadata: { name: 'a' }, spec: {} })))
  .resolves.toHaveProperty('metadata')
  .toHaveProperty('uid')
  .toEqualTypeOf<string>();
expectTypeOf(cluster.find(Widget, 'default/a')).resolves.toEqualTypeOf<Stored<Widget> | undefined>();
expectTypeOf(cluster.list(Widget)).resolves.toEqualTypeOf<readonly Stored<Widget>[]>();
expectTypeOf(cluster.apply(Deployment, { metadata: { name: 'a' }, spec: { replicas: 1 } as Deployment['spec'] })).resolves.toEqualTypeOf<
  Stored<Deployment>
>();
expectTypeOf(cluster.patch(Widget, 'a', mergePatch({ spec: { size: 1 } }))).resolves.toEqualTypeOf<Stored<Widget>>();
expectTypeOf(cluster.delete(Widget, 'a')).resolves.toEqualTypeOf<Stored<Widget> | undefined>();
for await (const event of await cluster.watch(Widget)) {
  if (event.type !== 'BOOKMARK') expectTypeOf(event.object).toEqualTypeOf<Stored<Widget>>();
}

// Conditions see the object; what is awaited may be a part of it, of elements of lists too.
expectTypeOf(cluster.until(Widget, 'a', 'absent')).resolves.toEqualTypeOf<undefined>();
expectTypeOf(cluster.until(Widget, 'a', 'present')).resolves.toEqualTypeOf<Stored<Widget>>();
void cluster.until(Deployment, 'a', { status: { conditions: [{ type: 'Available', status: 'True' }] } });
void cluster.until(Cache, 'a', ({ status }) => {
  expectTypeOf(status?.nodes).toEqualTypeOf<number | undefined>();
  return status?.nodes === 1;
});
void cluster.until(() => cluster.requests.length > 3, { timeout: '500ms' });

// Keys have the parts that their kind has.
void cluster.get(Namespace, { name: 'a' });
void cluster.get(ConfigMap, { namespace: 'a', name: 'b' });

// What a run did is known when it has ended.
expectTypeOf(cluster.reconciled(Cache, 'main')).resolves.toEqualTypeOf<JournalRun>();
expectTypeOf(
  cluster.reconciled(Cache, { namespace: 'shop', name: 'main' }, { controller: 'cache', timeout: '500ms' }),
).resolves.toEqualTypeOf<JournalRun>();
// @ts-expect-error a controller is named in the options
void cluster.reconciled(Cache, 'main', 'cache');
