import { ConfigMap } from '../../../src/kubernetes/kinds/index.js';
import { Cache, type CacheClient, type Presence } from '../../../src/runtime/cache/index.js';
import { RequestError } from '../../../src/runtime/client/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { MemoryLog } from '../harness/running-controller.js';
import { errors } from './scene.js';

interface Scene {
  readonly clock: FakeClock;
  readonly log: MemoryLog;
  readonly cache: Cache;
  readonly presence: Presence;
  /** What listeners heard. */
  readonly heard: boolean[];
  /** The next answer of discovery: an error, or that the kind is there. */
  answer: Error | 'served';
  asked: number;
  /** Moves the clock to the next question, and lets it be answered. */
  next(): Promise<number>;
}

function scene(answer: Error | 'served'): Scene {
  const clock = new FakeClock();
  const log = new MemoryLog();
  const client = {
    discover: async () => {
      made.asked += 1;
      if (made.answer !== 'served') throw made.answer;
      return ConfigMap;
    },
  } as unknown as CacheClient;
  const cache = new Cache({ client, clock, log, random: () => 0.5 });
  const presence = cache.presence(ConfigMap);
  const heard: boolean[] = [];
  presence.onServed(() => heard.push(presence.isServed));
  const next = async (): Promise<number> => {
    await clock.timer(() => true);
    const before = clock.monotonicMs();
    while (clock.pending > 0) clock.advance(50);
    await clock.timer(() => true);
    return clock.monotonicMs() - before;
  };
  const made: Scene = { clock, log, cache, presence, heard, answer, asked: 0, next };
  return made;
}

test('a kind that is read on demand is known before anything waits for it is let go on, and its coming and going are told', async () => {
  const made = scene(errors.notFound());
  expect([made.presence.hasSynced, made.presence.isServed]).toEqual([false, false]);
  made.cache.start();
  await made.cache.synced();
  expect([made.presence.hasSynced, made.presence.isServed, made.heard]).toEqual([true, false, []]);
  made.answer = 'served';
  await made.next();
  expect([made.presence.isServed, made.heard]).toEqual([true, [true]]);
  // The group is there, and the kind is not.
  made.answer = new RequestError('GET /api/v1: the server does not serve ConfigMap');
  expect(await made.next()).toBe(10_000);
  expect([made.presence.isServed, made.heard]).toEqual([false, [true, false]]);
  expect(made.cache.problems()).toEqual([]);
  expect(made.log.texts.filter((text) => /^(warn|error)/.test(text))).toEqual([]);
  await made.cache.stop();
  expect(made.clock.pending).toBe(0);
});

test('H29: a kind that does not come is asked for with pauses that grow to seconds, and no further', async () => {
  const made = scene(errors.notFound());
  made.cache.start();
  await made.cache.synced();
  const pauses: number[] = [];
  for (let count = 0; count < 8; count += 1) pauses.push(await made.next());
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauses[0]).toBeLessThan(1_000);
  expect(pauses.slice(-2)).toEqual([6_400, 6_400]);
  await made.cache.stop();
});

test('an answer that says nothing about the kind changes nothing', async () => {
  const made = scene('served');
  made.cache.start();
  await made.cache.synced();
  made.answer = errors.internal();
  await made.next();
  await made.next();
  expect([made.presence.isServed, made.heard]).toEqual([true, []]);
  await made.cache.stop();
});

test('a process that may not read discovery takes the kind for served, and says so once', async () => {
  const made = scene(errors.forbidden());
  made.cache.start();
  await made.cache.synced();
  await made.next();
  expect(made.presence.isServed).toBe(true);
  expect(made.log.texts.filter((text) => text.startsWith('warn'))).toEqual([
    'warn ConfigMap: the process may not read discovery: the kind counts as served; bind the ClusterRole system:discovery',
  ]);
  await made.cache.stop();
});
