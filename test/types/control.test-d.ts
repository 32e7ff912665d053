import { run, start } from '@keelson/runtime';
import { reconcileOnce, TestCluster } from '@keelson/testing';
import { expectTypeOf } from 'expect-type';
import {
  type ContextOf,
  type Controller,
  counter,
  type Done,
  declareAccess,
  defineController,
  defineCustomResource,
  defineOperator,
  external,
  gauge,
  k,
  type LabelValues,
  merge,
  type Operator,
  type Owned,
  own,
  type Resource,
  read,
  referenced,
  type Stored,
  settings,
  through,
  toAll,
  toOwner,
  toReferrers,
  toSelectors,
  validating,
  watch,
} from 'keelson';
import { composed } from 'keelson/constructs';
import { ConfigMap, Deployment, Job, Pod, Secret, Service, StatefulSet } from 'keelson/kinds';
import { z } from 'zod';

const EtcdCluster = defineCustomResource({
  group: 'etcd.example.com',
  kind: 'EtcdCluster',
  versions: {
    v1: {
      spec: z.object({ size: k.int32().default(3), version: z.string(), tls: z.object({ secret: z.string().optional() }).optional() }),
      status: z.object({
        phase: z.enum(['Creating', 'Running']).optional(),
        lastBackup: z.string().optional(),
        conditions: k.conditions(),
      }),
    },
  },
});
interface EtcdCluster extends Resource<typeof EtcdCluster> {}
interface Member {
  readonly id: string;
  readonly name: string;
}
interface EtcdApi {
  members(urls: readonly string[], signal: AbortSignal): Promise<Member[]>;
  onAlarm(enqueue: (key: { readonly name: string; readonly namespace?: string }) => void, signal: AbortSignal): Promise<void>;
}
interface Vault {
  sign(name: string): Promise<string>;
}
const etcd = external<EtcdApi>();
const vault = external<Vault>();

// Inline calls infer from themselves, not from the constraint of the map that they stand in.
const config = settings(z.object({ workers: z.number().default(1), image: z.string().optional() }), { secret: ['image'] });
config.values({ workers: 2, image: { valueFrom: {} } });
export const everything = defineController({
  name: 'everything',
  for: EtcdCluster,
  uses: { etcd, vault, config, states: gauge('etcd_members', 'Members.', ['state', 'zone']), runs: counter('etcd_runs_total', 'Runs.') },
  owns: {
    deployments: Deployment,
    acted: own(Pod, { verbs: ['create', 'delete'] }),
    both: own(Pod, { verbs: ['delete'], desired: true }),
    plain: own(ConfigMap, {}),
    sets: own(StatefulSet, { onImmutable: 'recreate', propagation: 'Foreground' }),
    jobs: own(Job, { existence: 'once' }),
  },
  watches: {
    bare: Pod,
    none: watch(Pod),
    two: watch(Pod, { verbs: ['patch'], enqueue: toOwner('EtcdCluster') }),
    known: watch(Job, { metadataOnly: true, enqueue: (job) => [{ name: job.metadata.name }] }),
    selected: watch(Pod, { enqueue: toSelectors(EtcdCluster, ({ spec }) => ({ labels: { matchLabels: { version: spec.version } } })) }),
    named: watch(Secret, {
      verbs: ['patch'],
      only: referenced(EtcdCluster, ({ spec }) => [spec.tls?.secret, { name: 'a', namespace: 'b' }]),
    }),
    inside: watch(Pod, { verbs: ['delete'], enqueue: toSelectors(EtcdCluster, () => ({ labels: null }), { ownNamespace: true }) }),
    throughSelected: watch(ConfigMap, {
      enqueue: through(Pod, (pod) => {
        expectTypeOf(pod).toEqualTypeOf<Pod>();
        return [{ name: pod.spec?.serviceAccountName }, { name: 'a', namespace: 'b' }];
      }),
    }),
    throughKeys: watch(Secret, { enqueue: through(Job, ({ metadata }) => [{ name: metadata.name }]) }),
    every: watch(Deployment, { indexes: { a: () => [] }, enqueue: toAll(EtcdCluster) }),
    referred: watch(Secret, { enqueue: toReferrers(EtcdCluster, ({ spec }) => [{ name: spec.tls?.secret }]) }),
  },
  reads: { secrets: Secret, one: read(Secret, { verbs: ['get'] }), vaulted: read(Secret, { namespaces: ['vault'] }) },
  observes: ({ poll, subscribe }) => ({
    members: poll({
      every: 1_000,
      async read({ object, etcd, signal }) {
        expectTypeOf(object.spec.size).toEqualTypeOf<number>();
        const all = await etcd.members([], signal);
        return all.map((member) => member.id);
      },
      equals: (a, b) => a.length === b.length,
    }),
    pushed: subscribe(({ etcd, enqueue, signal }) => etcd.onAlarm(enqueue, signal)),
  }),
  background: {
    job: async ({ object, vault, key }) => {
      expectTypeOf(key).toEqualTypeOf<string>();
      return { signature: await vault.sign(object.spec.version) };
    },
    sync: () => 'x' as const,
  },
  timeLimit: 60_000,
  concurrency: 3,
  abortOn: ['deletion', 'spec'],
  annotations: {
    prefix: 'example.com',
    paused: 'cluster.x-k8s.io/paused',
    pausedDeletion: 'wait',
    mode: 'example.com/mode',
    deletion: true,
    reconcile: 'reconcile.fluxcd.io/requestedAt',
  },
  async reconcile(context) {
    // Equality, not assignability: `never` would pass that.
    expectTypeOf(context.members.value).toEqualTypeOf<string[] | undefined>();
    expectTypeOf(context.members.refresh).toEqualTypeOf<() => Promise<string[]>>();
    expectTypeOf<keyof typeof context.pushed>().toEqualTypeOf<'error'>();
    expectTypeOf<keyof typeof context.deployments>().toEqualTypeOf<'get' | 'list'>();
    expectTypeOf(context.states.set).parameters.toEqualTypeOf<[labels: LabelValues<'state' | 'zone'>, value: number]>();
    context.runs.inc({});
    expectTypeOf(context.config).toEqualTypeOf<{ readonly workers: number; readonly image?: string | undefined }>();
    expectTypeOf<keyof typeof context.named>().toEqualTypeOf<'get' | 'list' | 'patch'>();
    expectTypeOf<keyof typeof context.inside>().toEqualTypeOf<'get' | 'list' | 'delete'>();
    expectTypeOf<keyof typeof context.selected>().toEqualTypeOf<'get' | 'list'>();
    expectTypeOf<keyof typeof context.acted>().toEqualTypeOf<'get' | 'list' | 'create' | 'delete'>();
    expectTypeOf<keyof typeof context.both>().toEqualTypeOf<'get' | 'list' | 'delete'>();
    expectTypeOf<keyof typeof context.plain>().toEqualTypeOf<'get' | 'list'>();
    expectTypeOf<keyof typeof context.none>().toEqualTypeOf<'get' | 'list'>();
    expectTypeOf<keyof typeof context.two>().toEqualTypeOf<'get' | 'list' | 'patch'>();
    expectTypeOf<keyof typeof context.one>().toEqualTypeOf<'get'>();
    expectTypeOf<keyof typeof context.secrets>().toEqualTypeOf<'get' | 'list'>();
    expectTypeOf<keyof typeof context.vaulted>().toEqualTypeOf<'get' | 'list'>();
    expectTypeOf<keyof Stored<Pick<Job, 'metadata'>>>().toEqualTypeOf<'metadata'>();
    expectTypeOf<keyof NonNullable<ReturnType<typeof context.known.get>>>().toEqualTypeOf<'apiVersion' | 'kind' | 'metadata'>();
    expectTypeOf(context.deployments.get('a')).toEqualTypeOf<Stored<Deployment> | undefined>();
    expectTypeOf(context.vault).toEqualTypeOf<Vault>();
    expectTypeOf<keyof NonNullable<NonNullable<Parameters<typeof context.done>[0]>['owned']>>().toEqualTypeOf<
      'deployments' | 'both' | 'plain' | 'sets' | 'jobs'
    >();
    const state = context.job.start('a');
    if (state.phase === 'done') expectTypeOf(state.result).toEqualTypeOf<{ signature: string }>();
    // @ts-expect-error: there is no result yet
    void state.result;
    await context.status.write({ phase: 'Creating' });
    // @ts-expect-error: no such field
    await context.status.write({ fase: 'Creating' });
    await context.owned.apply({ deployments: context.deployments.list() });
    context.done({ status: merge({ lastBackup: 'x' }) });
    // @ts-expect-error: no such field
    context.done({ status: merge({ lastBackups: 'x' }) });
    // @ts-expect-error: wrong type
    context.done({ status: merge({ lastBackup: 1 }) });
    const hoisted = merge({ lastBackup: 'x' });
    // @ts-expect-error: its fields are unknown out there
    context.done({ status: hoisted });
    // @ts-expect-error: a time is a Date, not a text
    context.done({ requeueAt: '2030-01-01T00:00:00Z' });
    if (context.now() > new Date(0)) return context.done({ requeueAt: context.now() });
    return context.done({ owned: { deployments: context.deployments.list(), both: [] }, retry: new Error('x'), requeueAfter: 30_000 });
  },
  async finalize({ etcd, status, signal, done }) {
    await status.write({ phase: 'Creating' });
    await etcd.members([], signal);
    return done({ requeueAfter: '1s' });
  },
});
expectTypeOf(everything).toEqualTypeOf<Controller<{ readonly etcd: EtcdApi; readonly vault: Vault }, { readonly members: string[] }>>();

// The order of the options does not matter, but for functions of one literal: sources stand above `reconcile`.
export const ordered = defineController({
  observes: ({ poll }) => ({
    members: poll({ every: '1s', read: async ({ etcd, signal }) => (await etcd.members([], signal)).map((x) => x.id) }),
  }),
  reconcile({ members, done }) {
    expectTypeOf(members.value).toEqualTypeOf<string[] | undefined>();
    return done();
  },
  uses: { etcd },
  for: EtcdCluster,
  name: 'order',
});

export const plain = defineController({ name: 'plain', for: EtcdCluster, reconcile: ({ done }) => done() });
expectTypeOf(plain).toEqualTypeOf<Controller>();
expectTypeOf<Controller>().toExtend<Controller<{ etcd: EtcdApi }>>();
// @ts-expect-error: an annotation does not lose a need
const annotated: Controller = everything;
expectTypeOf(annotated).toEqualTypeOf<Controller>();

// No union, array or condition loses a need.
type Both = Operator<{ readonly etcd: EtcdApi; readonly vault: Vault }>;
const hoisted = [plain, everything, ordered];
declare const flag: boolean;
expectTypeOf(defineOperator({ name: 'x', controllers: [plain, everything] })).toEqualTypeOf<Both>();
expectTypeOf(defineOperator({ name: 'x', controllers: hoisted })).toEqualTypeOf<Both>();
expectTypeOf(defineOperator({ name: 'x', controllers: [...hoisted, plain] })).toEqualTypeOf<Both>();
expectTypeOf(defineOperator({ name: 'x', controllers: [flag ? plain : ordered] })).toEqualTypeOf<Operator<{ readonly etcd: EtcdApi }>>();
expectTypeOf(defineOperator({ name: 'x', controllers: [plain] })).toEqualTypeOf<Operator>();
const signing = validating(EtcdCluster, async (object, { vault }) => void (await vault.sign(object.spec.version)), { uses: { vault } });
const free = validating(EtcdCluster, () => [], { name: 'free' });
const operator = defineOperator({ name: 'x', controllers: [ordered], webhooks: [signing, free] });
expectTypeOf(operator).toEqualTypeOf<Both>();
expectTypeOf(defineOperator({ name: 'x', webhooks: [free] })).toEqualTypeOf<Operator>();

// What is needed is asked for, by name; what needs nothing is run as it is.
declare const fakes: { etcd: EtcdApi; vault: Vault };
export async function starts(): Promise<void> {
  const easy = defineOperator({ name: 'x', controllers: [plain] });
  await run(easy);
  await run(easy, { timeLimit: '1m' });
  await run(operator, { externals: fakes });
  await start(operator, { externals: fakes });
  // @ts-expect-error: externals are missing
  await run(operator);
  // @ts-expect-error: one is missing
  await run(operator, { externals: { etcd: fakes.etcd } });
  const cluster = await TestCluster.start({ operator });
  await cluster.startOperator({ externals: fakes });
  // @ts-expect-error: externals are missing
  await cluster.startOperator();
  // @ts-expect-error: one is missing
  await cluster.startOperator({ externals: { vault: fakes.vault } });
  await (await TestCluster.start({ operator: easy })).startOperator();
  const { owned } = await reconcileOnce(everything, { object: {}, ...fakes, members: ['a'], acted: [] });
  expectTypeOf(owned?.['sets']?.[0]?.kind).toEqualTypeOf<string | undefined>();
  // @ts-expect-error: a fake is missing
  await reconcileOnce(everything, { object: {}, etcd: fakes.etcd });
  // @ts-expect-error: no value of that source
  await reconcileOnce(everything, { object: {}, ...fakes, members: [1] });
}

// Written apart: needs, sources and handles survive the spread.
const access = declareAccess({
  for: EtcdCluster,
  owns: { services: Service, pods: own(Pod, { verbs: ['create'] }) },
  uses: { etcd },
  observes: ({ poll }) => ({ members: poll({ every: 8_000, read: ({ etcd, signal }) => etcd.members([], signal) }) }),
});
async function reconcileApart({ members, services, pods, done }: ContextOf<typeof access>): Promise<Done> {
  expectTypeOf(members.value).toEqualTypeOf<Member[] | undefined>();
  expectTypeOf<keyof typeof pods>().toEqualTypeOf<'get' | 'list' | 'create'>();
  return done({ owned: { services: services.list() }, status: merge({ lastBackup: 'x' }) });
}
export const apart = defineController({ name: 'apart', ...access, reconcile: reconcileApart });
expectTypeOf(apart).toEqualTypeOf<Controller<{ readonly etcd: EtcdApi }, { readonly members: Member[] }>>();

// A construct as reconciler: by handle too.
const owns = { deployments: Deployment, services: Service, pods: own(Pod, { verbs: ['create'] }) };
const children = composed(owns, (_, object: EtcdCluster & { metadata: { name: string } }) => void object.spec.size);
expectTypeOf<ReturnType<typeof children>>().toEqualTypeOf<Owned<typeof owns>>();
expectTypeOf<keyof ReturnType<typeof children>>().toEqualTypeOf<'deployments' | 'services'>();

// A share of the status: its fields and condition types, and no others.
export const backups = defineController({
  name: 'backups',
  for: EtcdCluster,
  writesStatus: { summary: 'BackupsReady', neededForReady: true, conditions: ['BackupRecent'], fields: ['lastBackup'] },
  async reconcile({ object, status, done }) {
    expectTypeOf(object.status?.phase).toEqualTypeOf<'Creating' | 'Running' | undefined>();
    await status.write({ lastBackup: 'half' });
    return done({
      status: merge({ lastBackup: 'today' }),
      conditions: [
        { type: 'BackupRecent', status: true, reason: 'Saved' },
        { type: 'BackupsReady', status: false, reason: 'Waiting' },
      ],
    });
  },
  finalize: ({ done }) => done({ status: { lastBackup: 'last' }, conditions: [{ type: 'BackupRecent', status: true, reason: 'Saved' }] }),
});
export const quiet = defineController({
  name: 'quiet',
  for: EtcdCluster,
  writesStatus: { summary: 'QuietReady' },
  reconcile: ({ done }) => done(),
});
// One condition in the status of somebody else's kind.
export const judged = defineController({
  name: 'judged',
  for: Deployment,
  writesStatus: { conditions: ['BackedUp'] },
  reconcile: ({ done }) => done({ conditions: [{ type: 'BackedUp', status: true, reason: 'Saved' }] }),
});
// Apart from its functions.
const shared = declareAccess({ for: EtcdCluster, writesStatus: { summary: 'BackupsReady', fields: ['lastBackup'] } });
export async function reconcileBackups({ done }: ContextOf<typeof shared>): Promise<Done> {
  return done({ status: { lastBackup: 'today' }, conditions: [{ type: 'BackupsReady', status: true, reason: 'Saved' }] });
}
export const sharing = defineController({ name: 'apart', ...shared, reconcile: reconcileBackups });

// @ts-expect-error a misspelt annotation would be read by nothing
defineController({ name: 'a', for: EtcdCluster, annotations: { pause: 'example.com/paused' }, reconcile: ({ done }) => done() });
// @ts-expect-error a key, or false: there is nothing to switch on
defineController({ name: 'a', for: EtcdCluster, annotations: { paused: true }, reconcile: ({ done }) => done() });
// @ts-expect-error a key, or false
defineController({ name: 'a', for: EtcdCluster, annotations: { mode: ['observe'] }, reconcile: ({ done }) => done() });
// @ts-expect-error the value of the annotation is the user's
defineController({ name: 'a', for: EtcdCluster, annotations: { deletion: { orphan: true } }, reconcile: ({ done }) => done() });
// @ts-expect-error a key, or false
defineController({ name: 'a', for: EtcdCluster, annotations: { reconcile: true }, reconcile: ({ done }) => done() });
// @ts-expect-error a deletion runs finalize, or waits
defineController({ name: 'a', for: EtcdCluster, annotations: { pausedDeletion: 'never' }, reconcile: ({ done }) => done() });
