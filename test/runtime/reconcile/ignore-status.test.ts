import { mergePatch } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k, through, toAll, watch } from 'keelson';
import { Secret } from 'keelson/kinds';
import { z } from 'zod';
import { RunningController } from '../harness/running-controller.js';

const names = { group: 'metrics.example.com' };
const Feed = defineCustomResource({
  ...names,
  kind: 'Feed',
  versions: { v1: { spec: z.object({ url: z.string(), secret: z.string() }), status: z.object({ size: k.int32() }) } },
});
const Reader = defineCustomResource({ ...names, kind: 'Reader', versions: { v1: { spec: z.object({}) } } });

let runs: string[] = [];
let sizes: (number | undefined)[] = [];
const readers = defineController({
  name: 'reader',
  for: Reader,
  watches: {
    feeds: watch(Feed, { ignoreStatus: true, enqueue: toAll(Reader) }),
    secrets: watch(Secret, { enqueue: through(Feed, ({ spec }) => [{ name: spec.secret }]) }),
  },
  reconcile({ feeds, trigger, done }) {
    runs.push('object' in trigger ? `${trigger.handle} ${trigger.object.name}` : trigger.cause);
    sizes = feeds.list().map(({ status }) => status?.size);
    return done();
  },
});

let running: RunningController;
beforeEach(async () => {
  running = await RunningController.start(defineOperator({ name: 'reader-operator', controllers: [readers], customResources: [Feed] }));
  await running.cluster.create(Feed({ metadata: { name: 'news', namespace: 'shop' }, spec: { url: 'a', secret: 'key' } }));
  await running.cluster.create(Reader({ metadata: { name: 'ann', namespace: 'shop' }, spec: {} }));
});
afterEach(() => running.close());

async function runsAfter(change: () => Promise<unknown>): Promise<string[]> {
  await running.settled();
  runs = [];
  await change();
  await running.settled();
  return runs;
}
const ofShop = (name: string) => ({ name, namespace: 'shop' });
const patch = (change: object) => running.cluster.patch(Feed, ofShop('news'), mergePatch(change));

test('a status of a watched object that changes reconciles nothing, and is there for the next run', async () => {
  expect(await runsAfter(() => running.cluster.patchStatus(Feed, ofShop('news'), { size: 7 }))).toEqual([]);
  expect(await runsAfter(() => patch({ metadata: { labels: { tier: 'x' } } }))).toEqual(['feeds news']);
  expect(sizes).toEqual([7]);
});

test('whatever else changes counts still, and so does what leads through the object', async () => {
  expect(await runsAfter(() => patch({ spec: { url: 'b' } }))).toEqual(['feeds news']);
  expect(await runsAfter(() => patch({ metadata: { annotations: { note: 'x' } } }))).toEqual(['feeds news']);
  expect(await runsAfter(() => running.cluster.create(Secret({ metadata: ofShop('key') })))).toEqual(['secrets key']);
  expect(await runsAfter(() => running.cluster.delete(Feed, ofShop('news')))).toEqual(['feeds news']);
});

test('where nothing is reconciled anyway, it is refused', () => {
  const define = () =>
    defineController({
      name: 'reader',
      for: Reader,
      watches: { feeds: watch(Feed, { ignoreStatus: true }) },
      reconcile: ({ done }) => done(),
    });
  expect(define).toThrow(
    'watches.feeds.ignoreStatus: is set, but no change of these objects reconciles anything; write enqueue, or leave it out',
  );
});
