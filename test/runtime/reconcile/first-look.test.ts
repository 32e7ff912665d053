import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { NotFoundError } from '../../../src/runtime/client/index.js';
import { FirstLook } from '../../../src/runtime/reconcile/first-look.js';
import { FakeInformer } from '../children/fake-informer.js';
import { Widget } from './widget.js';

const SIGNAL = new AbortController().signal;
const widget = (uid: string, more: object = {}): StoredObject =>
  ({
    apiVersion: 'test.example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'shop', uid, resourceVersion: '1', ...more },
  }) as unknown as StoredObject;

function scene(answer: () => StoredObject) {
  const informer = new FakeInformer(Widget);
  let asked = 0;
  const client = {
    get: async () => {
      asked += 1;
      return answer();
    },
  };
  const look = new FirstLook({ client: client as never, kind: Widget, informer });
  return { informer, look, asked: () => asked };
}

test('H6 H52: what the cache of a standby holds is asked for once per term', async () => {
  const deletionTimestamp = '2030-01-01T00:00:00Z';
  const { informer, look, asked } = scene(() => widget('u', { deletionTimestamp, resourceVersion: '2' }));
  expect((await look.look(widget('u'), SIGNAL))?.metadata.deletionTimestamp).toBe(deletionTimestamp);
  expect(informer.told).toHaveLength(1);
  await look.look(widget('u'), SIGNAL);
  expect(asked()).toBe(1);
  look.beginTerm();
  await look.look(widget('u'), SIGNAL);
  look.forget('u');
  await look.look(widget('u'), SIGNAL);
  expect(asked()).toBe(3);
  look.saw(widget('v'));
  await look.look(widget('v'), SIGNAL);
  expect(asked()).toBe(3);
});

test('H6 H52: what is gone, or another object by now, is not worked on; the cache knows at once', async () => {
  const other = scene(() => widget('new'));
  expect(await other.look.look(widget('old'), SIGNAL)).toBeUndefined();
  expect(other.informer.gone).toEqual([{ key: { namespace: 'shop', name: 'w' }, uid: 'old' }]);
  const gone = scene(() => {
    throw new NotFoundError({ request: 'GET', status: { status: 'Failure', code: 404, reason: 'NotFound' }, httpStatus: 404 } as never);
  });
  expect(await gone.look.look(widget('old'), SIGNAL)).toBeUndefined();
  const broken = scene(() => {
    throw new Error('broken');
  });
  await expect(broken.look.look(widget('old'), SIGNAL)).rejects.toThrow('broken');
});
