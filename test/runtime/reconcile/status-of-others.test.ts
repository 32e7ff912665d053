import { FakeClock, mergePatch, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k, merge, type Resource } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';
import { DEADLINE_MS } from '../../deadline.cjs';
import { RunningController, type StartOptions } from '../harness/running-controller.js';
import { newPlay, Ring, ringOperator } from '../two-controllers/ring.js';
import { type Behaviour, Widget, widgetOperator } from './widget.js';

let running: RunningController | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function start(behaviour: Behaviour, options?: StartOptions): Promise<RunningController> {
  running = await RunningController.start(widgetOperator(behaviour), options);
  return running;
}

const widget = (name: string, spec = {}) => Widget({ metadata: { name }, spec });
const USER = 'system:serviceaccount:widget-operator-system:widget-operator';

/** Says the size, and how often it was asked. */
function counting(): Behaviour & { runs: number } {
  const behaviour = {
    runs: 0,
    reconcile: ({ object, done }: Parameters<Behaviour['reconcile']>[0]) => {
      behaviour.runs += 1;
      return done({ status: { size: object.spec.size } });
    },
  };
  return behaviour;
}

describe('a status that another client has changed', () => {
  test.each([
    ['after this process has written it', false],
    ['after this process has found it right, as its predecessor has left it', true],
  ])('is mended at once: %s', async (_when, restarts) => {
    const behaviour = counting();
    const running = await start(behaviour);
    const { cluster } = running;
    await cluster.create(widget('a'));
    await running.settled();
    if (restarts) {
      await running.stop();
      await running.begin();
      await running.settled();
    }
    const before = behaviour.runs;
    // As a predecessor whose last write comes when this process has read all: nothing but the status changes.
    await cluster.patchStatus(Widget, 'a', { size: 7 });
    await cluster.until(Widget, 'a', { status: { size: 1 } });
    await running.settled();
    expect(behaviour.runs).toBe(before + 1);
  });

  test('is mended where a condition is gone, and where one is there that is not said any more', async () => {
    const running = await start({ reconcile: ({ done }) => done({ conditions: [{ type: 'Up', status: true, reason: 'Runs' }] }) });
    const { cluster } = running;
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', ({ status }) => status?.conditions?.length === 2);
    await cluster.patchStatus(Widget, 'a', { conditions: [] });
    await cluster.until(Widget, 'a', ({ status }) => status?.conditions?.length === 2);
  });

  test('is not mended by a run that says nothing of it, which then rests', async () => {
    let runs = 0;
    const running = await start({
      reconcile: ({ done }) => {
        runs += 1;
        return done();
      },
    });
    const { cluster } = running;
    await cluster.create(widget('a'));
    await running.settled();
    for (const size of [7, 8, 9]) {
      await cluster.patchStatus(Widget, 'a', { size });
      await running.settled();
    }
    expect([runs, (await cluster.get(Widget, 'a')).status?.size]).toEqual([1, 9]);
    // The condition is the framework's all the same.
    await cluster.patchStatus(Widget, 'a', { conditions: [] });
    await cluster.until(Widget, 'a', ({ status }) => status?.conditions?.length === 1);
    await running.settled();
    expect(runs).toBe(2);
  });

  test('is no reason for a run where the last one has merged other fields', async () => {
    const Part = defineCustomResource({
      group: 'test.example.com',
      kind: 'Part',
      versions: { v1: { spec: z.object({}), status: z.object({ ours: k.int32().optional(), theirs: k.int32().optional() }) } },
    });
    let runs = 0;
    const parts = defineController({
      name: 'parts',
      for: Part,
      reconcile({ done }) {
        runs += 1;
        return done({ status: merge({ ours: 1 }) });
      },
    });
    running = await RunningController.start(defineOperator({ name: 'part-operator', controllers: [parts] }));
    const { cluster } = running;
    await cluster.create(Part({ metadata: { name: 'a' }, spec: {} }));
    await running.settled();
    await cluster.patchStatus(Part, 'a', { theirs: 2 });
    await running.settled();
    expect(runs).toBe(1);
    await cluster.patchStatus(Part, 'a', { ours: 2 });
    await running.settled();
    expect([runs, (await cluster.get(Part, 'a')).status]).toEqual([2, { ours: 1, theirs: 2 }]);
  });

  test('is left alone once the object is ignored', async () => {
    let [isIgnored, runs] = [false, 0];
    const running = await start({
      reconcile: ({ done }) => {
        runs += 1;
        return isIgnored ? done({ ignored: true }) : done({ status: { size: 1 } });
      },
    });
    const { cluster } = running;
    await cluster.create(widget('a'));
    await running.settled();
    isIgnored = true;
    await cluster.patch(Widget, 'a', mergePatch({ spec: { size: 2 } }));
    await running.settled();
    await cluster.patchStatus(Widget, 'a', { size: 7 });
    await running.settled();
    expect([runs, (await cluster.get(Widget, 'a')).status?.size]).toEqual([2, 7]);
  });
});

describe('H38: a run of', () => {
  test.each(['before', 'after'] as const)('an own write follows in no case: its answer comes %s its event', async (order) => {
    const runs: string[] = [];
    const clock = new FakeClock();
    const running = await start(
      {
        reconcile: ({ object, done }) => {
          runs.push(object.metadata.name);
          return done({ status: { size: object.spec.size } });
        },
      },
      { cluster: { clock } },
    );
    const { cluster } = running;
    const late = { ms: 1_000, times: 1, user: USER } as const;
    const fault =
      order === 'before'
        ? cluster.faults.delay({ watch: Widget, after: 1, ...late })
        : cluster.faults.delay({ verb: 'patch', kind: Widget, when: 'after', ...late });
    await cluster.create(widget('a'));
    await cluster.until(Widget, 'a', { status: { size: 1 } });
    await fault.struck;
    if (order === 'after') {
      // Its event comes after that of the status.
      await cluster.create(widget('b'));
      await cluster.until(() => runs.includes('b'));
    }
    fault.remove();
    await running.settled();
    expect(runs.filter((name) => name === 'a')).toHaveLength(1);
  });

  test.each([
    ['none where no conditions are stated', undefined, 1],
    ['one when the first of them appears, where they are', [{ type: 'Up', status: true, reason: 'Runs' }], 2],
  ])('conditions of others: %s, which writes nothing', async (_what, conditions, most) => {
    let runs = 0;
    const running = await start({
      reconcile: ({ done }) => {
        runs += 1;
        return done({ status: { size: 1 }, ...(conditions === undefined ? {} : { conditions }) });
      },
    });
    const { cluster } = running;
    await cluster.create(widget('a'));
    await running.settled();
    const mine = (await cluster.get(Widget, 'a')).status?.conditions ?? [];
    const mark = cluster.requests.mark;
    for (const second of [1, 2, 3, 4]) {
      const lastTransitionTime = `2030-01-01T00:00:0${second}Z`;
      const theirs = { type: 'Beats', status: 'True' as const, reason: `Beat${second}`, message: '', lastTransitionTime };
      await cluster.patchStatus(Widget, 'a', { conditions: [...mine, theirs] });
      await running.settled();
    }
    expect(runs).toBe(most);
    expect((await cluster.get(Widget, 'a')).status?.conditions?.map(({ reason }) => reason)).toContain('Beat4');
    // The apply by which it learns that they are not its own.
    expect(cluster.requests.since(mark).writes().byUser(USER).all).toHaveLength(most - 1);
  });

  test('the other controller of the kind follows from no condition of the first', async () => {
    const play = newPlay();
    await using cluster = await TestCluster.start({ operator: ringOperator(play) });
    await cluster.startOperator();
    await cluster.create(Ring({ metadata: { name: 'a' }, spec: {} }));
    await cluster.until(Ring, 'a', ({ status }) => status?.lastBackup !== undefined && status.members !== undefined);
    await cluster.settled();
    const { members, backups } = play.runs;
    await cluster.patchStatus(Ring, 'a', { members: 7 });
    await cluster.until(Ring, 'a', { status: { members: 1 } });
    await cluster.settled();
    expect(play.runs).toEqual({ members: members + 1, backups });
  });

  test('two writers of one field follow each other once a second from the thirty-first time on, and it is told', async () => {
    const clock = new FakeClock();
    const behaviour = counting();
    const running = await start(behaviour, { clock, cluster: { clock } });
    const { cluster } = running;
    await cluster.create(widget('a'));
    await running.settled();
    let [isOver, sizes] = [false, 0];
    const other = (async () => {
      while (!isOver) {
        await cluster.patchStatus(Widget, 'a', { size: 7 });
        sizes += 1;
        await cluster.until(Widget, 'a', ({ status }) => isOver || status?.size === 1, { timeout: DEADLINE_MS });
      }
    })();
    const isTold = () => running.log.texts.some((text) => text.startsWith('warn written more than 30 times within a minute'));
    await cluster.until(isTold, { timeout: DEADLINE_MS });
    await running.settled();
    const hot = behaviour.runs;
    clock.advance(999);
    await running.settled();
    expect(behaviour.runs).toBe(hot);
    clock.advance(1);
    await cluster.until(() => behaviour.runs === hot + 1);
    isOver = true;
    clock.advance(1_000);
    await running.settled();
    await other;
    expect(sizes).toBeGreaterThan(30);
  });

  test('each object is what a start and a restart take, and a restart writes nothing', async () => {
    const runs = new Map<string, number>();
    const running = await start({
      reconcile: ({ object, done }) => {
        const { name } = object.metadata;
        runs.set(name, (runs.get(name) ?? 0) + 1);
        return done({
          owned: { configs: [ConfigMap({ metadata: { name } })] },
          status: { size: object.spec.size },
        });
      },
    });
    const { cluster } = running;
    const names = Array.from({ length: 20 }, (_, index) => `w${index}`);
    const mark = cluster.requests.mark;
    await Promise.all(names.map((name) => cluster.create(widget(name))));
    await running.settled();
    // The object itself, and its new child. Children that come before their first run ends share it.
    expect(Math.max(...runs.values())).toBeLessThanOrEqual(2);
    expect(cluster.requests.since(mark).writes().byUser(USER).all).toHaveLength(2 * names.length);
    await running.stop();
    runs.clear();
    const second = cluster.requests.mark;
    await running.begin();
    await running.settled();
    expect([...new Set(runs.values())]).toEqual([1]);
    expect(cluster.requests.since(second).writes().byUser(USER).all).toEqual([]);
  });
});

test('a fight over a field of a kind of somebody else is none over its other fields', async () => {
  const Guest = defineCustomResource({
    group: 'guests.example.com',
    kind: 'Guest',
    versions: { v1: { spec: z.object({}), status: z.object({ address: z.string().optional(), seen: k.int32().optional() }) } },
  });
  interface Guest extends Resource<typeof Guest> {}
  let runs = 0;
  const addresses = defineController({
    name: 'addresses',
    for: Guest,
    writesStatus: { fields: ['address'] },
    reconcile({ done }) {
      runs += 1;
      return done({ status: { address: '10.0.0.1' } });
    },
  });
  running = await RunningController.start(defineOperator({ name: 'guest-operator', controllers: [addresses] }));
  const { cluster } = running;
  await cluster.create(Guest({ metadata: { name: 'a' }, spec: {} }));
  await running.settled();
  await cluster.patchStatus(Guest, 'a', { seen: 1 });
  await running.settled();
  expect(runs).toBe(1);
  await cluster.patchStatus(Guest, 'a', { address: '10.0.0.9' });
  await cluster.until(Guest, 'a', ({ status }: Guest) => status?.address === '10.0.0.1' && status.seen === 1);
  expect(runs).toBe(2);
});
