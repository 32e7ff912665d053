import { mergePatch, reconcileOnce, TestCluster } from '@keelson/testing';
import { type Done, defineController, defineCustomResource, defineOperator, k, RetryLater } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';

const Job = defineCustomResource({
  group: 'retries.example.com',
  kind: 'Work',
  versions: { v1: { spec: z.object({ round: z.number().default(1) }), status: z.object({ conditions: k.conditions() }) } },
});

interface Behaviour {
  readonly retries?: number;
  readonly run: (attempt: number, done: () => Done) => Done;
  readonly finalize?: (attempt: number) => void;
}

const controllerOf = ({ retries, run, finalize }: Behaviour) =>
  defineController({
    name: 'works',
    for: Job,
    owns: { configs: ConfigMap },
    backoff: { first: '1ms', most: '5ms' },
    ...(retries === undefined ? {} : { retries }),
    reconcile: ({ attempt, done }) => run(attempt, done),
    ...(finalize === undefined ? {} : { finalize: ({ attempt }: { readonly attempt: number }) => finalize(attempt) }),
  });

async function scene(behaviour: Behaviour) {
  const cluster = await TestCluster.start({
    operator: defineOperator({ name: 'work-operator', controllers: [controllerOf(behaviour)] }),
    namespace: 'shop',
  });
  await cluster.startOperator();
  await cluster.create(Job({ metadata: { name: 'a' }, spec: {} }));
  return cluster;
}

const stalled = { status: { conditions: [{ type: 'Stalled', status: 'True' as const, reason: 'RetriesExhausted' }] } };
const failing = (): never => {
  throw new Error('the disk is full');
};

test('the first run is attempt 1, each after a failure one more, and a run that ends well begins anew', async () => {
  const attempts: number[] = [];
  const cluster = await scene({
    run: (attempt, done) => {
      attempts.push(attempt);
      return attempt < 3 ? failing() : done();
    },
  });
  await cluster.until(Job, 'a', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  await cluster.patch(Job, 'a', mergePatch({ spec: { round: 2 } }));
  await cluster.until(() => expect(attempts.length).toBeGreaterThanOrEqual(6));
  expect(attempts.slice(0, 6)).toEqual([1, 2, 3, 1, 2, 3]);
  await cluster.close();
});

test('after so many retries the object is stalled and left alone, until it changes', async () => {
  let runs = 0;
  const cluster = await scene({
    retries: 2,
    run: () => {
      runs += 1;
      return failing();
    },
  });
  await cluster.until(Job, 'a', stalled);
  await cluster.settled();
  expect(runs).toBe(3);
  const { status } = await cluster.get(Job, 'a');
  expect(status?.conditions?.find(({ type }) => type === 'Stalled')?.message).toBe(
    'the disk is full; given up after 3 runs, until the object or what it depends on changes',
  );
  await cluster.patch(Job, 'a', mergePatch({ spec: { round: 2 } }));
  await cluster.until(() => expect(runs).toBe(6));
  await cluster.settled();
  expect(runs).toBe(6);
  await cluster.close();
});

test('waits are no failures, and a deletion is tried for ever', async () => {
  let finalized = 0;
  let waits = 0;
  const cluster = await scene({
    retries: 0,
    run: (_, done) => {
      waits += 1;
      if (waits < 4) throw new RetryLater('1ms', 'not yet');
      return done();
    },
    finalize: () => {
      finalized += 1;
      if (finalized < 4) failing();
    },
  });
  await cluster.until(Job, 'a', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  await cluster.delete(Job, 'a');
  await cluster.until(Job, 'a', 'absent');
  expect(finalized).toBe(4);
  await cluster.close();
});

test('a test says which attempt it is', async () => {
  const seen: number[] = [];
  const controller = controllerOf({
    run: (attempt, done) => {
      seen.push(attempt);
      return done();
    },
  });
  await reconcileOnce(controller, { object: { metadata: { name: 'a' }, spec: {} }, attempt: 4 });
  await reconcileOnce(controller, { object: { metadata: { name: 'a' }, spec: {} } });
  expect(seen).toEqual([4, 1]);
});

test.each([
  [{ rate: { perMinute: 0 } }, 'rate.perMinute: is 0; write a whole number of at least 1'],
  [{ retries: -1 }, 'retries: is -1; write a whole number from 0'],
  [{ backoff: { first: '1m', most: '1s' } }, "backoff.most: '1s' is shorter than first; write a longer time"],
  [{ backoff: { first: 'soon' } }, "backoff.first: is 'soon'; write a span of time such as '30s', or milliseconds"],
])('%j is refused', (options, message) => {
  const define = () => defineController({ name: 'works', for: Job, reconcile: ({ done }) => done(), ...(options as object) });
  expect(define).toThrow(message);
});
