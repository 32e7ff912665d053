import { FakeClock, jsonPatch, mergePatch } from '@keelson/testing';
import { type Done, RetryLater, TerminalError } from 'keelson';
import { ConfigMap, CustomResourceDefinition, Pod, Secret } from 'keelson/kinds';
import { RunningController, type StartOptions } from '../harness/running-controller.js';
import { type Behaviour, Widget, type WidgetContext, widgetOperator } from './widget.js';

let running: RunningController;
afterEach(() => running.close());

async function start(behaviour: Behaviour, options?: StartOptions): Promise<RunningController> {
  running = await RunningController.start(widgetOperator(behaviour), options);
  return running;
}

const widget = (name: string, spec = {}) => Widget({ metadata: { name }, spec });
const pod = (name: string, of: string) =>
  Pod({ metadata: { name, labels: { widget: of } }, spec: { containers: [{ name: 'a', image: 'a' }] } });

function conditionsOf({ status }: Widget): Record<string, string> {
  return Object.fromEntries((status?.conditions ?? []).map(({ type, status: value, reason }) => [type, `${value} ${reason}`]));
}

test('a restart of hundreds of objects that need no write leaves room for the event loop between the runs', async () => {
  const clock = new FakeClock();
  let [isCounting, runs, most] = [false, 0, 0];
  await start(
    {
      reconcile: ({ done }) => {
        if (isCounting) clock.advance(5);
        runs += 1;
        return done();
      },
    },
    { clock, cluster: { clock } },
  );
  for (let index = 0; index < 200; index += 1) await running.cluster.create(widget(`w${index}`));
  await running.settled();
  await running.stop();
  [isCounting, runs] = [true, 0];
  let before = 0;
  const count = (): void => {
    most = Math.max(most, runs - before);
    before = runs;
    if (runs < 200) setImmediate(count);
  };
  await running.begin();
  count();
  await running.settled();
  // One for each of the ten workers, begun before the time was up.
  expect([runs, most <= 10]).toEqual([200, true]);
});

describe('what triggers a run', () => {
  test('H36: spec, labels, annotations and a second object of the name do; H38: the own status does not', async () => {
    const runs: string[] = [];
    const { cluster } = await start({
      reconcile: ({ object, done }) => {
        runs.push(object.metadata.uid);
        return done({ status: { size: object.spec.size } });
      },
    });
    const { metadata } = await cluster.create(widget('a'));
    await running.settled();
    expect(runs).toHaveLength(1);
    for (const [count, patch] of [
      { spec: { size: 2 } },
      { metadata: { labels: { a: 'b' } } },
      { metadata: { annotations: { a: 'b' } } },
    ].entries()) {
      await cluster.patch(Widget, 'a', mergePatch(patch));
      await running.settled();
      expect(runs).toHaveLength(2 + count);
    }
    await cluster.delete(Widget, 'a');
    const { metadata: second } = await cluster.create(widget('a'));
    await running.settled();
    expect(runs.at(-1)).toBe(second.uid);
    expect(second.uid).not.toBe(metadata.uid);
  });

  test('every line of a run has its object and its id, which is another one for the next run', async () => {
    const { cluster } = await start({
      reconcile: ({ log, done }) => {
        log.info('looking');
        log.info('done', { size: 1 });
        return done();
      },
    });
    await cluster.create(widget('a'));
    await running.settled();
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 2 } }));
    await running.settled();
    const lines = running.log.lines.filter(({ message }) => message === 'looking' || message === 'done');
    expect(lines).toHaveLength(4);
    expect(lines.map(({ fields }) => fields?.['object'])).toEqual(lines.map(() => `${cluster.namespace}/a`));
    expect(lines[1]?.fields).toMatchObject({ size: 1 });
    const ids = lines.map(({ fields }) => fields?.['reconcileID']);
    expect([ids[0] === ids[1], ids[2] === ids[3], ids[1] === ids[2]]).toEqual([true, true, false]);
  });

  test('H41: a child that moves to another owner is the business of both; an owner of that name in another group is none', async () => {
    const runs: string[] = [];
    const { cluster } = await start({
      reconcile: ({ object, trigger, done }) => {
        runs.push(`${object.metadata.name} ${trigger.cause}`);
        return done();
      },
    });
    const [a, b] = [await cluster.create(widget('a')), await cluster.create(widget('b'))];
    const owner = (apiVersion: string, { name, uid }: { name: string; uid: string }) => ({
      apiVersion,
      kind: 'Widget',
      name,
      uid,
      controller: true,
    });
    await running.settled();
    runs.length = 0;
    await cluster.create(ConfigMap({ metadata: { name: 'c', ownerReferences: [owner('test.example.com/v1', a.metadata)] } }));
    await running.settled();
    expect(runs.splice(0)).toEqual(['a owned']);
    await cluster.patch(ConfigMap, 'c', mergePatch({ metadata: { ownerReferences: [owner('test.example.com/v1alpha1', b.metadata)] } }));
    await running.settled();
    expect(runs.splice(0).sort()).toEqual(['a owned', 'b owned']);
    await cluster.patch(ConfigMap, 'c', mergePatch({ metadata: { ownerReferences: [owner('other.example.com/v1', b.metadata)] } }));
    await running.settled();
    expect(runs.splice(0)).toEqual(['b owned']);
  });

  test('what an object refers to, and what enqueues it, under the name of the handle', async () => {
    const triggers: unknown[] = [];
    const { cluster } = await start({
      reconcile: ({ trigger, done }) => {
        triggers.push(trigger);
        return done();
      },
    });
    await cluster.create(widget('a', { secret: 's' }));
    await running.settled();
    await cluster.create(Secret({ metadata: { name: 's' } }));
    await running.settled();
    await cluster.create(Secret({ metadata: { name: 'other' } }));
    await cluster.create(pod('p', 'a'));
    await running.settled();
    expect(triggers).toEqual([
      { cause: 'object' },
      { cause: 'watched', handle: 'secrets', object: { namespace: 'shop', name: 's' } },
      { cause: 'watched', handle: 'pods', object: { namespace: 'shop', name: 'p' } },
    ]);
  });

  test('an enqueue that throws is told, and the watch goes on', async () => {
    const triggers: string[] = [];
    const { cluster } = await start({
      reconcile: ({ trigger, done }) => {
        triggers.push(trigger.cause);
        return done();
      },
    });
    await cluster.create(pod('p', 'broken'));
    await cluster.create(widget('a'));
    await cluster.create(pod('q', 'a'));
    await running.settled();
    expect(running.log.lines.filter(({ level }) => level === 'error')).toMatchObject([
      { message: 'watches.pods.enqueue threw: the change reconciles nothing', fields: { object: { namespace: 'shop', name: 'p' } } },
    ]);
    expect(triggers).toContain('watched');
  });
});

describe('handles', () => {
  test('an owns handle sees the children of its object alone; a watches handle sees its namespace, or all', async () => {
    let seen: unknown;
    const { cluster } = await start(
      {
        reconcile: ({ object, configs, pods, done }) => {
          seen = {
            configs: configs.list().map(({ metadata }) => metadata.name),
            foreign: configs.get('foreign'),
            pods: pods.list().map(({ metadata }) => metadata.name),
            everywhere: pods.list({ namespace: '*' }).length,
            byNode: pods.list({ index: { node: 'n1' } }).length,
          };
          return done({ owned: { configs: [ConfigMap({ metadata: { name: `${object.metadata.name}-config` } })] } });
        },
      },
      { cluster: { namespaces: ['elsewhere'] } },
    );
    await cluster.create(ConfigMap({ metadata: { name: 'foreign' } }));
    await cluster.create(pod('p', 'a'));
    await cluster.create(
      Pod({ metadata: { name: 'q', namespace: 'elsewhere' }, spec: { nodeName: 'n1', containers: [{ name: 'a', image: 'a' }] } }),
    );
    await cluster.create(widget('a'));
    await running.settled();
    expect(seen).toEqual({ configs: ['a-config'], foreign: undefined, pods: ['p'], everywhere: 2, byNode: 0 });
  });

  test('what is written is in the cache before the writer has its answer (H1)', async () => {
    const seen: unknown[] = [];
    const { cluster } = await start({
      reconcile: async ({ object, pods, secrets, done }) => {
        if (seen.length > 0) return done();
        await pods.create(pod('made', object.metadata.name));
        seen.push(pods.get('made')?.metadata.name);
        await pods.patch('made', { metadata: { labels: { more: 'x' } } });
        seen.push(pods.get('made')?.metadata.labels?.['more']);
        await pods.delete(pods.get('made') ?? 'made', { gracePeriodSeconds: 0 });
        seen.push(pods.list().length);
        // Pods are answered with their last state when they are deleted, and other objects with a Status.
        await secrets.create(Secret({ metadata: { name: 'made' } }));
        seen.push(secrets.list().length);
        await secrets.delete(secrets.get('made') ?? 'made');
        seen.push(secrets.list().length);
        return done();
      },
    });
    await running.settled();
    // The watch would bring each write to the cache as well.
    for (const kind of [Pod, Secret]) cluster.faults.delay({ watch: kind, ms: 600_000 });
    await cluster.create(widget('a'));
    await cluster.until(() => expect(seen).toHaveLength(5));
    expect(seen).toEqual(['made', 'x', 0, 1, 0]);
    cluster.faults.clear();
    await running.settled();
  });

  test('what a reconciler is given cannot be changed', async () => {
    const { cluster } = await start({
      reconcile: ({ object, done }) => {
        (object.spec as { size: number }).size = 5;
        return done();
      },
    });
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) =>
      (status?.conditions ?? []).some(({ message }) => message.includes('read only property')),
    );
  });
});

describe('finalizers', () => {
  test('finalize runs before the object goes, is tried again when it fails, and what others hold stays held', async () => {
    const finalized: string[] = [];
    let isReady = false;
    const { cluster } = await start({
      reconcile: ({ done }) => done(),
      finalize: ({ object }) => {
        finalized.push(object.metadata.name);
        if (!isReady) throw new Error('not yet');
      },
    });
    await cluster.create(Widget({ metadata: { name: 'a', finalizers: ['other.example.com/x'] }, spec: {} }));
    await cluster.until(Widget, 'a', { metadata: { finalizers: ['other.example.com/x', 'test.example.com/widget'] } });
    await cluster.delete(Widget, 'a');
    await cluster.until(Widget, 'a', ({ status }) =>
      (status?.conditions ?? []).some(({ reason, message }) => reason === 'FinalizeFailed' && message === 'not yet'),
    );
    isReady = true;
    await cluster.until(Widget, 'a', { metadata: { finalizers: ['other.example.com/x'] } });
    await cluster.patch(Widget, 'a', mergePatch({ metadata: { finalizers: null } }));
    await cluster.until(Widget, 'a', 'absent');
    await running.settled();
    expect(finalized.length).toBeGreaterThan(1);
    expect(running.log.texts.filter((text) => text === 'error reconciling failed')).toHaveLength(1);
  });

  test('finalize tells in conditions what it does, at every run that it asks for, before the object may go', async () => {
    const clock = new FakeClock();
    const told: unknown[] = [];
    let runs = 0;
    const behaviour: Behaviour = {
      reconcile: ({ done }) => done({ conditions: [{ type: 'Ready', status: true, reason: 'Up' }] }),
      finalize({ object, done }) {
        runs += 1;
        told.push(object.status?.conditions?.map(({ type, status }) => `${type}=${status}`));
        const degraded = { type: 'Degraded', reason: 'Finalizing' } as const;
        if (runs === 1) return done({ conditions: [{ ...degraded, status: 'Unknown' }], requeueAfter: '1m' });
        return done({ conditions: [{ ...degraded, status: true }] });
      },
    };
    const { cluster } = await start(behaviour, { clock });
    await cluster.create(Widget({ metadata: { name: 'a', finalizers: ['other.example.com/x'] }, spec: {} }));
    await cluster.until(Widget, 'a', ({ status }) => status?.conditions?.[0]?.reason === 'Up');
    await cluster.delete(Widget, 'a');
    await cluster.until(Widget, 'a', ({ status }) => status?.conditions?.[1]?.status === 'Unknown');
    await running.settled();
    const { metadata, status } = await cluster.get(Widget, 'a');
    expect(metadata.finalizers).toContain('test.example.com/widget');
    expect(status?.conditions).toMatchObject([
      { type: 'Ready', status: 'True', observedGeneration: 1 },
      { type: 'Degraded', status: 'Unknown', observedGeneration: 2 },
    ]);
    expect(runs).toBe(1);
    clock.advance('1m');
    await cluster.until(Widget, 'a', { metadata: { finalizers: ['other.example.com/x'] } });
    expect((await cluster.get(Widget, 'a')).status?.conditions).toMatchObject([{ status: 'True' }, { type: 'Degraded', status: 'True' }]);
    await running.settled();
    expect(told).toEqual([['Ready=True'], ['Ready=True', 'Degraded=Unknown']]);
  });

  test('H44: an object that is going gets no finalizer, and no run', async () => {
    let runs = 0;
    const { cluster } = await start({
      reconcile: ({ done }) => {
        runs += 1;
        return done();
      },
      finalize: () => undefined,
    });
    await running.stop();
    await cluster.create(Widget({ metadata: { name: 'a', finalizers: ['other.example.com/x'] }, spec: {} }));
    await cluster.delete(Widget, 'a');
    await running.begin();
    await running.settled();
    expect(runs).toBe(0);
    expect((await cluster.get(Widget, 'a')).metadata.finalizers).toEqual(['other.example.com/x']);
  });

  test('H43: finalizers of others survive, whatever happens between reading and writing', async () => {
    const { cluster } = await start({ reconcile: ({ done }) => done(), finalize: () => undefined });
    cluster.faults.fail({ verb: 'patch', kind: Widget, status: 409, times: 1 });
    await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        await cluster.create(widget(`w${index}`));
        await cluster.patch(Widget, `w${index}`, mergePatch({ metadata: { finalizers: ['other.example.com/x'] } })).catch(() => undefined);
      }),
    );
    await cluster.until(Widget, 'w9', ({ metadata }) => metadata.finalizers?.includes('test.example.com/widget') === true);
    await running.settled();
    for (const { metadata } of await cluster.list(Widget)) {
      expect(metadata.finalizers?.filter((name) => name === 'test.example.com/widget')).toHaveLength(1);
    }
  });
});

describe('what goes wrong', () => {
  const failing = (fail: (context: WidgetContext) => Done): Promise<RunningController> => start({ reconcile: fail });

  test('H65: an error is told once, in the log with its object and in the status, and is tried again', async () => {
    let isBroken = true;
    const { cluster } = await failing(({ object, done }) => {
      if (isBroken && object.metadata.name === 'a') throw new Error('the disk is full');
      return done({ status: { size: 1 } });
    });
    await cluster.create(widget('a'));
    await cluster.create(widget('b'));
    await cluster.until(Widget, 'a', {
      status: {
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'Reconciling', status: 'True' },
        ],
      },
    });
    await cluster.until(Widget, 'b', ({ status }) => status?.size === 1);
    expect(conditionsOf(await cluster.get(Widget, 'a'))).toEqual({ Ready: 'False ReconcileFailed', Reconciling: 'True ReconcileFailed' });
    isBroken = false;
    await cluster.until(Widget, 'a', ({ status }) => status?.size === 1);
    expect(conditionsOf(await cluster.get(Widget, 'a'))).toEqual({ Ready: 'True Reconciled' });
    const errors = running.log.lines.filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([{ message: 'reconciling failed', fields: { controller: 'widget', object: 'shop/a', attempt: 1 } }]);
  });

  test('a terminal error is not tried again before the object changes', async () => {
    const { cluster } = await failing(({ object, done }) => {
      if (object.spec.size === 13) throw new TerminalError('13 is unlucky');
      return done();
    });
    await cluster.create(widget('a', { size: 13 }));
    await cluster.until(Widget, 'a', ({ status }) => (status?.conditions ?? []).length === 2);
    await running.settled();
    expect(running.runner.queue.failing).toBe(0);
    expect(conditionsOf(await cluster.get(Widget, 'a'))).toEqual({ Ready: 'False TerminalError', Stalled: 'True TerminalError' });
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 12 } }));
    await cluster.until(Widget, 'a', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  });

  test('RetryLater waits as long as it says', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const { cluster } = await start(
      {
        reconcile: ({ done }) => {
          runs += 1;
          if (runs === 1) throw new RetryLater('30s', 'the volume is being made');
          return done();
        },
      },
      { clock, cluster: { clock } },
    );
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) => (status?.conditions ?? []).some(({ reason }) => reason === 'Waiting'));
    await running.settled();
    clock.advance('29s');
    await running.settled();
    expect(runs).toBe(1);
    clock.advance('2s');
    await cluster.until(Widget, 'a', ({ status }) => (status?.conditions ?? []).some(({ reason }) => reason === 'Reconciled'));
    expect(running.log.texts.filter((text) => text.startsWith('error'))).toEqual([]);
  });

  test('H52: a reconciler that hangs is given up, cannot write any more, and holds nobody up', async () => {
    const clock = new FakeClock();
    const late: unknown[] = [];
    let release: () => void = () => undefined;
    const { cluster } = await start(
      {
        reconcile: async ({ object, pods, signal, done }) => {
          if (object.metadata.name === 'b') return done({ status: { size: 2 } });
          await new Promise<void>((resolve) => (release = resolve));
          late.push(signal.aborted);
          await pods.create(pod('late', 'a')).catch((error: unknown) => late.push(error));
          return done();
        },
      },
      { clock, cluster: { clock }, concurrency: 1, timeLimitMs: 60_000 },
    );
    await cluster.create(widget('a'));
    await running.cluster.settled();
    await cluster.create(widget('b'));
    clock.advance('61s');
    await cluster.until(Widget, 'b', ({ status }) => status?.size === 2);
    release();
    await running.cluster.settled();
    await cluster.until(Widget, 'a', ({ status }) =>
      (status?.conditions ?? []).some(({ message }) => message === 'it took longer than 60 s'),
    );
    expect(await cluster.find(Pod, 'late')).toBeUndefined();
    expect(late[0]).toBe(true);
    release();
  });

  test('H21: an object that does not fit its definition is told so, and the others are not affected', async () => {
    const names: string[] = [];
    const { cluster } = await start({
      reconcile: ({ object, done }) => {
        names.push(object.metadata.name);
        return done();
      },
    });
    // An older definition let anything in.
    const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec';
    const crd = await cluster.get(CustomResourceDefinition, 'widgets.test.example.com');
    const schema = crd.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'];
    const set = (value: unknown) =>
      cluster.patch(CustomResourceDefinition, 'widgets.test.example.com', jsonPatch([{ op: 'replace', path, value }]));
    await set({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
    await cluster.create(widget('unfit', { size: 'big' }));
    await set(schema);
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'unfit', ({ status }) => (status?.conditions ?? []).some(({ reason }) => reason === 'ObjectUnfit'));
    const [ready] = (await cluster.get(Widget, 'unfit')).status?.conditions ?? [];
    expect(ready?.message).toBe(
      'the stored object does not fit its definition: spec.size is string, not integer; correct it, or install the CRD of this release',
    );
    await running.settled();
    expect(names).toEqual(['a']);
  });

  test('a child that has another controller is left alone', async () => {
    const { cluster } = await start({ reconcile: ({ done }) => done({ owned: { configs: [ConfigMap({ metadata: { name: 'c' } })] } }) });
    const other = { apiVersion: 'v1', kind: 'Secret', name: 'x', uid: 'b7f0d4f8-0000-4000-8000-000000000000', controller: true };
    await cluster.create(Secret({ metadata: { name: 'x' } }));
    const { uid } = (await cluster.get(Secret, 'x')).metadata;
    await cluster.create(ConfigMap({ metadata: { name: 'c', ownerReferences: [{ ...other, uid }] }, data: { a: 'b' } }));
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) =>
      (status?.conditions ?? []).some(({ message }) => message.includes('ConfigMap shop/c has another controller, Secret x')),
    );
    expect((await cluster.get(ConfigMap, 'c')).data).toEqual({ a: 'b' });
  });

  test('a conflict that passes is not a failure: it is tried again without a word', async () => {
    const { cluster } = await start({
      reconcile: async ({ object, pods, done }) => {
        await pods.patch('p', { metadata: { annotations: { size: String(object.spec.size) } } });
        return done({ status: { size: object.spec.size } });
      },
    });
    await cluster.create(pod('p', 'nobody'));
    cluster.faults.fail({ verb: 'patch', kind: Pod, status: 409, times: 2 });
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) => status?.size === 1);
    expect(running.log.texts.filter((text) => /^(warn|error)/.test(text))).toEqual([]);
  });

  test('a terminal error that conflicts keep out of the status is said by a later run', async () => {
    const { cluster } = await start({
      reconcile: () => {
        throw new TerminalError('the size is not for sale');
      },
    });
    cluster.faults.fail({ verb: 'patch', kind: Widget, status: 409, times: 7 });
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', (object) => expect(conditionsOf(object)).toMatchObject({ Stalled: 'True TerminalError' }));
  });

  test('observedGeneration is that of the object that was looked at, though a newer one has come during the run', async () => {
    const ends: (() => void)[] = [];
    const sizes: number[] = [];
    const { cluster } = await start({
      reconcile: async ({ object, done }) => {
        sizes.push(object.spec.size);
        await new Promise<void>((resolve) => void ends.push(resolve));
        return done({ status: { size: object.spec.size }, conditions: [{ type: 'Ready', status: true, reason: 'Seen' }] });
      },
    });
    await cluster.create(widget('a'));
    await cluster.until(() => expect(sizes).toEqual([1]));
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 2 } }));
    await cluster.settled();
    ends[0]?.();
    // The second run is under way: its status is still to come.
    await cluster.until(() => expect(sizes).toEqual([1, 2]));
    const lookedAt = ({ status }: Widget): unknown => [status?.size, ...(status?.conditions ?? []).map((one) => one.observedGeneration)];
    expect(lookedAt(await cluster.get(Widget, 'a'))).toEqual([1, 1]);
    ends[1]?.();
    await cluster.until(Widget, 'a', (object) => expect(lookedAt(object)).toEqual([2, 2]));
  });

  test('H38: an object that is written at every run runs once a second from its thirty-first write on', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const { cluster } = await start(
      {
        reconcile: ({ done }) => {
          runs += 1;
          return done({ owned: { configs: [ConfigMap({ metadata: { name: 'c' }, data: { runs: String(runs) } })] } });
        },
      },
      { clock, cluster: { clock } },
    );
    await cluster.create(widget('a'));
    await running.settled();
    const hot = runs;
    expect(hot).toBeGreaterThan(30);
    expect(hot).toBeLessThan(35);
    clock.advance(999);
    await running.settled();
    expect(runs).toBe(hot);
    clock.advance(1);
    await running.settled();
    expect(runs).toBe(hot + 1);
    clock.advance(1_000);
    await running.settled();
    expect(runs).toBe(hot + 2);
  });

  test('H38: an object that is written at every run is noticed', async () => {
    let count = 0;
    const { cluster } = await start({
      reconcile: ({ done }) => done({ owned: { configs: [ConfigMap({ metadata: { name: 'c' }, data: { count: String(count++) } })] } }),
    });
    await cluster.create(widget('a'));
    await cluster.until(ConfigMap, 'c', ({ data }) => Number(data?.['count']) > 31);
    expect(running.log.texts.filter((text) => text.startsWith('warn written more than 30 times within a minute'))).toHaveLength(1);
    count = Number.NaN;
  });
});
