import { FakeClock, type InProcessCluster, mergePatch, reconcileOnce, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, external, k, merge, validating } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';

const Ring = defineCustomResource({
  group: 'outside.keelson.example',
  kind: 'Ring',
  versions: {
    v1: {
      spec: z.object({ size: k.int32().default(1), backup: z.string().optional() }),
      status: z.object({ members: z.array(z.string()).optional(), error: z.string().optional(), backup: z.string().optional() }),
    },
  },
});

interface Etcd {
  members(name: string, signal: AbortSignal): Promise<string[]>;
  add(name: string, member: string): Promise<void>;
  remove(name: string): Promise<void>;
  save(name: string, signal: AbortSignal): Promise<number>;
  onAlarm(tell: (key: string) => void): () => void;
}
const etcd = external<Etcd>();

const triggers: string[] = [];
const ringController = defineController({
  name: 'ring',
  for: Ring,
  owns: { configs: ConfigMap },
  uses: { etcd },
  observes: ({ poll, subscribe }) => ({
    members: poll({
      every: '8s',
      jitter: 0,
      read: async ({ object, etcd, signal }) => (await etcd.members(object.metadata.name, signal)).sort(),
    }),
    alarms: subscribe(({ etcd, enqueue }) => etcd.onAlarm(enqueue)),
  }),
  background: {
    backup: async ({ object, etcd, signal, progress, key }) => {
      progress(`saving ${key}`);
      return { bytes: await etcd.save(object.metadata.name, signal) };
    },
  },
  async reconcile({ object, members, etcd, backup, trigger, done }) {
    triggers.push(trigger.cause);
    const { name } = object.metadata;
    if (members.value === undefined || members.error !== undefined) return done({ status: merge({ error: String(members.error) }) });
    let known = members.value;
    for (let index = known.length; index < object.spec.size; index += 1) {
      await etcd.add(name, `${name}-${index}`);
      known = await members.refresh();
    }
    const state = object.spec.backup === undefined ? undefined : backup.start(object.spec.backup);
    return done({
      owned: { configs: [ConfigMap({ metadata: { name }, data: { members: known.join() } })] },
      status: { members: known, ...(state?.phase === 'done' ? { backup: `${state.result.bytes} bytes` } : {}) },
    });
  },
  async finalize({ object, etcd }) {
    await etcd.remove(object.metadata.name);
  },
});

const operator = defineOperator({
  name: 'ring-operator',
  controllers: [ringController],
  webhooks: [
    validating(
      Ring,
      async (object, { etcd, signal }) =>
        (await etcd.members(object.metadata.name ?? '', signal)).includes('foe') ? 'a foe is in it' : undefined,
      {
        uses: { etcd },
      },
    ),
  ],
});

class FakeEtcd implements Etcd {
  readonly rings = new Map<string, Set<string>>();
  readonly alarms = new Set<(key: string) => void>();
  isDown = false;
  saves = 0;
  endSave: (bytes: number) => void = () => undefined;
  saveSignal: AbortSignal | undefined;

  async members(name: string): Promise<string[]> {
    if (this.isDown) throw new Error('no quorum');
    return [...(this.rings.get(name) ?? [])];
  }
  async add(name: string, member: string): Promise<void> {
    this.rings.set(name, new Set([...(this.rings.get(name) ?? []), member]));
  }
  async remove(name: string): Promise<void> {
    this.rings.delete(name);
  }
  save(_: string, signal: AbortSignal): Promise<number> {
    this.saves += 1;
    this.saveSignal = signal;
    return new Promise((resolve, reject) => {
      this.endSave = resolve;
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  }
  onAlarm(tell: (key: string) => void): () => void {
    this.alarms.add(tell);
    return () => this.alarms.delete(tell);
  }
}

let cluster: InProcessCluster<FakeClock, { readonly etcd: Etcd }>;
let fake: FakeEtcd;
beforeEach(async () => {
  triggers.splice(0);
  fake = new FakeEtcd();
  cluster = await TestCluster.start({ operator, clock: new FakeClock() });
});
afterEach(() => cluster.close());

const statusOf = async (name = 'a') => (await cluster.get(Ring, name)).status;

test('an external is acted upon, polled per object, and cleaned up; a change outside reconciles the object', async () => {
  await cluster.startOperator({ externals: { etcd: fake } });
  await cluster.create(Ring({ metadata: { name: 'a' }, spec: { size: 2 } }));
  await cluster.settled();
  expect([...(fake.rings.get('a') ?? [])]).toEqual(['a-0', 'a-1']);
  expect((await cluster.get(ConfigMap, 'a')).data).toEqual({ members: 'a-0,a-1' });
  fake.rings.get('a')?.add('z');
  const runs = triggers.length;
  cluster.clock.advance('9s');
  await cluster.until(async () => expect((await statusOf())?.members).toEqual(['a-0', 'a-1', 'z']));
  await cluster.settled();
  expect(triggers[runs]).toBe('observed');
  const after = triggers.length;
  cluster.clock.advance('60s');
  await cluster.settled();
  expect(triggers.length).toBe(after);
  await cluster.delete(Ring, 'a');
  await cluster.until(Ring, 'a', 'absent');
  expect(fake.rings.has('a')).toBe(false);
});

test('a system that is down shows in the status, and its return is a reason for a run', async () => {
  await cluster.startOperator({ externals: { etcd: fake }, log: { debug() {}, info() {}, warn() {}, error() {} } });
  await cluster.create(Ring({ metadata: { name: 'a' }, spec: {} }));
  await cluster.settled();
  fake.isDown = true;
  cluster.clock.advance('9s');
  await cluster.until(async () => expect((await statusOf())?.error).toBe('Error: no quorum'));
  fake.isDown = false;
  fake.rings.get('a')?.add('z');
  cluster.clock.advance('9s');
  await cluster.until(async () => expect((await statusOf())?.members).toEqual(['a-0', 'z']));
});

test('an alarm that a subscription pushes, and running.enqueue, reconcile an object', async () => {
  const running = await cluster.startOperator({ externals: { etcd: fake } });
  await cluster.create(Ring({ metadata: { name: 'a' }, spec: {} }));
  await cluster.settled();
  expect(fake.alarms.size).toBe(1);
  let runs = triggers.length;
  for (const tell of fake.alarms) tell(`${cluster.namespace}/a`);
  await cluster.settled();
  expect(triggers.slice(runs)).toEqual(['observed']);
  runs = triggers.length;
  running.enqueue(Ring, `${cluster.namespace}/a`);
  await cluster.settled();
  expect(triggers.slice(runs)).toEqual(['enqueued']);
  running.enqueue(Ring, `${cluster.namespace}/nobody`);
  expect(() => running.enqueue(ConfigMap, 'a/b')).toThrow('enqueue: no controller of ring-operator is for ConfigMap');
  expect(() => running.enqueue(Ring, 'a')).toThrow(`enqueue: "a" names no Ring; give 'namespace/name', or a key`);
  await running.stop();
  expect(fake.alarms.size).toBe(0);
});

test('long work runs beside the reconciles, once for its key; deletion cancels it', async () => {
  await cluster.startOperator({ externals: { etcd: fake } });
  await cluster.create(Ring({ metadata: { name: 'a' }, spec: { backup: 'day-1' } }));
  await cluster.until(() => expect(fake.saves).toBe(1));
  // At rest: a run that is due for another reason as well names only the first one.
  await cluster.settled();
  fake.endSave(7);
  await cluster.until(async () => expect((await statusOf())?.backup).toBe('7 bytes'));
  expect([fake.saves, triggers.includes('background')]).toEqual([1, true]);
  await cluster.patch(Ring, 'a', mergePatch({ spec: { backup: 'day-2' } }));
  await cluster.until(() => expect(fake.saves).toBe(2));
  await cluster.delete(Ring, 'a');
  await cluster.until(() => expect(fake.saveSignal?.aborted).toBe(true));
});

test('webhooks have externals too, and an interceptor stands between', async () => {
  const calls: string[] = [];
  await cluster.startOperator({
    externals: { etcd: fake },
    interceptExternal: ({ external: name, method }, call) => {
      calls.push(`${name}.${method}`);
      return call();
    },
  });
  await fake.add('bad', 'foe');
  await expect(cluster.create(Ring({ metadata: { name: 'bad' }, spec: {} }))).rejects.toThrow('a foe is in it');
  expect(calls).toContain('etcd.members');
});

test('a missing external is named at the start, in untyped code too', async () => {
  const untyped = cluster as unknown as { startOperator(options?: object): Promise<unknown> };
  await expect(untyped.startOperator()).rejects.toThrow('externals are missing: etcd; give them at the start');
  await expect(untyped.startOperator({ externals: { etcd: fake, vault: {} } })).rejects.toThrow(
    'externals.vault: no part of the operator uses it',
  );
});

test('reconcileOnce takes a fake, values and states', async () => {
  const outcome = await reconcileOnce(ringController, {
    object: { metadata: { name: 'a' }, spec: { backup: 'day-1' } },
    etcd: fake,
    members: ['m'],
    backup: { 'day-1': { phase: 'done', at: new Date(), result: { bytes: 3 } } },
  });
  expect(outcome.status).toEqual({ members: ['m'], backup: '3 bytes' });
  expect(outcome.background).toEqual([{ handle: 'backup', verb: 'start', key: 'day-1' }]);
  const unread = await reconcileOnce(ringController, { object: { metadata: { name: 'a' }, spec: {} }, etcd: fake });
  expect(unread.status).toEqual({ error: 'undefined' });
  await expect(reconcileOnce(ringController as never, { object: { metadata: { name: 'a' } } } as never)).rejects.toThrow(
    "uses the external 'etcd'; give a fake of it",
  );
});
