import { Breather } from '../../../../src/runtime/clock/index.js';
import { Journal } from '../../../../src/runtime/journal/index.js';
import type { QueueItem } from '../../../../src/runtime/queue/index.js';
import type { RunReport, RunRequest } from '../../../../src/runtime/reconcile/object-runner.js';
import type { RunResult } from '../../../../src/runtime/reconcile/observer.js';
import { LeftRuns } from '../../../../src/runtime/reconcile/runner/left-runs.js';
import { RunAborts } from '../../../../src/runtime/reconcile/runner/run-aborts.js';
import { Runs, type RunsOptions } from '../../../../src/runtime/reconcile/runner/runs.js';
import type { RunVerdict } from '../../../../src/runtime/reconcile/runner/verdicts.js';
import { FakeClock } from '../../clock/fake-clock.js';
import { flush } from '../../outside/flush.js';
import { keptLog } from '../../outside/kept-log.js';
import { deferred, itemNamed, objectNamed } from './parts.js';

const NEVER = new AbortController().signal;
const SUCCESS: RunVerdict = {
  result: 'success',
  next: { type: 'again', afterMs: 60_000, trigger: { cause: 'resync' }, lane: 'slow' },
};

function scene(options: Partial<RunsOptions> = {}) {
  const clock = new FakeClock();
  clock.advance(5_000);
  const seen: unknown[] = [];
  const requests: RunRequest[] = [];
  let report: RunReport | (() => RunReport) = { wrote: true };
  const runs = new Runs({
    controller: { name: 'widgets', for: { group: 'example.com', kind: 'Widget' } as RunsOptions['controller']['for'] },
    runner: {
      run: (request) => {
        requests.push(request);
        clock.advance(250);
        return Promise.resolve(typeof report === 'function' ? report() : report);
      },
    },
    aborts: new RunAborts([]),
    left: new LeftRuns({ controller: 'widgets', clock, log: keptLog().log }),
    clock,
    breather: new Breather(clock),
    observer: {
      started: (name) => void seen.push(['started', name]),
      finished: (name: string, result: RunResult, seconds: number) => void seen.push(['finished', name, result, seconds]),
    },
    ...options,
  });
  const ready = { item: itemNamed('a', 3), object: objectNamed('a'), release: () => undefined };
  const reports = (next: typeof report): void => {
    report = next;
  };
  return { clock, runs, ready, requests, seen, reports };
}

describe('work', () => {
  /** Items one after the other, then no more. */
  const source = (count: number) => {
    const items = Array.from({ length: count }, (_, index) => itemNamed(`w${index}`));
    return (): Promise<QueueItem | undefined> => Promise.resolve(items.shift());
  };

  test.each([
    [undefined, 10],
    [3, 3],
  ])('H32: with a concurrency of %s no more than %d items are with a worker', async (concurrency, most) => {
    const { runs } = scene({ concurrency });
    const steps: ReturnType<typeof deferred<void>>[] = [];
    const working = runs.work(source(25), () => {
      const step = deferred();
      steps.push(step);
      return step.promise;
    });
    await flush();
    expect(steps).toHaveLength(most);
    steps[0]?.resolve();
    await flush();
    expect(steps).toHaveLength(most + 1);
    for (let step = 1; step < 25; step += 1) {
      steps[step]?.resolve();
      await flush();
    }
    await working;
    expect(steps).toHaveLength(25);
  });

  test('it does not end before the last step has', async () => {
    const { runs } = scene({ concurrency: 2 });
    const last = deferred();
    const ends: string[] = [];
    void runs.work(source(1), () => last.promise).then(() => ends.push('ended'));
    await flush();
    expect(ends).toEqual([]);
    last.resolve();
    await flush();
    expect(ends).toEqual(['ended']);
  });

  test('steps that never wait do not keep the event loop from its turn', async () => {
    const { runs, clock } = scene({ concurrency: 1 });
    let isOver = false;
    let steps = 0;
    setImmediate(() => {
      isOver = true;
    });
    // Without a breath it would go on for ever.
    await runs.work(
      () => Promise.resolve(isOver || steps > 100_000 ? undefined : itemNamed('a')),
      () => {
        steps += 1;
        clock.block(4);
        return Promise.resolve();
      },
    );
    expect(steps).toBeLessThan(10);
  });
});

test('a run has the object, the cause and the attempt of its item, and the signal of the term', async () => {
  const { runs, ready, requests } = scene();
  const { id, report } = await runs.run(ready, NEVER);
  expect([id, report]).toEqual(['shop/a', { wrote: true }]);
  expect(requests).toEqual([{ object: ready.object, trigger: ready.item.trigger, attempt: 3, signal: NEVER, record: undefined }]);
});

test('a change of its object that abortOn names does not miss a run under way', async () => {
  const aborts = new RunAborts(['deletion']);
  const { runs, ready, requests, reports } = scene({ aborts });
  reports(() => {
    aborts.changed({ type: 'deleted', object: ready.object, isInitial: false, isLastStateUnknown: false });
    return { wrote: false };
  });
  await runs.run(ready, NEVER);
  expect([requests[0]?.signal.aborted, NEVER.aborted]).toEqual([true, false]);
});

test('a run is observed from its beginning to its verdict, with the time that it took', async () => {
  const { runs, ready, seen } = scene();
  const run = await runs.run(ready, NEVER);
  expect(seen).toEqual([['started', 'widgets']]);
  runs.end(run, SUCCESS, () => seen.push('done'));
  expect(seen).toEqual([['started', 'widgets'], ['finished', 'widgets', 'success', 0.25], 'done']);
});

test('the object of a run that was given up is not done before its function has returned', async () => {
  const returned = deferred();
  const { runs, ready, seen, reports } = scene();
  reports({ wrote: false, error: new Error('too long'), left: returned.promise });
  const run = await runs.run(ready, NEVER);
  runs.end(run, { result: 'error', next: { type: 'failed' } }, () => seen.push('done'));
  await flush();
  expect(seen).toEqual([
    ['started', 'widgets'],
    ['finished', 'widgets', 'error', 0.25],
  ]);
  returned.resolve();
  await flush();
  expect(seen.at(-1)).toBe('done');
});

test('a run of a traced process is one span, named after its controller', async () => {
  const spans: unknown[] = [];
  const tracing: RunsOptions['tracing'] = {
    inSpan: (name, attributes, run) => {
      spans.push([name, attributes]);
      return run();
    },
  };
  const { runs, ready } = scene({ tracing });
  await runs.run(ready, NEVER);
  const attributes = { 'keelson.controller': 'widgets', 'k8s.object.name': 'a', 'k8s.namespace.name': 'shop' };
  expect(spans).toEqual([['reconcile widgets', attributes]]);
});

test('the journal keeps why a run ran, what was done in it, and how it ended', async () => {
  const journal = new Journal();
  const { runs, ready, requests, reports } = scene({ journal });
  const current: unknown[] = [];
  reports(() => {
    current.push(journal.current);
    return { wrote: false, error: new Error('no') };
  });
  const item: QueueItem = { ...ready.item, also: [{ cause: 'resync' }], waitedMs: 40 };
  runs.end(
    await runs.run({ ...ready, item }, NEVER),
    { result: 'requeue_after', next: { type: 'later', afterMs: 5_000 } },
    () => undefined,
  );
  expect(journal.runs()).toMatchObject([
    {
      controller: 'widgets',
      kind: 'Widget',
      object: 'shop/a',
      version: '7',
      triggers: [{ cause: 'object' }, { cause: 'resync' }],
      queuedMs: 40,
      attempt: 3,
      outcome: { result: 'requeue_after', tookMs: 250, error: 'no', nextInMs: 5_000 },
    },
  ]);
  expect(current).toEqual([requests[0]?.record]);
  expect(journal.current).toBeUndefined();
});

test('a failed run has no planned time in the journal: that is the backoff of the queue', async () => {
  const journal = new Journal();
  const { runs, ready } = scene({ journal });
  runs.end(await runs.run(ready, NEVER), { result: 'error', next: { type: 'failed' } }, () => undefined);
  expect(journal.runs()[0]?.outcome).toEqual({ result: 'error', tookMs: 250 });
});
