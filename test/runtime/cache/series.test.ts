import { ConnectionError, DeadlineExceededError } from '../../../src/runtime/http/index.js';
import { added, bookmark, errors, modified, object, type Scene, scene, settle, stopAll } from './scene.js';
import type { ScriptedWatch } from './scripted-api.js';

afterEach(stopAll);

const broken = (): Error => new ConnectionError('watch', { sent: true, reusedSocket: false, cause: new Error('reset') });
const silent = (): Error => new DeadlineExceededError('watch', 'body', 295_000);

/** The watch that the cache opens next. */
async function opened({ api }: Scene): Promise<ScriptedWatch> {
  const watch = (await api.next('watch')).open();
  await settle();
  return watch;
}

test('pages that name different resource versions are followed by a watch from the first: events come twice, but none is lost', async () => {
  const { api, cache } = scene();
  cache.start();
  (await api.next('list')).page([object('a', 3)], '5', 'next');
  (await api.next('list')).page([object('b', 6)], '7', 'last');
  (await api.next('list')).page([], '8');
  expect((await api.next('watch')).options.resourceVersion).toBe('5');
});

test('a bookmark without a resourceVersion says nothing', async () => {
  const made = scene();
  const watch = await made.synced([object('a', 3)], '5');
  watch.send(bookmark(''));
  watch.fail(broken());
  await made.pass();
  expect((await made.api.next('watch')).options.resourceVersion).toBe('5');
});

test('H12 a server that repeats what was told before is not mute', async () => {
  const made = scene();
  let watch = await made.synced([object('a', 3)], '5');
  watch.send(bookmark(6));
  await settle();
  for (let times = 0; times < 6; times += 1) {
    watch.send(added(object('a', 3)));
    await settle();
    made.clock.advance(290_000);
    watch.end();
    watch = await opened(made);
  }
  expect(made.cache.problems()).toEqual([]);
  expect(made.told).toEqual(['added a@3']);
});

test('H10 what follows a watch that said nothing is in trouble until it has said something', async () => {
  const made = scene();
  (await made.synced([object('a', 3)], '5')).end();
  await settle();
  await made.pass();
  const watch = await opened(made);
  expect(made.cache.problems()).toMatchObject([{ reason: 'Unavailable' }]);
  watch.send(modified(object('a', 6)));
  await settle();
  expect(made.cache.problems()).toEqual([]);
});

test('H10 a bookmark is a word too', async () => {
  const made = scene();
  (await made.synced([], '5')).end();
  await settle();
  await made.pass();
  const watch = await opened(made);
  watch.send(bookmark(6));
  await settle();
  expect(made.cache.problems()).toEqual([]);
});

test('H11 three silent watches in a row of a server that used to send bookmarks are followed by a list', async () => {
  const made = scene();
  let watch = await made.synced([], '5');
  watch.send(bookmark(8));
  await settle();
  watch.fail(silent());
  for (let times = 0; times < 3; times += 1) {
    await made.pass();
    watch = await opened(made);
    watch.fail(silent());
    await settle();
  }
  await made.pass();
  await made.api.next('list');
});

test('H11 a server that never sends bookmarks may be silent for as long as it likes', async () => {
  const made = scene();
  let watch = await made.synced([object('a', 3)], '5');
  for (let times = 0; times < 5; times += 1) {
    made.clock.advance(295_000);
    watch.fail(silent());
    await settle();
    await made.pass();
    watch = await opened(made);
  }
  expect(made.api.requests.filter(({ verb }) => verb === 'list')).toHaveLength(1);
});

test('H10 a quiet watch between hasty ones does not make up for them', async () => {
  const made = scene();
  let watch = await made.synced([], '5');
  const hasty = async (): Promise<void> => {
    watch.end();
    await settle();
    await made.pass();
  };
  await hasty();
  watch = await opened(made);
  await hasty();
  watch = await opened(made);
  made.clock.advance(290_000);
  watch.end();
  watch = await opened(made);
  await hasty();
  await made.api.next('list');
});

test('H10 what follows a watch that said nothing is healthy only if it has said something', async () => {
  const made = scene();
  (await made.synced([object('a', 3)], '5')).end();
  await settle();
  expect(await made.pass()).toBe(400);
  let watch = await opened(made);
  made.clock.advance(20_000);
  watch.fail(broken());
  expect(await made.pass()).toBe(800);
  watch = await opened(made);
  watch.send(modified(object('a', 6)));
  await settle();
  made.clock.advance(20_000);
  watch.fail(broken());
  expect(await made.pass()).toBe(400);
});

test.each([
  [9_999, [400, 800, 1_600]],
  [10_000, [400, 400, 400]],
])('watches that stand for %d ms before they break are asked for again after %j ms', async (standingMs, pauses) => {
  const made = scene();
  let watch = await made.synced([object('a', 3)], '5');
  const found: number[] = [];
  for (const _ of pauses) {
    made.clock.advance(standingMs);
    watch.fail(broken());
    found.push(await made.pass());
    watch = await opened(made);
  }
  expect(found).toEqual(pauses);
});

test('H7 a server that lags behind is given its chance each time anew', async () => {
  const made = scene();
  let watch = await made.synced([object('a', 3)], '900');
  for (let round = 0; round < 3; round += 1) {
    watch.fail(errors.tooLarge());
    await settle();
    await made.pass();
    watch = await opened(made);
    watch.send(modified(object('a', 901 + round)));
    await settle();
  }
  for (let round = 0; round < 2; round += 1) {
    watch.fail(errors.tooLarge());
    await settle();
    await made.pass();
    (await made.api.next('watch')).fail(errors.tooLarge());
    await settle();
    await made.pass();
    (await made.api.next('list')).page([object('a', 910)], '910');
    watch = await opened(made);
  }
});
