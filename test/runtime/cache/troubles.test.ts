import { ConfigMap } from 'keelson/kinds/core/v1';
import { CacheNotSyncedError, CacheRequestError, CacheStoppedError } from '../../../src/runtime/cache/index.js';
import {
  BadRequestError,
  InvalidError,
  MethodNotAllowedError,
  type Refusal,
  ServerTimeoutError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
} from '../../../src/runtime/client/index.js';
import { ConnectionError, DeadlineExceededError, MalformedResponseError, ResponseTooLargeError } from '../../../src/runtime/http/index.js';
import { added, bookmark, errors, key, modified, object, scene, settle, stopAll } from './scene.js';

afterEach(stopAll);

const broken = (): Error => new ConnectionError('watch', { sent: true, reusedSocket: false, cause: new Error('reset') });
const refused = (httpStatus: number, message: string, more: Partial<Refusal['status']> = {}): Refusal => ({
  request: 'GET /api/v1/configmaps',
  httpStatus,
  status: { kind: 'Status', status: 'Failure', code: httpStatus, message, ...more },
});

describe('the reason of a failure', () => {
  test.each([
    ['Unauthorized', () => new UnauthorizedError(refused(401, 'who are you'))],
    ['Forbidden', () => errors.forbidden()],
    ['NotInstalled', () => errors.notFound()],
    ['Busy', () => errors.tooMany(1)],
    ['Expired', () => errors.expired()],
    ['Refused', () => new BadRequestError(refused(400, 'no such field label'))],
    ['Refused', () => new InvalidError(refused(422, 'a selector is wrong'))],
    ['Refused', () => new MethodNotAllowedError(refused(405, 'it cannot be listed'))],
    ['Refused', () => new UnsupportedMediaTypeError(refused(415, 'not this form'))],
    ['Silent', () => new DeadlineExceededError('watch', 'body', 295_000)],
    ['Unavailable', () => new DeadlineExceededError('watch', 'headers', 65_000)],
    ['Unavailable', () => new ResponseTooLargeError('watch', 5)],
    ['Unavailable', () => errors.tooLarge()],
    ['Unavailable', () => errors.internal()],
    ['Unavailable', broken],
    ['Unavailable', () => new TypeError('oops')],
  ] as const)('is %s, and is told with the message and the error', async (reason, error) => {
    const failed: string[] = [];
    const { api, cache, log } = scene({ observer: { failed: ({ kind }, why) => failed.push(`${kind} ${why}`) } });
    cache.start();
    const cause = error();
    (await api.next('list')).fail(cause);
    await settle();
    expect(failed).toEqual([`ConfigMap ${reason}`]);
    const [problem] = cache.problems();
    expect(problem).toEqual({ kind: ConfigMap, reason, message: expect.any(String), sinceMs: 0, hasSynced: false });
    if (reason !== 'NotInstalled') expect(problem?.message).toBe(cause.message);
    const fields = { group: '', version: 'v1', kind: 'ConfigMap', reason, error: cause };
    // No namespace, neither as nothing: a log shows each field that there is.
    expect(log).toStrictEqual([{ level: 'warn', message: `ConfigMap: cannot be read yet: ${problem?.message}`, fields }]);
  });

  test.each([
    ['', 'configmaps'],
    ['apps.example.org', 'configmaps.apps.example.org'],
  ])('names the resource of group %j that the server does not serve, and what to do', async (group, resource) => {
    const { api, cache } = scene({}, { kind: { ...ConfigMap, group } });
    cache.start();
    (await api.next('list')).fail(errors.notFound());
    await settle();
    expect(cache.problems()[0]?.message).toBe(
      `the API server does not serve ${resource} in version v1; install its CustomResourceDefinition: it is waited for`,
    );
  });

  test.each([
    ['cause', () => errors.tooLarge()],
    [
      'message alone, as of older servers',
      () => new ServerTimeoutError(refused(504, 'Timeout: Too large resource version: 9, current: 5')),
    ],
    [
      'cause alone',
      () => new ServerTimeoutError(refused(504, 'wait', { details: { causes: [{ reason: 'ResourceVersionTooLarge', message: '' }] } })),
    ],
  ])('H7 is a server that lags behind by its %s: asked once more, then listed', async (_, error) => {
    const { api, synced, pass } = scene();
    const watch = await synced([object('a', 3)], '900');
    watch.fail(error());
    await pass();
    (await api.next('watch')).fail(error());
    await pass();
    await api.next('list');
  });
});

test.each([
  ['malformed', () => new MalformedResponseError('watch', 'a line is not JSON')],
  ['too large', () => new ResponseTooLargeError('watch', 5)],
])('a watch whose events are %s three times from one resourceVersion is left for a list', async (_, error) => {
  const { api, synced, pass } = scene();
  let watch = await synced([object('a', 3)], '5');
  for (let times = 0; times < 2; times += 1) {
    watch.fail(error());
    await pass();
    watch = (await api.next('watch')).open();
    await settle();
  }
  watch.fail(error());
  await pass();
  await api.next('list');
});

describe('a namespace in trouble', () => {
  test('is named, and others are not', async () => {
    const { api, cache, log } = scene({ namespaces: ['one', 'two'] });
    cache.start();
    (await api.next('list')).fail(errors.forbidden());
    (await api.next('list')).page([], '5');
    await settle();
    expect(cache.problems()).toMatchObject([{ namespace: 'one', reason: 'Forbidden' }]);
    expect(log.map(({ fields }) => fields?.['namespace'])).toEqual(['one']);
  });
});

describe('the log of a watch', () => {
  const lines = (log: ReturnType<typeof scene>['log']): readonly string[] => log.map(({ level, message }) => `${level} ${message}`);

  test('warns of what passes from the third failure in a row on, and says once that it works again', async () => {
    const { api, synced, pass, log, cache, clock } = scene();
    const watch = await synced([object('a', 3)], '5');
    clock.advance(1_000);
    watch.fail(errors.internal());
    for (let times = 0; times < 3; times += 1) {
      await pass();
      (await api.next('watch')).fail(errors.internal());
    }
    await settle();
    const { message } = errors.internal();
    expect(lines(log)).toEqual([
      `debug ConfigMap: ${message}`,
      `debug ConfigMap: ${message}`,
      `warn ConfigMap: the watch is interrupted: ${message}`,
      `debug ConfigMap: ${message}`,
    ]);
    expect(log.map(({ fields }) => fields?.['failures'])).toEqual([1, 2, undefined, 4]);
    // Since the first of them.
    expect(cache.problems()).toMatchObject([{ sinceMs: 1_000, hasSynced: true }]);
    log.length = 0;
    await pass();
    (await api.next('watch')).open();
    await settle();
    expect(log).toEqual([
      { level: 'info', message: 'ConfigMap: the watch works again', fields: { group: '', version: 'v1', kind: 'ConfigMap' } },
    ]);
  });

  test('says nothing more of a passing failure that is over', async () => {
    const { api, synced, pass, log, cache } = scene();
    const watch = await synced([object('a', 3)], '5');
    watch.fail(broken());
    await pass();
    (await api.next('watch')).open();
    await settle();
    expect(lines(log)).toEqual([expect.stringMatching(/^debug ConfigMap: /)]);
    expect(cache.problems()).toEqual([]);
  });

  test.each([
    ['Expired', () => errors.expired()],
    ['Silent', () => new DeadlineExceededError('watch', 'body', 295_000)],
  ])('takes the first failure %s for one that passes', async (_, error) => {
    const { synced, log } = scene();
    (await synced([], '5')).fail(error());
    await settle();
    expect(log.map(({ level }) => level)).toEqual(['debug']);
  });

  test('warns at once of what somebody has to mend, and again for each new reason', async () => {
    const { api, synced, pass, log, cache, clock } = scene();
    const watch = await synced([object('a', 3)], '5');
    watch.fail(errors.forbidden());
    await pass();
    (await api.next('watch')).fail(errors.forbidden());
    const { sinceMs } = cache.problems()[0] ?? {};
    expect(sinceMs).toBe(0);
    await pass();
    const changedMs = clock.monotonicMs();
    (await api.next('watch')).fail(errors.tooMany(1));
    await settle();
    expect(cache.problems()).toMatchObject([{ reason: 'Busy', sinceMs: changedMs }]);
    expect(log.filter(({ level }) => level === 'warn').map(({ fields }) => fields?.['reason'])).toEqual(['Forbidden', 'Busy']);
    await pass();
    const again = (await api.next('watch')).open();
    await settle();
    again.fail(errors.forbidden());
    await settle();
    expect(log.filter(({ level }) => level === 'warn')).toHaveLength(3);
  });

  test('names both resource versions of a list from the past, and of a bookmark', async () => {
    const { api, synced, pass, cache } = scene();
    const watch = await synced([], '900');
    watch.send(bookmark(7));
    await settle();
    expect(cache.problems()).toMatchObject([{ reason: 'Expired', message: 'a bookmark says resourceVersion 7, but 900 was seen before' }]);
    await pass();
    (await api.next('list')).page([], '8');
    await settle();
    expect(cache.problems()).toMatchObject([
      { reason: 'Unavailable', message: 'the list shows resourceVersion 8, but 900 was seen before: an API server lags behind' },
    ]);
  });

  test('says how a watch ended: at once, soon, or without a word', async () => {
    const { api, synced, pass, cache, clock } = scene();
    const messages: (string | undefined)[] = [];
    let watch = await synced([], '5');
    const ended = async (): Promise<void> => {
      watch.end();
      await settle();
      messages.push(cache.problems()[0]?.message);
      await pass();
      watch = (await api.next('watch')).open();
      await settle();
    };
    await ended();
    watch.send(bookmark(6));
    await settle();
    await ended();
    for (let times = 0; times < 3; times += 1) {
      clock.advance(290_000);
      watch.end();
      await settle();
      if (times < 2) watch = (await api.next('watch')).open();
      await settle();
    }
    messages.push(cache.problems()[0]?.message);
    expect(messages).toEqual([
      'the watch from resourceVersion 5 was closed at once, without a word',
      'the watch from resourceVersion 6 was closed soon',
      '3 watches from resourceVersion 6 said nothing',
    ]);
    expect(cache.problems()).toMatchObject([{ reason: 'Silent' }]);
  });
});

describe('H20 a streamed list that fails', () => {
  const streaming = () => scene({ streamLists: true });

  test('by what is not the stream’s fault is asked for again as a stream, and does not count', async () => {
    const { api, cache, pass } = streaming();
    cache.start();
    for (const error of [broken(), broken(), errors.tooMany(1), broken(), errors.forbidden(), broken(), broken()]) {
      const watch = await api.next('watch');
      expect(watch.options.sendInitialEvents).toBe(true);
      watch.fail(error);
      await pass();
    }
    expect((await api.next('watch')).options.sendInitialEvents).toBe(true);
  });

  test('to be read, or that ends before its end, three times in a row is read in pages', async () => {
    const { api, cache, pass } = streaming();
    cache.start();
    (await api.next('watch')).open().fail(new ResponseTooLargeError('watch', 5));
    await settle();
    await pass();
    (await api.next('watch')).open().end();
    await settle();
    expect(cache.problems()).toMatchObject([{ reason: 'Unavailable', message: 'the watch ended before it had sent all that there is' }]);
    await pass();
    (await api.next('watch')).open().end();
    await settle();
    await pass();
    (await api.next('list')).page([object('a', 3)], '5');
    await cache.synced();
  });

  test('is what a cache asks for unless it is told otherwise', async () => {
    const { api, cache } = scene({ streamLists: undefined });
    cache.start();
    expect((await api.next('watch')).options.sendInitialEvents).toBe(true);
  });

  test('H6 and is refused does not make an older list believed', async () => {
    const { api, cache, pass, informer, told } = streaming();
    cache.start();
    const watch = (await api.next('watch')).open();
    watch.send(added(object('a', 3)), bookmark(900, true));
    await settle();
    watch.fail(errors.expired());
    await settle();
    await pass();
    (await api.next('watch')).fail(errors.invalid());
    (await api.next('list')).page([], '7');
    await settle();
    expect(cache.problems()).toMatchObject([{ message: expect.stringContaining('but 900 was seen before') }]);
    expect(informer.list()).toHaveLength(1);
    expect(told).toEqual(['added a@3']);
  });

  test('counts anew after one that was whole', async () => {
    const { api, cache, pass } = streaming();
    cache.start();
    for (let round = 0; round < 2; round += 1) {
      for (let times = 0; times < 2; times += 1) {
        (await api.next('watch')).fail(broken());
        await pass();
      }
      const watch = (await api.next('watch')).open();
      watch.send(added(object('a', 3)), bookmark(8, true));
      await settle();
      watch.fail(errors.expired());
      await settle();
      await pass();
    }
    expect((await api.next('watch')).options.sendInitialEvents).toBe(true);
  });

  test('leaves nothing of its objects when it is read in pages', async () => {
    const { api, cache, clock, informer, told } = streaming();
    cache.start();
    const watch = (await api.next('watch')).open();
    watch.send(added(object('half', 3)), modified(object('half', 4)));
    await settle();
    clock.advance(10_000);
    (await api.next('list')).page([object('a', 3)], '5');
    const following = await api.next('watch');
    // A stream was given up: the watch behind the pages is an ordinary one.
    expect(following.options).toMatchObject({ resourceVersion: '5' });
    expect(following.options.sendInitialEvents).toBeUndefined();
    expect(informer.get(key('half'))).toBeUndefined();
    expect(told).toEqual(['added a@3']);
    expect(cache.problems()).toEqual([]);
  });
});

describe('errors of the cache', () => {
  test('say whose they are, and what to do', async () => {
    const { cache, informer } = scene();
    const thrown = (act: () => unknown): unknown => {
      try {
        return act();
      } catch (error) {
        return error;
      }
    };
    const early = thrown(() => informer.list());
    expect(early).toBeInstanceOf(CacheNotSyncedError);
    expect(early).toMatchObject({
      actor: 'author',
      code: 'KEELSON_CACHE_NOT_SYNCED',
      message: 'ConfigMap: read before the cache holds a complete list; await cache.synced() first',
    });
    const senseless = thrown(() => cache.informer({ kind: ConfigMap, select: { namespaces: [] } }));
    expect(senseless).toBeInstanceOf(CacheRequestError);
    expect(senseless).toMatchObject({
      actor: 'author',
      code: 'KEELSON_CACHE_REQUEST',
      message: 'ConfigMap: no namespace to watch: none are selected',
    });
    const waiting = cache.synced().catch((error: unknown) => error);
    await cache.stop();
    expect(await waiting).toBeInstanceOf(CacheStoppedError);
    expect(await waiting).toMatchObject({
      actor: 'nobody',
      code: 'KEELSON_CACHE_STOPPED',
      message: 'the cache was stopped before it held all that was asked for',
    });
  });

  test('name the namespaces that were selected, and those that the operator serves', () => {
    const { cache } = scene({ namespaces: ['one', 'two'] });
    expect(() => cache.informer({ kind: ConfigMap, select: { namespaces: ['three', 'four'] } })).toThrow(
      'ConfigMap: no namespace to watch: three, four are selected, and the operator serves one, two',
    );
  });
});
