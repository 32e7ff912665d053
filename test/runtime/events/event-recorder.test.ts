import {
  AlreadyExistsError,
  InternalError,
  InvalidError,
  NotFoundError,
  TooManyRequestsError,
  UnauthorizedError,
} from '../../../src/runtime/client/index.js';
import { refusal } from './event-store.js';
import { drained, MINUTE, Scene, settle } from './recorder-scene.js';

describe('an event', () => {
  test('is about another object if it says so, and stands beside that', async () => {
    const { store, recorder } = new Scene();
    const metadata = { name: 'a', namespace: 'b', uid: 'x' };
    const regarding = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'c', uid: 'y' } };
    recorder
      .forController('website')({ apiVersion: 'example.com/v1', kind: 'Website', metadata })
      .warning('Invalid', 'no key', { regarding });
    await settle();
    expect(store.all).toMatchObject([{ metadata: { namespace: 'c' }, regarding: { kind: 'Secret', name: 's', namespace: 'c', uid: 'y' } }]);
  });

  test('says what, about which object, and who tells it', async () => {
    const { store, recorder } = new Scene();
    const related = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'b', uid: 'u' } };
    const events = recorder.forController('website')({
      apiVersion: 'example.com/v1',
      kind: 'Website',
      metadata: { name: 'a', namespace: 'b', uid: 'x' },
    });
    events.normal('ScalingUp', 'from 1 to 2', { action: 'Scale', related });
    await settle();
    expect(store.all).toEqual([
      {
        metadata: { name: expect.stringMatching(/^a\.[0-9a-f]{16}$/) as string, namespace: 'b' },
        type: 'Normal',
        reason: 'ScalingUp',
        action: 'Scale',
        note: 'from 1 to 2',
        regarding: { apiVersion: 'example.com/v1', kind: 'Website', namespace: 'b', name: 'a', uid: 'x' },
        related: { apiVersion: 'v1', kind: 'Pod', namespace: 'b', name: 'p', uid: 'u' },
        reportingController: 'website',
        reportingInstance: 'website-pod-1',
        eventTime: '2030-01-01T00:00:00.000000Z',
      },
    ]);
  });

  test('about an object without a namespace stands in default', async () => {
    const scene = new Scene();
    scene.recorder
      .forController('website')({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } })
      .warning('Gone', 'it is gone');
    await settle();
    expect(scene.store.all[0]?.metadata.namespace).toBe('default');
  });

  test('takes its reason for the action where none is named', async () => {
    const scene = new Scene();
    scene.about('a').normal('Made', 'a thing');
    scene.about('c').normal('Made', 'a thing', { action: '' });
    await settle();
    expect(scene.store.all.map(({ action }) => action)).toEqual(['Made', 'Made']);
  });

  test('with long texts is cut where the API server would refuse it, between two characters, and shows it', async () => {
    const scene = new Scene();
    scene.about('a').normal('r'.repeat(128), 'n'.repeat(1_024), { action: 'a'.repeat(128) });
    scene.about('c').normal('r'.repeat(129), 'ä'.repeat(513), { action: 'ä'.repeat(65) });
    await settle();
    expect(scene.store.all.map(({ reason, note, action }) => [reason, note, action])).toEqual([
      ['r'.repeat(128), 'n'.repeat(1_024), 'a'.repeat(128)],
      [`${'r'.repeat(125)}…`, `${'ä'.repeat(510)}…`, `${'ä'.repeat(62)}…`],
    ]);
  });

  test.each([
    ['a', /^a\.[0-9a-f]{16}$/],
    [`${'a'.repeat(235)}.-.${'b'.repeat(15)}`, new RegExp(`^${'a'.repeat(235)}\\.[0-9a-f]{16}$`)],
    ['x'.repeat(253), new RegExp(`^${'x'.repeat(236)}\\.[0-9a-f]{16}$`)],
    ['system:reader', /^event\.[0-9a-f]{16}$/],
  ])('about %s has a name that the API server takes', async (name, expected) => {
    const scene = new Scene();
    scene.about(name).normal('Made', 'a thing');
    await settle();
    expect(scene.store.all[0]?.metadata.name).toMatch(expected);
  });

  test('has a name of the nanosecond: the clock knows the milliseconds, chance the rest', async () => {
    const scene = new Scene();
    for (const name of ['a', 'c']) scene.about(name).normal('Made', 'a thing');
    await settle();
    const nanos = scene.store.all.map(({ metadata: { name = '' } }) => BigInt(`0x${name.split('.')[1] ?? ''}`));
    const since = BigInt(Date.UTC(2030, 0, 1)) * 1_000_000n;
    expect(nanos.map((nano) => Number(nano - since))).toEqual([1_000, 2_000]);
  });

  test('is written after the caller has gone on', async () => {
    const scene = new Scene();
    scene.about('a').normal('Made', 'a thing');
    expect(scene.store.requests).toEqual([]);
    await settle();
    expect(scene.store.requests).toEqual(['create Made']);
  });

  test('that cannot be told is in the log, and fails nothing', () => {
    const scene = new Scene();
    scene.about('a').normal('', 'no reason');
    scene.about('').normal('Made', 'no name');
    scene.recorder.forController('website')({ apiVersion: 'v1', kind: 'Node', metadata: {} }).normal('Made', 'no name at all');
    expect(scene.logged.splice(2)).toEqual(['error an event cannot be recorded']);
    expect(scene.fields).toMatchObject([
      { reason: '', error: { message: 'an event needs a reason, a word such as ScalingUp' } },
      { reason: 'Made', error: { message: 'an event about a Website without a name' } },
      { reason: 'Made', error: { message: 'an event about a Node without a name' } },
    ]);
    expect(scene.logged).toEqual(['error an event cannot be recorded', 'error an event cannot be recorded']);
  });
});

describe('a series', () => {
  test('is written at the first repetition, and its count every half hour', async () => {
    const scene = new Scene();
    for (let minute = 0; minute <= 33; minute += 1) {
      scene.about('a', 'b', String(minute)).warning('Failed', 'the same as before');
      await settle();
      await scene.pass(MINUTE);
    }
    expect(scene.store.requests).toEqual(['create Failed', 'patch', 'patch']);
    expect(scene.store.all).toHaveLength(1);
    expect(scene.store.all[0]?.series).toEqual({ count: 31, lastObservedTime: '2030-01-01T00:30:00.000000Z' });
  });

  test('is one request when it was repeated before it was written', async () => {
    const scene = new Scene();
    for (let index = 0; index < 1_000; index += 1) scene.about('a').warning('Failed', 'the same');
    await settle();
    expect(scene.store.requests).toEqual(['create Failed']);
    expect(scene.store.all[0]?.series?.count).toBe(1_000);
  });

  test('ends after six minutes without a repetition, with its last count; then the event is a new one', async () => {
    const scene = new Scene();
    for (let index = 0; index < 5; index += 1) {
      scene.about('a').warning('Failed', 'the same');
      await settle();
    }
    expect(scene.store.all[0]?.series?.count).toBe(2);
    await scene.pass(7 * MINUTE);
    expect(scene.store.all[0]?.series?.count).toBe(5);
    scene.about('a').warning('Failed', 'the same');
    await settle();
    expect(scene.store.all.map(({ series }) => series?.count)).toEqual([5, undefined]);
  });

  test('that somebody deleted is created anew with its count', async () => {
    const scene = new Scene();
    scene.about('a').warning('Failed', 'the same');
    await settle();
    scene.store.events.clear();
    scene.about('a').warning('Failed', 'the same');
    await settle();
    expect(scene.store.requests).toEqual(['create Failed', 'patch', 'create Failed']);
    expect(scene.store.all[0]?.series?.count).toBe(2);
  });

  test('is not joined by that of another controller, though both say the same of one object', async () => {
    const { store, recorder } = new Scene();
    const object = { apiVersion: 'example.com/v1', kind: 'Website', metadata: { name: 'a', namespace: 'b', uid: 'x' } };
    for (const controller of ['website', 'backup']) recorder.forController(controller)(object).normal('Scaled', 'to 2');
    await settle();
    expect(store.all.map(({ reportingController }) => reportingController)).toEqual(['website', 'backup']);
  });

  test('is not joined by an object whose name and namespace only look alike when put together', async () => {
    const scene = new Scene();
    for (const [namespace, name] of [
      ['b', 'cd'],
      ['bc', 'd'],
    ] as const)
      scene.recorder.forController('website')({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name } }).normal('Made', 'a thing');
    await settle();
    expect(scene.store.all).toHaveLength(2);
  });

  test('is not joined by another related object, nor by one without', async () => {
    const scene = new Scene();
    const related = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'b', uid: `uid of ${name}` } });
    scene.about('a').normal('Made', 'a thing');
    for (const name of ['p', 'q', 'p']) scene.about('a').normal('Made', 'a thing', { related: related(name) });
    await settle();
    expect(scene.store.all.map(({ related: other, series }) => [other?.name, series?.count])).toEqual([
      [undefined, undefined],
      ['p', 2],
      ['q', undefined],
    ]);
  });

  test('is not joined by another action', async () => {
    const scene = new Scene();
    for (const action of ['Scale', 'Roll']) scene.about('a').normal('Made', 'a thing', { action });
    await settle();
    expect(scene.store.all).toHaveLength(2);
  });

  test('goes on although its count was refused: the next repetition is not a new event', async () => {
    const scene = new Scene();
    scene.about('a').warning('Failed', 'the same');
    await settle();
    scene.store.refuses = { patch: new InvalidError(refusal(422, 'Invalid', 'no')) };
    scene.about('a').warning('Failed', 'the same');
    await settle();
    scene.store.refuses = {};
    scene.about('a').warning('Failed', 'the same');
    await settle();
    expect(scene.store.requests).toEqual(['create Failed', 'patch', 'patch']);
    expect(scene.store.all.map(({ series }) => series?.count)).toEqual([3]);
    expect(scene.counted).toMatchObject({ created: 1, continued: 1, failed: 1 });
  });

  test('whose event was refused begins anew: the next repetition is an event of its own', async () => {
    const scene = new Scene();
    scene.store.refuses = { create: new InvalidError(refusal(422, 'Invalid', 'no')) };
    for (let index = 0; index < 2; index += 1) {
      scene.about('a').warning('Failed', 'the same');
      await settle();
    }
    scene.store.refuses = {};
    scene.about('a').warning('Failed', 'the same');
    await settle();
    expect(scene.store.requests).toEqual(['create Failed', 'create Failed', 'create Failed']);
    expect(scene.store.all.map(({ series }) => series)).toEqual([undefined]);
  });

  test('leaves no timer once it is over, and all is forgotten', async () => {
    const scene = new Scene();
    scene.about('a').normal('Made', 'a thing');
    await settle();
    expect(scene.clock.pending).toBe(1);
    await scene.pass(7 * MINUTE);
    expect(scene.clock.pending).toBe(0);
  });

  test('is forgotten when 5,000 others were repeated later, and its count is written', async () => {
    const scene = new Scene();
    const tell = async (name: string): Promise<void> => {
      scene.about(name).warning('Failed', 'the same');
      await settle();
    };
    for (const name of ['a', 'a', 'a', 'c', 'c', 'c', 'a']) await tell(name);
    for (let index = 0; index < 4_999; index += 1) {
      scene.about(`o${index}`).warning('Failed', 'the same');
      if (index % 500 === 0) await drained(scene);
    }
    await drained(scene);
    const counts = (name: string) => scene.store.all.filter(({ regarding }) => regarding?.name === name).map(({ series }) => series?.count);
    expect([counts('a'), counts('c')]).toEqual([[2], [3]]);
    await tell('a');
    await tell('c');
    expect([counts('a'), counts('c')]).toEqual([[2], [3, undefined]]);
  });

  test('is not joined by another note, another object or another type', async () => {
    const scene = new Scene();
    scene.about('a').warning('Failed', 'one');
    scene.about('a').warning('Failed', 'two');
    scene.about('a').normal('Failed', 'one');
    scene.about('c').warning('Failed', 'one');
    await settle();
    expect(scene.store.all).toHaveLength(4);
  });
});

describe('too much', () => {
  test('is logged with the reason', async () => {
    const waiting = new Scene();
    waiting.store.mood = 'hangs';
    for (let index = 0; index < 1_002; index += 1) waiting.about(`a${index}`).warning('Failed', 'it failed');
    const one = new Scene();
    for (let index = 0; index < 26; index += 1) one.about('a').warning('Failed', `try ${index}`);
    await Promise.all([waiting.recorder.close({ deadlineMs: 10 }), waiting.pass(10), one.recorder.close()]);
    const late = new Scene();
    await late.recorder.close();
    late.about('a').normal('Made', 'too late');
    expect([waiting, one, late].map(({ fields }) => fields[0])).toEqual([
      { why: 'too many wait for being written' },
      { why: 'too many about one object' },
      { why: 'the process ends' },
    ]);
  });

  test('H66 different notes about one object are 25 events, then one every five minutes; other objects are not affected', async () => {
    const scene = new Scene();
    for (let index = 0; index < 100; index += 1) scene.about('a').warning('Failed', `try ${index}`);
    scene.about('c').warning('Failed', 'try 1');
    await settle();
    expect(scene.store.all).toHaveLength(26);
    expect(scene.counted.dropped).toBe(75);
    expect(scene.logged).toEqual(['warn events are dropped']);
    await scene.pass(5 * MINUTE);
    for (let index = 200; index < 210; index += 1) scene.about('a').warning('Failed', `try ${index}`);
    await settle();
    expect(scene.store.all).toHaveLength(27);
  });

  test('a drop is told once a minute', async () => {
    const scene = new Scene();
    const tellMuch = (turn: number): void => {
      for (let index = 0; index < 30; index += 1) scene.about('a').warning('Failed', `try ${turn} ${index}`);
    };
    tellMuch(1);
    await scene.pass(59_999, 59_999);
    tellMuch(2);
    expect(scene.logged).toHaveLength(1);
    await scene.pass(1);
    tellMuch(3);
    expect(scene.logged).toEqual(['warn events are dropped', 'warn events are dropped']);
  });

  test('repetitions of an event cost an object nothing', async () => {
    const scene = new Scene();
    for (let index = 0; index < 100; index += 1) scene.about('a').warning('Failed', 'the same');
    for (let index = 0; index < 24; index += 1) scene.about('a').warning('Failed', `try ${index}`);
    expect(scene.counted.dropped).toBe(0);
    scene.about('a').warning('Failed', 'one more');
    expect(scene.counted.dropped).toBe(1);
  });

  test('an object that was quiet for long may have 25 events at once, and no more', async () => {
    const scene = new Scene();
    const tell = (what: string): void => {
      for (let index = 0; index < 30; index += 1) scene.about('a').warning('Failed', `${what} ${index}`);
    };
    tell('early');
    await scene.pass(25 * 5 * MINUTE, 5 * MINUTE);
    expect(scene.clock.pending).toBe(0);
    await scene.pass(600 * MINUTE, 600 * MINUTE);
    tell('late');
    await settle();
    expect(scene.store.all).toHaveLength(50);
  });

  test('more than a thousand that wait are dropped, and reconciles are not held up', async () => {
    const scene = new Scene();
    scene.store.mood = 'hangs';
    for (let index = 0; index < 3_000; index += 1) scene.about(`a${index}`).warning('Failed', 'it failed');
    await settle();
    expect(scene.counted.dropped).toBe(2_000);
    await Promise.all([scene.recorder.close({ deadlineMs: 10 }), scene.pass(10)]);
    expect(scene.clock.pending).toBe(0);
  });
});

describe('an API server', () => {
  test('that is down gets the event later, once, although an answer was lost', async () => {
    const scene = new Scene();
    scene.store.mood = 'is down';
    scene.about('a').warning('Failed', 'it failed');
    await scene.pass(30_000, 1_000);
    scene.store.mood = 'loses answers';
    await scene.pass(30_000, 1_000);
    scene.store.mood = 'works';
    await scene.pass(30_000, 1_000);
    expect(scene.store.all).toHaveLength(1);
    expect(scene.counted).toMatchObject({ created: 1, failed: 0 });
    expect(scene.logged).toEqual(['warn events cannot be written for now; they wait']);
  });

  test.each([
    ['etcd is down', new InternalError(refusal(500, 'InternalError', 'etcd is down'))],
    ['it is asked too much', new TooManyRequestsError(refusal(429, 'TooManyRequests', 'later'))],
    ['it does not know who asks', new UnauthorizedError(refusal(401, 'Unauthorized', 'who'))],
    ['it cannot be reached', new Error('connect ECONNREFUSED')],
  ])('is asked again after ten seconds and a quarter of chance, for each event that waits: %s', async (_, error) => {
    const scene = new Scene();
    scene.store.refuses = { create: error };
    scene.about('a').warning('Failed', 'it failed');
    scene.about('c').warning('Failed', 'it failed');
    await settle();
    await scene.pass(9_999, 9_999);
    expect(scene.store.requests).toHaveLength(1);
    await scene.pass(2_500, 100);
    expect(scene.store.requests).toHaveLength(2);
    scene.store.refuses = {};
    await scene.pass(12_500, 100);
    expect(scene.store.all).toHaveLength(2);
    expect(scene.logged).toEqual(['warn events cannot be written for now; they wait']);
  });

  test('that is down once more is told of once more', async () => {
    const scene = new Scene();
    for (const name of ['a', 'c']) {
      scene.store.mood = 'is down';
      scene.about(name).warning('Failed', 'it failed');
      await settle();
      scene.store.mood = 'works';
      await scene.pass(12_500, 100);
    }
    expect(scene.logged).toEqual(Array.from({ length: 2 }, () => 'warn events cannot be written for now; they wait'));
  });

  test('that refuses an event for good is told of once for each reason of an event, and the event is lost', async () => {
    const scene = new Scene();
    scene.store.refuses = { create: new InvalidError(refusal(422, 'Invalid', 'no')) };
    for (const reason of ['Failed', 'Failed', 'Made']) {
      scene.about(`${reason} ${scene.store.requests.length}`).warning(reason, 'a thing');
      await settle();
    }
    await scene.pass(MINUTE);
    expect(scene.store.requests).toEqual(['create Failed', 'create Failed', 'create Made']);
    expect(scene.logged).toEqual(['warn an event was refused', 'warn an event was refused']);
    expect(scene.counted.failed).toBe(3);
  });

  test('that has no such namespace is not a reason to complain, nor to ask again', async () => {
    const scene = new Scene();
    scene.store.refuses = { create: new NotFoundError(refusal(404, 'NotFound', 'namespaces "b" not found')) };
    scene.about('a').normal('Deleted', 'it is gone');
    await settle();
    await scene.pass(MINUTE);
    expect(scene.store.requests).toHaveLength(1);
    expect(scene.logged).toEqual(['debug an event has no namespace any more']);
  });

  test('that has the name already, from another process, gets the event under another name', async () => {
    const scene = new Scene();
    scene.store.refuses = { create: new AlreadyExistsError(refusal(409, 'AlreadyExists', 'it is there')) };
    scene.about('a').normal('Made', 'a thing');
    await settle();
    scene.store.refuses = {};
    await scene.pass(12_500, 100);
    expect(scene.store.all).toHaveLength(1);
    expect(scene.counted).toMatchObject({ created: 1, failed: 0 });
    expect(scene.logged).toEqual([]);
  });

  test('that forbids in one namespace is asked in another', async () => {
    const scene = new Scene();
    scene.store.mood = 'forbids';
    for (const namespace of ['b', 'c', 'b', 'c']) scene.about('a', namespace).warning('Failed', `in ${namespace}`);
    await settle();
    expect(scene.store.requests).toHaveLength(2);
    expect(scene.logged).toEqual(
      Array.from({ length: 2 }, () => 'warn events cannot be written: a right is missing; nothing else is affected'),
    );
    await scene.pass(59_999, 59_999);
    scene.about('a', 'b').warning('Failed', 'again');
    await settle();
    expect(scene.store.requests).toHaveLength(2);
    await scene.pass(1);
    scene.about('a', 'b').warning('Failed', 'again');
    await settle();
    expect(scene.store.requests).toHaveLength(3);
  });

  test('that stays down is given up after twelve tries', async () => {
    const scene = new Scene();
    scene.store.mood = 'is down';
    scene.about('a').warning('Failed', 'it failed');
    await scene.pass(10 * MINUTE, 5_000);
    expect(scene.store.requests).toHaveLength(12);
    expect(scene.counted.failed).toBe(1);
  });

  test('that forbids is told of once per namespace, and asked once a minute', async () => {
    const scene = new Scene();
    scene.store.mood = 'forbids';
    for (let index = 0; index < 50; index += 1) scene.about(`a${index}`).warning('Failed', 'it failed');
    await settle();
    expect(scene.store.requests).toHaveLength(1);
    expect(scene.logged).toEqual(['warn events cannot be written: a right is missing; nothing else is affected']);
    await scene.pass(MINUTE);
    scene.store.mood = 'works';
    scene.about('a1').warning('Failed', 'it failed');
    await settle();
    expect(scene.store.all).toHaveLength(1);
    expect(scene.logged).toHaveLength(1);
  });

  test('that deletes the namespace is not a reason to complain', async () => {
    const scene = new Scene();
    scene.store.mood = 'ends the namespace';
    scene.about('a').normal('Deleted', 'it is going');
    await settle();
    expect(scene.logged).toEqual(['debug an event was refused']);
  });
});

describe('the end', () => {
  test('H64 writes what waits and the counts of series, and leaves no timer', async () => {
    const scene = new Scene();
    for (let index = 0; index < 5; index += 1) {
      scene.about('a').warning('Failed', 'the same');
      await settle();
    }
    scene.about('c').normal('Made', 'last words');
    await scene.recorder.close();
    expect(scene.store.all.map(({ series }) => series?.count)).toEqual([5, undefined]);
    expect(scene.clock.pending).toBe(0);
    scene.about('a').normal('Made', 'too late');
    await settle();
    expect(scene.store.all).toHaveLength(2);
    expect(scene.counted.dropped).toBe(1);
  });

  test('comes at the deadline, whatever the API server does', async () => {
    for (const mood of ['hangs', 'is down'] as const) {
      const scene = new Scene();
      scene.store.mood = mood;
      scene.about('a').warning('Failed', 'it failed');
      await settle();
      const closed = scene.recorder.close({ deadlineMs: 2_000 });
      await scene.pass(2_000, 100);
      await closed;
      expect(scene.clock.pending).toBe(0);
      expect(scene.counted.failed).toBe(1);
      expect(scene.logged).toEqual(mood === 'hangs' ? [] : ['warn events cannot be written for now; they wait']);
    }
  });

  test('asks twice a second, and begins with it at once', async () => {
    const scene = new Scene();
    scene.store.mood = 'is down';
    scene.about('a').warning('Failed', 'it failed');
    await settle();
    const closed = scene.recorder.close();
    await settle();
    expect(scene.store.requests).toHaveLength(2);
    await scene.pass(499, 499);
    expect(scene.store.requests).toHaveLength(2);
    await scene.pass(1);
    expect(scene.store.requests).toHaveLength(3);
    await scene.pass(4_499, 499);
    expect(scene.clock.pending).toBeGreaterThan(0);
    await scene.pass(1);
    await closed;
    expect(scene.clock.pending).toBe(0);
  });

  test('comes once, however often it is asked for', async () => {
    const scene = new Scene();
    expect(scene.recorder.close()).toBe(scene.recorder.close({ deadlineMs: 1 }));
    await scene.recorder.close();
    expect(scene.clock.pending).toBe(0);
  });
});
