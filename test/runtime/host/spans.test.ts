import { TestCluster } from '@keelson/testing';
import { defineController, defineOperator, external } from 'keelson';
import { MemoryLog } from '../harness/running-controller.js';
import { Website } from '../reconcile/website.js';
import { SpanRecorder } from '../telemetry/span-recorder.js';

interface Store {
  save(title: string): Promise<void>;
  ping(): Promise<void>;
}

let close: (() => Promise<void>) | undefined;
let recorder: SpanRecorder;
beforeEach(() => {
  recorder = SpanRecorder.register();
});
afterEach(async () => {
  await close?.();
  recorder.disable();
});

test('a call of an external is a span below that of its run or task; one that fails says why', async () => {
  const store = external<Store>();
  const controller = defineController({
    name: 'website',
    for: Website,
    uses: { store },
    async reconcile({ object, store, done }) {
      await store.save(object.spec.title);
      return done();
    },
  });
  const operator = defineOperator({
    name: 'website-operator',
    controllers: [controller],
    tasks: { look: { uses: { store }, run: ({ store }) => store.ping() } },
  });
  const cluster = await TestCluster.start({ operator, namespace: 'shop' });
  close = () => cluster.close();
  const save = async (title: string): Promise<void> => {
    if (title === 'bad') throw new Error('the store refuses it');
  };
  await cluster.startOperator({ log: new MemoryLog(), externals: { store: { save, ping: async () => undefined } } });
  const spans = (name: string, more: (one: (typeof recorder.spans)[number]) => boolean = () => true) =>
    recorder.spans.filter((one) => one.name === name && one.hasEnded && more(one));
  await cluster.until(() => spans('store.ping').length > 0);
  expect(spans('store.ping')[0]).toMatchObject({ parent: 'task look', kind: 'client' });
  await cluster.create(Website({ metadata: { name: 'w' }, spec: { title: 'good' } }));
  await cluster.until(() => spans('store.save').length > 0);
  const [saved] = spans('store.save');
  expect(saved).toMatchObject({
    parent: 'reconcile website',
    kind: 'client',
    attributes: { 'keelson.external': 'store', 'keelson.external.method': 'save' },
    exceptions: [],
  });
  expect(saved?.status).toBeUndefined();
  // Its requests to the API server are spans too.
  await cluster.until(() => spans('PATCH', ({ parent }) => parent === 'reconcile website').length > 0);
  await cluster.create(Website({ metadata: { name: 'x' }, spec: { title: 'bad' } }));
  await cluster.until(() => spans('store.save', ({ status }) => status !== undefined).length > 0);
  expect(spans('store.save', ({ status }) => status !== undefined)[0]).toMatchObject({
    parent: 'reconcile website',
    status: 'the store refuses it',
    exceptions: ['the store refuses it'],
  });
});
