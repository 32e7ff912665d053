import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { Trigger } from '../../../src/keelson/definition/index.js';
import type { ObjectKey } from '../../../src/kubernetes/apimachinery/index.js';
import {
  type AddOptions,
  type QueueItem,
  type QueueObserver,
  type QueueResult,
  WorkQueue,
  type WorkQueueOptions,
} from '../../../src/runtime/queue/index.js';
import { FakeClock } from '../clock/fake-clock.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const OBJECT: Trigger = { cause: 'object' };
const RESYNC: Trigger = { cause: 'resync' };
const DONE: QueueResult = { type: 'done' };
const FAILED: QueueResult = { type: 'failed' };

const keyOf = (name: string | number): ObjectKey => ({ namespace: 'default', name: String(name) });

function newQueue(options: Partial<WorkQueueOptions> = {}): { readonly queue: WorkQueue; readonly clock: FakeClock } {
  const clock = new FakeClock();
  return { queue: new WorkQueue({ clock, ...options }), clock };
}

async function takeNow(queue: WorkQueue): Promise<QueueItem> {
  const item = queue.depth > 0 ? await queue.take() : undefined;
  if (item === undefined) throw new Error('nothing is ready');
  return item;
}

/** Megabytes that are held after a collection. */
function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** Lets a key wait, as a run does that asks for another one. */
async function delay(
  queue: WorkQueue,
  name: string,
  afterMs: number,
  { trigger = RESYNC, lane = 'slow' }: Partial<AddOptions> = {},
): Promise<void> {
  queue.add(keyOf(name), { trigger: OBJECT });
  queue.done(await takeNow(queue), { type: 'again', afterMs, trigger, lane: lane ?? 'slow' });
}

/** Works on what is ready until nothing is. */
async function workOff(queue: WorkQueue, result: QueueResult = DONE): Promise<string[]> {
  const names: string[] = [];
  while (queue.depth > 0) {
    const item = await takeNow(queue);
    names.push(item.key.name);
    queue.done(item, result);
  }
  return names;
}

describe('one run for many additions', () => {
  test('H30: a key is with one worker at a time, and what came during the run runs once more', async () => {
    const { queue } = newQueue();
    queue.add(keyOf('a'), { trigger: OBJECT });
    queue.add(keyOf('a'), { trigger: RESYNC });
    const first = await takeNow(queue);
    expect(first).toEqual({ key: keyOf('a'), trigger: OBJECT, attempt: 1 });
    queue.add(keyOf('a'), { trigger: RESYNC });
    queue.add(keyOf('a'), { trigger: OBJECT });
    expect(queue.depth).toBe(0);
    queue.done(first, DONE);
    const second = await takeNow(queue);
    expect(second.trigger).toEqual(RESYNC);
    queue.done(second, DONE);
    expect(queue.depth).toBe(0);
    expect(queue.isIdle).toBe(true);
  });

  test('what observers count: an addition once, whatever it is merged with, and each run', async () => {
    const seen: string[] = [];
    const observer: QueueObserver = {
      added: (lane) => seen.push(`added ${lane}`),
      taken: (lane, waitedMs) => seen.push(`taken ${lane} ${waitedMs}`),
      finished: (workedMs) => seen.push(`finished ${workedMs}`),
      retried: () => seen.push('retried'),
    };
    const { queue, clock } = newQueue({ observer });
    queue.add(keyOf('a'), { trigger: OBJECT, lane: 'slow' });
    queue.add(keyOf('a'), { trigger: OBJECT });
    clock.advance(3);
    const item = await takeNow(queue);
    queue.add(keyOf('a'), { trigger: OBJECT });
    queue.add(keyOf('a'), { trigger: OBJECT, lane: 'slow' });
    clock.advance(5);
    queue.done(item, DONE);
    expect(seen.splice(0)).toEqual(['added slow', 'taken fresh 3', 'added fresh', 'finished 5']);
    queue.done(await takeNow(queue), FAILED);
    clock.advance(20);
    queue.done(await takeNow(queue), { type: 'later', afterMs: 7 });
    expect(seen.splice(0)).toEqual(['taken fresh 0', 'finished 0', 'retried', 'added fresh', 'taken fresh 0', 'finished 0', 'retried']);
  });

  test('objects of one name in two namespaces are two', async () => {
    const { queue } = newQueue();
    queue.add({ name: 'a', namespace: 'x' }, { trigger: OBJECT });
    queue.add({ name: 'a', namespace: 'y' }, { trigger: OBJECT });
    queue.add({ name: 'a' }, { trigger: OBJECT });
    expect(queue.depth).toBe(3);
  });

  test('H30: whatever is added when, the last addition is followed by a run that begins after it', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const), key: fc.nat(3) }),
      fc.record({ do: fc.constant('take' as const) }),
      fc.record({
        do: fc.constant('done' as const),
        at: fc.nat(3),
        restMs: fc.constantFrom(0, 0, 100, 1_000),
        result: fc.constantFrom<QueueResult>(
          DONE,
          FAILED,
          { type: 'later', afterMs: 50 },
          { type: 'again', afterMs: 70, trigger: RESYNC, lane: 'slow' },
        ),
      }),
      fc.record({ do: fc.constant('forget' as const), key: fc.nat(3) }),
      fc.record({ do: fc.constant('wait' as const), ms: fc.nat(1500) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { queue, clock } = newQueue({ ageingMs: 100 });
        const running: QueueItem[] = [];
        let sequence = 0;
        const addedAt = new Map<string, number>();
        const startedAt = new Map<string, number>();
        const takeAll = async (most: number): Promise<void> => {
          for (let count = 0; count < most && queue.depth > 0; count += 1) {
            const item = await takeNow(queue);
            expect(running.some(({ key }) => key.name === item.key.name)).toBe(false);
            startedAt.set(item.key.name, ++sequence);
            running.push(item);
          }
        };
        for (const one of steps) {
          if (one.do === 'add') {
            queue.add(keyOf(one.key), { trigger: OBJECT });
            addedAt.set(String(one.key), ++sequence);
          } else if (one.do === 'take') await takeAll(1);
          else if (one.do === 'forget') queue.forget(keyOf(one.key));
          else if (one.do === 'wait') clock.advance(one.ms);
          else for (const item of running.splice(one.at, 1)) queue.done(item, one.result, one.restMs);
        }
        for (let rounds = 0; rounds < 50 && !(queue.isIdle && queue.delayed === 0); rounds += 1) {
          for (const item of running.splice(0)) queue.done(item, DONE);
          clock.advance(400_000);
          await takeAll(Number.POSITIVE_INFINITY);
        }
        for (const [name, added] of addedAt) expect(startedAt.get(name) ?? 0).toBeGreaterThan(added);
        expect([queue.depth, queue.inProgress, queue.delayed, clock.pending]).toEqual([0, 0, 0, 0]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('order', () => {
  test('H35: a fresh change goes before ten thousand that have their turn', async () => {
    const { queue } = newQueue();
    for (let index = 0; index < 10_000; index += 1) queue.add(keyOf(index), { trigger: RESYNC, lane: 'slow' });
    queue.add(keyOf('fresh'), { trigger: OBJECT });
    queue.add(keyOf(9_999), { trigger: OBJECT });
    expect([(await takeNow(queue)).key.name, (await takeNow(queue)).key.name, (await takeNow(queue)).key.name]).toEqual([
      'fresh',
      '9999',
      '0',
    ]);
    expect(queue.depthOf('slow')).toBe(9_998);
  });

  test('H35: the slow lane goes on under an endless stream of fresh changes, and they go on as well', async () => {
    const { queue, clock } = newQueue();
    for (let index = 0; index < 5; index += 1) queue.add(keyOf(`slow${index}`), { trigger: RESYNC, lane: 'slow' });
    const taken: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      queue.add(keyOf(`fresh${index}`), { trigger: OBJECT });
      const item = await takeNow(queue);
      taken.push(item.key.name.replace(/\d+/, ''));
      queue.done(item, DONE);
      clock.advance(1_000);
    }
    expect(taken.slice(0, 10)).toEqual(Array(10).fill('fresh'));
    expect(taken.slice(10, 20)).toEqual(Array(5).fill(['slow', 'fresh']).flat());
  });
});

describe('failures', () => {
  test('the wait doubles from 20 ms to 5 minutes, without end (H33)', async () => {
    const { queue, clock } = newQueue();
    queue.add(keyOf('a'), { trigger: OBJECT });
    const waits: number[] = [];
    for (let index = 0; index < 20; index += 1) {
      const item = await takeNow(queue);
      expect(item.attempt).toBe(index + 1);
      queue.done(item, FAILED);
      const start = clock.monotonicMs();
      expect(queue.depth).toBe(0);
      while (queue.depth === 0) clock.advance(10);
      waits.push(clock.monotonicMs() - start);
    }
    expect(waits.slice(0, 5)).toEqual([20, 40, 80, 160, 320]);
    expect(waits.at(-1)).toBe(300_000);
    expect(queue.failing).toBe(1);
  });

  test('H33: a change is looked at without the wait; a new generation begins the backoff anew', async () => {
    const { queue, clock } = newQueue();
    queue.add(keyOf('a'), { trigger: OBJECT });
    for (let index = 0; index < 12; index += 1) {
      queue.done(await takeNow(queue), FAILED);
      clock.advance(300_000);
    }
    queue.done(await takeNow(queue), FAILED);
    queue.add(keyOf('a'), { trigger: OBJECT });
    const retried = await takeNow(queue);
    expect(retried.attempt).toBe(14);
    queue.done(retried, FAILED);
    queue.add(keyOf('a'), { trigger: OBJECT, resetBackoff: true });
    const renewed = await takeNow(queue);
    expect(renewed.attempt).toBe(1);
    queue.done(renewed, FAILED);
    clock.advance(20);
    expect(queue.depth).toBe(1);
  });

  test('H34: a change during a run that fails is delayed, at most a second, never dropped', async () => {
    const { queue, clock } = newQueue();
    queue.add(keyOf('a'), { trigger: OBJECT });
    for (let index = 0; index < 12; index += 1) {
      const item = await takeNow(queue);
      queue.add(keyOf('a'), { trigger: OBJECT });
      queue.done(item, FAILED);
      expect(queue.depth).toBe(0);
      clock.advance(1_000);
      expect(queue.depth).toBe(1);
    }
  });

  test('another try at a time of its own choice is not a failure', async () => {
    const { queue, clock } = newQueue();
    queue.add(keyOf('a'), { trigger: OBJECT });
    queue.done(await takeNow(queue), { type: 'later', afterMs: 5_000 });
    clock.advance(4_999);
    expect(queue.depth).toBe(0);
    clock.advance(1);
    expect(await takeNow(queue)).toEqual({ key: keyOf('a'), trigger: { cause: 'retry' }, attempt: 1 });
  });
});

describe('delays', () => {
  test.each([60, -60])('H40: a wall clock that jumps by %i days makes no delay shorter or longer', async (days) => {
    const clock = new FakeClock();
    let jumpMs = 0;
    const jumping = {
      monotonicMs: () => clock.monotonicMs(),
      wallMs: () => clock.wallMs() + jumpMs,
      schedule: (ms: number, callback: () => void) => clock.schedule(Math.min(ms, 1_000), callback),
    };
    const queue = new WorkQueue({ clock: jumping });
    await delay(queue, 'a', 10_000);
    jumpMs = days * 24 * 3_600_000;
    clock.advance(9_999);
    expect(queue.depth).toBe(0);
    clock.advance(1);
    expect(queue.depth).toBe(1);
  });

  test('H40: thirty days and infinity do not fire early', async () => {
    const { queue, clock } = newQueue();
    const month = 30 * 24 * 3_600_000;
    await delay(queue, 'month', month);
    await delay(queue, 'never', Number.POSITIVE_INFINITY);
    clock.advance(month - 1);
    expect(queue.depth).toBe(0);
    clock.advance(1);
    expect(await workOff(queue)).toEqual(['month']);
    expect([queue.delayed, clock.pending]).toEqual([0, 0]);
  });

  test('H40: a timer that fires early, as Node clamps them, is set again', async () => {
    const clock = new FakeClock();
    const clamped = {
      monotonicMs: () => clock.monotonicMs(),
      wallMs: () => clock.wallMs(),
      schedule: (ms: number, callback: () => void) => clock.schedule(Math.min(ms, 1_000), callback),
    };
    const queue = new WorkQueue({ clock: clamped });
    await delay(queue, 'a', 10_000);
    clock.advance(9_000);
    expect(queue.depth).toBe(0);
    clock.advance(1_000);
    expect(queue.depth).toBe(1);
  });

  test('an addition takes the delay back, and its cause is the trigger of the run', async () => {
    const { queue, clock } = newQueue();
    await delay(queue, 'a', 1_000, { trigger: { cause: 'timer' } });
    queue.add(keyOf('a'), { trigger: OBJECT });
    expect([queue.delayed, clock.pending]).toEqual([0, 0]);
    expect((await takeNow(queue)).trigger).toEqual(OBJECT);
  });

  test('H37: a hundred thousand names that come and go leave nothing behind', async () => {
    const { queue, clock } = newQueue();
    const before = heapMegabytes();
    for (let index = 0; index < 100_000; index += 1) {
      const key = keyOf(index);
      queue.add(key, { trigger: OBJECT });
      const item = await queue.take();
      if (item === undefined) throw new Error('nothing is ready');
      queue.done(item, index % 2 === 0 ? FAILED : { type: 'again', afterMs: 36_000_000, trigger: RESYNC, lane: 'slow' });
      queue.forget(key);
    }
    expect(heapMegabytes() - before).toBeLessThan(4); // 100,000 entries take 20
    expect([queue.depth, queue.delayed, queue.failing, clock.pending]).toEqual([0, 0, 0, 0]);
  });

  test('H37: an object that is changed a hundred thousand times within its delays leaves one of them', async () => {
    const { queue, clock } = newQueue();
    await delay(queue, 'first', 1_000); // what is over sooner hides the delays behind it
    const before = heapMegabytes();
    for (let index = 0; index < 100_000; index += 1) await delay(queue, 'a', 36_000_000 + index);
    expect(heapMegabytes() - before).toBeLessThan(2); // 100,000 delays take 8
    expect([queue.delayed, clock.pending]).toEqual([2, 1]);
  });
});

describe('rest', () => {
  test('H38: what rests is not given out before its time, and what was added meanwhile is one run, not lost', async () => {
    const { queue, clock } = newQueue();
    queue.add(keyOf('hot'), { trigger: OBJECT });
    const first = await takeNow(queue);
    queue.add(keyOf('hot'), { trigger: OBJECT });
    queue.done(first, { type: 'again', afterMs: 60_000, trigger: RESYNC, lane: 'slow' }, 1_000);
    queue.add(keyOf('hot'), { trigger: RESYNC });
    queue.add(keyOf('other'), { trigger: OBJECT });
    expect(await workOff(queue)).toEqual(['other']);
    clock.advance(999);
    expect(queue.depth).toBe(0);
    clock.advance(1);
    expect(await workOff(queue)).toEqual(['hot']);
    queue.add(keyOf('hot'), { trigger: OBJECT });
    expect(await workOff(queue)).toEqual(['hot']);
  });

  test('additions during a rest merge as they do in a lane: the first cause, the quickest lane', async () => {
    const { queue, clock } = newQueue();
    queue.add(keyOf('hot'), { trigger: OBJECT });
    queue.done(await takeNow(queue), { type: 'again', afterMs: 60_000, trigger: RESYNC, lane: 'slow' }, 1_000);
    const owned: Trigger = { cause: 'owned', handle: 'pods', object: keyOf('pod') };
    queue.add(keyOf('hot'), { trigger: owned });
    queue.add(keyOf('hot'), { trigger: RESYNC, lane: 'slow' });
    clock.advance(1_000);
    expect([queue.depthOf('fresh'), queue.depthOf('slow')]).toEqual([1, 0]);
    expect((await takeNow(queue)).trigger).toEqual(owned);
  });

  test.each<[string, QueueResult]>([
    ['asks for nothing', DONE],
    ['asks for another never', { type: 'again', afterMs: Number.POSITIVE_INFINITY, trigger: RESYNC, lane: 'slow' }],
  ])('a run that %s leaves its rest, and after it nothing', async (_name, result) => {
    const { queue, clock } = newQueue();
    queue.add(keyOf('hot'), { trigger: OBJECT });
    queue.done(await takeNow(queue), result, 1_000);
    queue.add(keyOf('hot'), { trigger: OBJECT });
    expect(queue.depth).toBe(0);
    clock.advance(1_000);
    queue.done(await takeNow(queue), result, 1_000);
    clock.advance(1_000);
    expect([queue.depth, queue.delayed, clock.pending]).toEqual([0, 0, 0]);
  });

  test('a plan that ends within the rest comes with its end, a later one at its own time', async () => {
    const { queue, clock } = newQueue();
    queue.add(keyOf('early'), { trigger: OBJECT });
    queue.done(await takeNow(queue), { type: 'again', afterMs: 500, trigger: { cause: 'timer' }, lane: 'fresh' }, 1_000);
    queue.add(keyOf('late'), { trigger: OBJECT });
    queue.done(await takeNow(queue), { type: 'again', afterMs: 1_500, trigger: { cause: 'timer' }, lane: 'fresh' }, 1_000);
    clock.advance(999);
    expect(await workOff(queue)).toEqual([]);
    clock.advance(1);
    expect(await workOff(queue)).toEqual(['early']);
    clock.advance(499);
    expect(await workOff(queue)).toEqual([]);
    clock.advance(1);
    expect(await workOff(queue)).toEqual(['late']);
  });

  test('an object that is gone leaves no rest to the next one of its name', async () => {
    const { queue } = newQueue();
    queue.add(keyOf('hot'), { trigger: OBJECT });
    queue.done(await takeNow(queue), { type: 'again', afterMs: 60_000, trigger: RESYNC, lane: 'slow' }, 1_000);
    queue.forget(keyOf('hot'));
    queue.add(keyOf('hot'), { trigger: OBJECT });
    expect(queue.depth).toBe(1);
  });
});

describe('workers', () => {
  test('H31: every run queues itself and others, with more keys than workers, and a shutdown in the middle ends them all', async () => {
    const { queue } = newQueue();
    const keys = 50;
    let runs = 0;
    let most = 0;
    const worker = async (): Promise<void> => {
      for (let item = await queue.take(); item !== undefined; item = await queue.take()) {
        most = Math.max(most, queue.inProgress);
        runs += 1;
        await Promise.resolve();
        for (let index = 0; index < keys; index += 1) queue.add(keyOf(index), { trigger: OBJECT });
        queue.done(item, DONE);
        if (runs >= 1_000) queue.shutDown();
      }
    };
    queue.add(keyOf(0), { trigger: OBJECT });
    await Promise.all(Array.from({ length: 4 }, worker));
    expect(most).toBe(4);
    expect(queue.inProgress).toBe(0);
    await queue.onIdle();
  });

  test('a worker that waits leaves when its signal is aborted, and takes nothing with it', async () => {
    const { queue } = newQueue();
    const controller = new AbortController();
    const waiting = queue.take(controller.signal);
    const other = queue.take();
    controller.abort();
    expect(await waiting).toBeUndefined();
    queue.add(keyOf('a'), { trigger: OBJECT });
    expect((await other)?.key).toEqual(keyOf('a'));
  });

  test('a worker that was given a key leaves no listener at its signal', async () => {
    const { queue } = newQueue();
    const { signal } = new AbortController();
    const waiting = queue.take(signal);
    queue.add(keyOf('a'), { trigger: OBJECT });
    expect((await waiting)?.key).toEqual(keyOf('a'));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('a worker whose signal is aborted already is given nothing, and the key stays for another', async () => {
    const { queue } = newQueue();
    queue.add(keyOf('a'), { trigger: OBJECT });
    expect(await queue.take(AbortSignal.abort())).toBeUndefined();
    expect((await takeNow(queue)).key).toEqual(keyOf('a'));
  });

  test('only work that is going on has a time, each from its own beginning', async () => {
    const { queue, clock } = newQueue();
    clock.advance(1_000);
    for (const name of ['a', 'b', 'waiting']) queue.add(keyOf(name), { trigger: OBJECT });
    await takeNow(queue);
    clock.advance(30);
    const second = await takeNow(queue);
    clock.advance(5);
    expect(queue.runningMs()).toEqual([35, 5]);
    queue.done(second, FAILED);
    expect(queue.runningMs()).toEqual([35]);
  });

  test('nothing is given out after a shutdown: not what waits, what is added, what comes back, nor what a delay brings', async () => {
    const { queue, clock } = newQueue();
    await delay(queue, 'delayed', 1_000);
    queue.add(keyOf('running'), { trigger: OBJECT });
    const running = await takeNow(queue);
    queue.add(keyOf('waiting'), { trigger: OBJECT });
    queue.shutDown();
    queue.add(keyOf('late'), { trigger: OBJECT });
    expect(queue.depth).toBe(1);
    let isIdle = false;
    const idle = queue.onIdle().then(() => {
      isIdle = true;
    });
    await Promise.resolve();
    expect(isIdle).toBe(false);
    queue.done(running, FAILED);
    await idle;
    clock.advance(1_000_000);
    expect([queue.depth, queue.delayed, queue.inProgress, clock.pending]).toEqual([1, 0, 0, 0]);
    expect(await queue.take()).toBeUndefined();
  });

  test('who waits for idleness hears of it when the last run has ended', async () => {
    const { queue } = newQueue();
    queue.add(keyOf('a'), { trigger: OBJECT });
    const item = await takeNow(queue);
    let isIdle = false;
    const idle = queue.onIdle().then(() => {
      isIdle = true;
    });
    await Promise.resolve();
    expect(isIdle).toBe(false);
    queue.done(item, DONE);
    await idle;
    expect(queue.isIdle).toBe(true);
  });
});

test('forgetting a key that waits for its turn leaves it where it stands, added once', async () => {
  const lanes: string[] = [];
  const { queue, clock } = newQueue({ keepsCauses: true, observer: { added: (lane) => void lanes.push(lane) } });
  queue.add(keyOf('a'), { trigger: RESYNC, lane: 'slow' });
  clock.advance(30);
  queue.forget(keyOf('a'));
  expect([lanes, queue.depth]).toEqual([['slow'], 1]);
  clock.advance(20);
  expect(await takeNow(queue)).toMatchObject({ trigger: RESYNC, waitedMs: 50 });
  expect(queue.depth).toBe(0);
});

test('a run that has one cause has no further ones, where they are kept and where not', async () => {
  for (const keepsCauses of [true, false]) {
    const { queue } = newQueue({ keepsCauses });
    queue.add(keyOf('a'), { trigger: OBJECT });
    const item = await takeNow(queue);
    expect([keepsCauses, item.also]).toEqual([keepsCauses, keepsCauses ? [] : undefined]);
    // What is added during a run is merged in its order.
    queue.add(keyOf('a'), { trigger: RESYNC });
    queue.add(keyOf('a'), { trigger: OBJECT, also: [RESYNC] });
    queue.done(item, DONE);
    expect((await takeNow(queue)).also).toEqual(keepsCauses ? [OBJECT, RESYNC] : undefined);
  }
});

test('all causes of a run, and its wait, are kept where a journal asks for them, and at most eight', async () => {
  const { queue, clock } = newQueue({ keepsCauses: true });
  queue.add(keyOf('a'), { trigger: OBJECT });
  queue.add(keyOf('a'), { trigger: RESYNC });
  clock.advance(30);
  expect(await takeNow(queue)).toEqual({ key: keyOf('a'), trigger: OBJECT, also: [RESYNC], attempt: 1, waitedMs: 30 });
  for (let index = 0; index < 20; index += 1) queue.add(keyOf('b'), { trigger: OBJECT });
  expect((await takeNow(queue)).also).toHaveLength(7);
});

test('an item that comes back with several causes is one run, though a worker waits for it', async () => {
  const { queue } = newQueue({ keepsCauses: true });
  const taken = queue.take();
  queue.add(keyOf('a'), { trigger: OBJECT, also: [RESYNC] });
  const item = await taken;
  expect(item).toMatchObject({ trigger: OBJECT, also: [RESYNC] });
  if (item !== undefined) queue.done(item, { type: 'done' });
  expect(queue.depth).toBe(0);
});
