import { type QueueResult, WorkQueue } from '../../../../src/runtime/queue/index.js';
import { HotRests } from '../../../../src/runtime/reconcile/runner/hot-rests.js';
import { type ReadyRun, Scheduler } from '../../../../src/runtime/reconcile/runner/scheduler.js';
import { Waits } from '../../../../src/runtime/reconcile/runner/waits.js';
import { FakeClock } from '../../clock/fake-clock.js';
import { flush } from '../../outside/flush.js';
import { keptLog } from '../../outside/kept-log.js';
import { deferred, objectNamed, TRIGGER } from './parts.js';

const RESYNC: QueueResult = { type: 'again', afterMs: 60_000, trigger: { cause: 'resync' }, lane: 'slow' };

/** What a test may change: which objects there are, and what they wait for. */
interface World {
  readonly objects: Map<string, ReturnType<typeof objectNamed>>;
  isServed: boolean;
  /** Reads of polled values that are under way. */
  polled: Promise<void> | undefined;
  /** Reads of named objects that are under way. */
  named: Promise<void> | undefined;
  /** Holds on what the objects name. */
  holds: number;
}

function scene() {
  const clock = new FakeClock();
  const { log } = keptLog();
  const world: World = { objects: new Map([['a', objectNamed('a')]]), isServed: true, polled: undefined, named: undefined, holds: 0 };
  const queue = new WorkQueue({ clock, keepsCauses: true });
  const hold = () => {
    world.holds += 1;
    const release = (): void => {
      world.holds -= 1;
    };
    return { ready: () => world.named, problems: () => [], release };
  };
  const primary = {
    get: ({ name }: { readonly name: string }) => world.objects.get(name),
    get isServed() {
      return world.isServed;
    },
  };
  const outside = {
    ready: () => world.polled,
    get underway() {
      return world.polled === undefined ? 0 : 1;
    },
  };
  const waits = new Waits({ clock, log, tell: () => Promise.resolve() });
  const rests = new HotRests(clock, log);
  const scheduler = new Scheduler({ queue, rests, waits, primary, referenced: [{ hold }], outside });
  const stop = new AbortController();
  const add = (name = 'a') => queue.add({ namespace: 'shop', name }, { trigger: TRIGGER, also: [{ cause: 'resync' }] });
  /** The run of the next item, if one is due and can begin. */
  const next = async (): Promise<ReadyRun | undefined> => {
    if (queue.depth === 0) return undefined;
    const item = await scheduler.take(stop.signal);
    return item === undefined ? undefined : scheduler.ready(item, stop.signal);
  };
  return { clock, world, queue, rests, scheduler, stop, add, next };
}

/** With {@link scene}'s `next`, for an item that must be ready. */
async function readyRun(next: () => Promise<ReadyRun | undefined>): Promise<ReadyRun> {
  const run = await next();
  if (run === undefined) throw new Error('no run is ready');
  return run;
}

test('a ready run has the object as it is, and holds what that names until it is done', async () => {
  const { add, next, world, scheduler, queue } = scene();
  add();
  const run = await readyRun(next);
  expect(run.object).toBe(world.objects.get('a'));
  expect([world.holds, queue.inProgress, scheduler.isIdle]).toEqual([1, 1, false]);
  scheduler.done(run, RESYNC, { wrote: false });
  expect([world.holds, queue.inProgress, scheduler.isIdle, queue.delayed]).toEqual([0, 0, true, 1]);
});

test('an object that is gone is not run, and does not come again', async () => {
  const { add, next, world, queue, scheduler } = scene();
  world.objects.clear();
  add();
  expect(await next()).toBeUndefined();
  expect([queue.delayed, queue.inProgress, world.holds, scheduler.isIdle]).toEqual([0, 0, 0, true]);
});

test('H28: an object of a kind that is not served is not run, and is looked at again', async () => {
  const { add, next, world, clock } = scene();
  world.isServed = false;
  add();
  expect(await next()).toBeUndefined();
  world.isServed = true;
  clock.advance(999);
  expect(await next()).toBeUndefined();
  clock.advance(1);
  expect(await next()).toBeDefined();
});

test('an object is not run before its polled values have been read for, and keeps no worker until then', async () => {
  const { add, next, world, queue, scheduler } = scene();
  const reading = deferred();
  world.polled = reading.promise;
  add();
  expect(await next()).toBeUndefined();
  expect([queue.inProgress, world.holds, scheduler.isIdle]).toEqual([0, 0, false]);
  world.polled = undefined;
  reading.resolve();
  await flush();
  expect((await next())?.item).toMatchObject({ trigger: TRIGGER, also: [{ cause: 'resync' }] });
});

test('an object that is being deleted does not wait for its polled values', async () => {
  const { add, next, world } = scene();
  world.objects.set('a', objectNamed('a', { deletionTimestamp: '2030-01-01T00:00:00Z' }));
  world.polled = deferred().promise;
  add();
  expect(await next()).toBeDefined();
});

test('H18: an object is not run before what it names has been read, and keeps no worker but its hold until then', async () => {
  const { add, next, world, queue, scheduler } = scene();
  const reading = deferred();
  world.named = reading.promise;
  add();
  expect(await next()).toBeUndefined();
  expect([queue.inProgress, world.holds, scheduler.isIdle]).toEqual([0, 1, false]);
  world.named = undefined;
  reading.resolve();
  await flush();
  expect(world.holds).toBe(0);
  expect((await next())?.item).toMatchObject({ trigger: TRIGGER, also: [{ cause: 'resync' }] });
});

test('between its wait and the queue an object is never overlooked: the scheduler is not idle for a moment', async () => {
  const { add, next, world, scheduler } = scene();
  const reading = deferred();
  world.named = reading.promise;
  add();
  await next();
  reading.resolve();
  const idle: boolean[] = [];
  for (let step = 0; step < 20; step += 1) {
    await Promise.resolve();
    idle.push(scheduler.isIdle);
  }
  expect(idle).not.toContain(true);
});

test('a deleted object ends its wait and its hold, and does not come again', async () => {
  const { add, next, world, queue, scheduler } = scene();
  world.named = deferred().promise;
  const read = deferred();
  world.named = read.promise;
  add();
  await next();
  scheduler.forget({ namespace: 'shop', name: 'a' });
  read.reject(new Error('aborted'));
  await flush();
  expect([world.holds, queue.depth, scheduler.isIdle]).toEqual([0, 0, true]);
});

test('H38: an object that writes its children at every run is not given out at once for ever', async () => {
  const { add, next, scheduler, clock } = scene();
  for (let run = 0; run < 31; run += 1) {
    add();
    scheduler.done(await readyRun(next), RESYNC, { wrote: true, wroteChildren: true });
  }
  add();
  expect(await next()).toBeUndefined();
  clock.advance(1_000);
  expect(await next()).toBeDefined();
});

test('a deleted object takes its rests with it', async () => {
  const { add, next, scheduler, queue } = scene();
  for (let run = 0; run < 31; run += 1) {
    add();
    scheduler.done(await readyRun(next), { type: 'done' }, { wrote: true, wroteChildren: run < 30 });
  }
  scheduler.forget({ namespace: 'shop', name: 'a' });
  add();
  scheduler.done(await readyRun(next), { type: 'done' }, { wrote: true, wroteChildren: true });
  add();
  expect([queue.depth, await next()]).toEqual([1, expect.anything()]);
});
