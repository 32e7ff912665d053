import { expectTypeOf } from 'expect-type';
import {
  type Admitted,
  type ContextOf,
  type CustomResource,
  type CustomResourceInput,
  type Draft,
  declareAccess,
  defaulting,
  defineController,
  defineCustomResource,
  k,
  mutating,
  type NamespacedMeta,
  type ObjectMeta,
  type Resource,
  type ResourceInput,
  type Stored,
  toReferrers,
  validating,
  watch,
} from 'keelson';
import { Deployment, Node, Pod, Secret, StatefulSet } from 'keelson/kinds';
import { z } from 'zod';

const Volume = defineCustomResource({
  group: 'store.example.com',
  kind: 'Volume',
  versions: {
    v1: {
      storage: true,
      spec: z.object({
        size: k.int32().default(1),
        nested: z.object({ list: z.array(z.object({ a: z.string().nullable().default(null) })).optional() }).prefault({}),
        kinds: z.partialRecord(z.enum(['a', 'b']), z.boolean()).optional(),
        source: z.discriminatedUnion('type', [
          z.object({ type: z.literal('pvc'), claim: z.string() }),
          z.object({ type: z.literal('tmp') }),
        ]),
      }),
      status: z.object({ phase: z.enum(['Ready', 'Lost']).default('Lost'), conditions: k.conditions() }),
    },
    v1alpha1: { spec: z.object({ gigabytes: k.int32() }) },
    v0: { spec: z.object({}), served: false },
  },
  convert: {
    v1alpha1: {
      toStorage(object) {
        expectTypeOf(object.spec).toEqualTypeOf<{ readonly gigabytes: number }>();
        return { spec: { size: object.spec.gigabytes, source: { type: 'tmp' } } };
      },
      fromStorage: (object) => ({ spec: { gigabytes: object.spec.size } }),
    },
    v0: { toStorage: () => ({ spec: { source: { type: 'tmp' as const } } }), fromStorage: () => ({ spec: {} }) },
  },
});
const Global = defineCustomResource({
  group: 'store.example.com',
  kind: 'Global',
  scope: 'Cluster',
  versions: { v1: { spec: z.object({ a: z.string() }) } },
});

type Source = { readonly type: 'pvc'; readonly claim: string } | { readonly type: 'tmp' };

// What is read has its defaults; what is written may leave them out.
expectTypeOf<Resource<typeof Volume>['spec']>().toEqualTypeOf<{
  readonly size: number;
  readonly nested: { readonly list?: readonly { readonly a: string | null }[] | undefined };
  readonly kinds?: Readonly<Partial<Record<'a' | 'b', boolean>>> | undefined;
  readonly source: Source;
}>();
expectTypeOf<ResourceInput<typeof Volume>['spec']>().toEqualTypeOf<{
  readonly size?: number | undefined;
  readonly nested?: { readonly list?: readonly { readonly a?: string | null | undefined }[] | undefined } | undefined;
  readonly kinds?: Readonly<Partial<Record<'a' | 'b', boolean>>> | undefined;
  readonly source: Source;
}>();
expectTypeOf<NonNullable<Resource<typeof Volume>['status']>['phase']>().toEqualTypeOf<'Ready' | 'Lost'>();
expectTypeOf<NonNullable<ResourceInput<typeof Volume>['status']>['phase']>().toEqualTypeOf<'Ready' | 'Lost' | undefined>();
expectTypeOf<Resource<typeof Volume>['apiVersion']>().toEqualTypeOf<'store.example.com/v1'>();
expectTypeOf<Resource<typeof Volume.versions.v1alpha1>>().toEqualTypeOf<
  CustomResource<'store.example.com/v1alpha1', 'Volume', { readonly gigabytes: number }, never, 'Namespaced'>
>();
expectTypeOf<keyof typeof Volume.versions>().toEqualTypeOf<'v1' | 'v1alpha1'>();
expectTypeOf<Resource<typeof Volume>['metadata']>().toEqualTypeOf<NamespacedMeta>();
expectTypeOf<Resource<typeof Global>['metadata']['namespace']>().toEqualTypeOf<string | undefined>();
expectTypeOf(Global({ metadata: { name: 'a' }, spec: { a: 'b' } })).toEqualTypeOf<
  CustomResourceInput<'store.example.com/v1', 'Global', { readonly a: string }, never>
>();

// What a kind lacks is not typed, what it may lack is, and fields beside the spec are found.
const Loose = defineCustomResource({
  group: 'store.example.com',
  kind: 'Loose',
  versions: {
    v1: {
      storage: true,
      spec: z.object({ a: z.string() }).optional(),
      fields: z.object({ data: z.record(z.string(), z.string()), size: k.int32().default(1), note: z.string().optional() }),
    },
    v1beta1: { fields: z.object({ data: z.record(z.string(), z.string()) }) },
    v1alpha1: { spec: z.object({ a: z.string().default('x') }).prefault({}) },
  },
  convert: {
    v1beta1: {
      toStorage(object) {
        expectTypeOf(object.data).toEqualTypeOf<Readonly<Record<string, string>>>();
        return { spec: undefined, data: object.data };
      },
      fromStorage: ({ data }) => ({ spec: undefined, data }),
    },
    v1alpha1: { toStorage: ({ spec }) => ({ spec, data: {} }), fromStorage: ({ spec }) => ({ spec: { a: spec?.a } }) },
  },
});
type Loose = Resource<typeof Loose>;
expectTypeOf<Loose['spec']>().toEqualTypeOf<{ readonly a: string } | undefined>();
expectTypeOf<Loose['size']>().toEqualTypeOf<number>();
expectTypeOf<Loose['note']>().toEqualTypeOf<string | undefined>();
expectTypeOf<Resource<typeof Loose.versions.v1beta1>['data']>().toEqualTypeOf<Readonly<Record<string, string>>>();
expectTypeOf<Resource<typeof Loose.versions.v1alpha1>['spec']>().toEqualTypeOf<{ readonly a: string }>();
Loose({ metadata: { name: 'a' }, data: { key: 'value' } });
Loose.versions.v1beta1({ metadata: { name: 'a' }, data: {} });
Loose.versions.v1alpha1({ metadata: { name: 'a' } });
// @ts-expect-error data is required
Loose({ metadata: { name: 'a' }, spec: { a: 'b' } });
// @ts-expect-error a field beside the spec has its type
Loose({ metadata: { name: 'a' }, data: { key: 1 } });
// @ts-expect-error the spec of another kind is not optional
Global({ metadata: { name: 'a' } });
const Plain = defineCustomResource({
  group: 'store.example.com',
  kind: 'Plain',
  versions: { v1: { spec: z.object({}), status: z.object({ phase: z.string() }), statusSubresource: false } },
});
expectTypeOf<NonNullable<Resource<typeof Plain>['status']>>().toEqualTypeOf<{ readonly phase: string }>();
// @ts-expect-error a status without its subresource is not written by done()
defineController({ name: 'plain', for: Plain, reconcile: ({ done }) => done({ status: { phase: 'Ready' } }) });
// @ts-expect-error fields are an object
defineCustomResource({ group: 'a.example.com', kind: 'A', versions: { v1: { fields: z.string() } } });

// A handle has the declared verbs and no others, declared inline or apart, with `enqueue` or without.
const apart = watch(Pod, { enqueue: () => [] });
defineController({
  name: 'verbs',
  for: Volume,
  owns: { deployments: Deployment },
  watches: {
    bare: Pod,
    none: watch(Pod),
    apart,
    two: watch(Pod, { verbs: ['delete', 'patch'] }),
    nodes: watch(Node, { indexes: { zone: () => [] } }),
    referred: watch(Secret, {
      verbs: ['create'],
      indexes: { type: (secret) => [secret.type ?? ''] },
      enqueue: toReferrers(Volume, (volume) => {
        expectTypeOf(volume).toEqualTypeOf<Resource<typeof Volume>>();
        return [{ name: volume.spec.nested.list?.[0]?.a ?? undefined }];
      }),
    }),
  },
  reads: { live: Pod },
  reconcile(context) {
    expectTypeOf<keyof typeof context.bare>().toEqualTypeOf<'get' | 'list'>();
    expectTypeOf<keyof typeof context.none>().toEqualTypeOf<'get' | 'list'>();
    expectTypeOf<keyof typeof context.apart>().toEqualTypeOf<'get' | 'list'>();
    expectTypeOf<keyof typeof context.two>().toEqualTypeOf<'get' | 'list' | 'delete' | 'patch'>();
    expectTypeOf<keyof typeof context.deployments>().toEqualTypeOf<'get' | 'list'>();
    expectTypeOf(context.live.get('a')).toEqualTypeOf<Promise<Stored<Pod> | undefined>>();
    expectTypeOf(context.bare.get('a')).toEqualTypeOf<Stored<Pod> | undefined>();
    expectTypeOf(context.object.metadata.uid).toEqualTypeOf<string>();
    expectTypeOf<keyof typeof context.referred>().toEqualTypeOf<'get' | 'list' | 'create'>();
    context.referred.list({ index: { type: 'a' } });
    context.nodes.list({ index: { zone: 'a' } });
    // @ts-expect-error: no such index
    context.nodes.list({ index: { region: 'a' } });
    // @ts-expect-error: no index is declared
    context.two.list({ index: { zone: 'a' } });
    return context.done();
  },
  async finalize(context) {
    expectTypeOf(context.two.delete).toBeFunction();
    context.done();
    // @ts-expect-error: an object that is being deleted gets no children
    context.done({ owned: {} });
    // @ts-expect-error: the status has no such field
    context.done({ status: { sise: 1 } });
    // @ts-expect-error: a condition has a reason
    context.done({ conditions: [{ type: 'Degraded', status: 'Unknown' }] });
    return context.bare.list().length > 0 ? context.done({ requeueAfter: '1s' }) : undefined;
  },
});

// The referring kind types the function, for kinds of any sort and version, written inline or apart.
const references = toReferrers(Volume.versions.v1alpha1, (volume) => {
  expectTypeOf(volume.spec).toEqualTypeOf<{ readonly gigabytes: number }>();
  return [];
});
watch(Secret, { enqueue: references });
toReferrers(Pod, (pod) => (pod.spec.volumes ?? []).map((volume) => ({ name: volume.secret?.secretName })));
// @ts-expect-error: a reference has a name, if only an undefined one
toReferrers(Pod, (pod) => [{ nam: pod.metadata.name }]);
// @ts-expect-error: no such field
toReferrers(Pod, (pod) => [{ name: pod.spec.secretName }]);
// @ts-expect-error: a list is wanted
toReferrers(Pod, (pod) => ({ name: pod.metadata.name }));

// A version's own types reach the controller although the kind is callable.
defineController({
  name: 'version',
  for: Volume.versions.v1alpha1,
  reconcile({ object, done }) {
    expectTypeOf(object.spec.gigabytes).toEqualTypeOf<number>();
    // @ts-expect-error: this version has no status
    return done({ status: {} });
  },
});

const reading = declareAccess({ for: Volume, reads: { pods: Pod } });
expectTypeOf<keyof ContextOf<typeof reading>['pods']>().toEqualTypeOf<'get' | 'list'>();
// @ts-expect-error: watches alone do not make a context
declareAccess({ watches: { pods: Pod } });
expectTypeOf<ContextOf<{ watches: { pods: typeof Pod } }>>().toBeNever();

// Webhooks: defaults see what the user wrote, checks see what will be stored; a name may be missing.
defaulting(Volume, (object) => {
  expectTypeOf(object.spec.size).toEqualTypeOf<number | undefined>();
  expectTypeOf(object.metadata).toEqualTypeOf<Draft<ObjectMeta>>();
});
validating(Volume, {
  create: (object, { old }) => {
    expectTypeOf(object.spec.size).toEqualTypeOf<number>();
    expectTypeOf(old?.spec.size).toEqualTypeOf<number | undefined>();
  },
  update: (object, { old }) => (object.spec.size < old.spec.size ? 'cannot shrink' : []),
});
mutating(Pod, {
  apply: (pod) => {
    expectTypeOf(pod).toEqualTypeOf<Draft<Admitted<Pod>>>();
  },
});

// What a webhook watches it may read, and not write; what it cannot complete it refuses.
mutating(Pod, {
  watches: { volumes: Volume, byNode: watch(Pod, { indexes: { node: () => [] } }) },
  apply: (pod, { volumes, byNode, warn }) => {
    expectTypeOf(volumes.list()[0]?.spec.size).toEqualTypeOf<number | undefined>();
    expectTypeOf(byNode.list({ index: { node: 'a' } })).toEqualTypeOf<Stored<Pod>[]>();
    expectTypeOf<keyof typeof volumes>().toEqualTypeOf<'get' | 'list'>();
    expectTypeOf(warn).toEqualTypeOf<(message: string) => void>();
    return pod.metadata.name === 'bad' ? [{ path: 'metadata.name', message: 'is bad' }] : pod;
  },
});
validating(Pod, (options, { namespace }) => (options.tty && options.command?.[0] === 'sh' ? `no shell in ${namespace}` : undefined), {
  subresource: 'exec',
});
validating(Volume, ({ spec }) => ((spec?.replicas ?? 0) > 3 ? 'too many' : []), { subresource: 'scale' });
validating(Volume, ({ spec }) => (spec.size === undefined ? 'no size' : []), { subresource: 'status' });
validating(
  [Deployment, StatefulSet],
  (workload, { old }) => {
    if (workload.kind === 'StatefulSet' && old?.kind === 'StatefulSet')
      expectTypeOf(workload.spec?.serviceName).toEqualTypeOf<string | undefined>();
    return workload.spec?.replicas === 0 ? 'runs nothing' : undefined;
  },
  { name: 'replicas' },
);
mutating([Deployment, StatefulSet], {
  name: 'replicas',
  apply: (workload) => {
    workload.metadata.labels = { ...workload.metadata.labels, seen: 'yes' };
  },
});
validating(Volume, (object, { volumes }) => (volumes.get(object.metadata.name ?? '') === undefined ? [] : 'exists'), {
  watches: { volumes: Volume },
});
defaulting(
  Volume,
  (_, { volumes, old }) => {
    expectTypeOf(volumes.list()[0]?.spec.size).toEqualTypeOf<number | undefined>();
    expectTypeOf(old?.spec.size).toEqualTypeOf<number | undefined>();
  },
  { watches: { volumes: Volume } },
);
