import type { JsonObject, ListOptions, Resource, WatchOptions } from '../../../src/api-server/contract/index.js';
import { internalError } from '../../../src/api-server/status/index.js';
import { type Bench, bodyOf, drained, type FakeOptions, metaOf, newBench, refusalOf, toldEvent, toldRefusal, widget } from './fakes.js';

async function filled(options: FakeOptions = {}): Promise<Bench> {
  const bench = newBench(options);
  const objects = [
    ['default', 'a', 'x'],
    ['default', 'b', 'y'],
    ['other', 'c', 'x'],
  ] as const;
  for (const [namespace, name, mode] of objects) {
    await bench.registry.create(
      bench.at(`${namespace}/`),
      bodyOf(widget(name, { spec: { mode }, metadata: { labels: { mode } } })),
      bench.context(),
    );
  }
  return bench;
}

const namesOf = (items: readonly JsonObject[]) => items.map((object) => metaOf(object)['name']).join(' ');

describe('a list', () => {
  test.each<[string, string, ListOptions, string]>([
    ['of all', '/', {}, 'a b c'],
    ['of a namespace', 'default/', {}, 'a b'],
    ['by labels', '/', { labelSelector: 'mode in (x)' }, 'a c'],
    ['by labels that are not', '/', { labelSelector: 'mode!=x' }, 'b'],
    ['by name', '/', { fieldSelector: 'metadata.name=b' }, 'b'],
    ['by another name', 'default/', { fieldSelector: 'metadata.name!=b' }, 'a'],
    ['by namespace', '/', { fieldSelector: 'metadata.namespace=other' }, 'c'],
    ['by another namespace than that of the request', 'default/', { fieldSelector: 'metadata.namespace=other' }, ''],
    ['by a field of the kind', '/', { fieldSelector: 'spec.mode=x,metadata.namespace!=other' }, 'a'],
    ['of one path', 'default/a', {}, 'a'],
    ['from an older version', '/', { resourceVersion: '3', resourceVersionMatch: 'Exact' }, 'a b'],
    ['not older than a version', '/', { resourceVersion: '3', resourceVersionMatch: 'NotOlderThan' }, 'a b c'],
    ['of any version', '/', { resourceVersion: '0', limit: 1 }, 'a b c'],
  ])('%s', async (_name, path, options, names) => {
    const bench = await filled();
    expect(namesOf((await bench.registry.list(bench.at(path), options)).items)).toBe(names);
  });

  test('of a cluster-scoped kind by name', async () => {
    const bench = newBench({ scope: 'Cluster' });
    for (const name of ['a', 'b']) await bench.registry.create(bench.at(''), bodyOf(widget(name)), bench.context());
    expect(namesOf((await bench.registry.list(bench.at(''), { fieldSelector: 'metadata.name=b' })).items)).toBe('b');
  });

  test('goes on where it was, as of then', async () => {
    const bench = await filled();
    const first = await bench.registry.list(bench.at('/'), { limit: 2 });
    expect([namesOf(first.items), first.resourceVersion, first.remainingItemCount]).toEqual(['a b', '4', 1]);
    await bench.registry.delete(bench.at('other/c'), {}, bench.context());
    const second = await bench.registry.list(bench.at('/'), { limit: 2, continue: first.continue ?? '' });
    expect([namesOf(second.items), second.resourceVersion, second.continue]).toEqual(['c', '4', undefined]);
  });

  test.each<[string, ListOptions, string]>([
    ['a label selector', { labelSelector: 'a in' }, "400 BadRequest: unable to parse requirement: found '' expected: '('"],
    ['a field selector', { fieldSelector: 'a' }, "400 BadRequest: invalid selector: 'a'; can't understand 'a'"],
    ['a field', { fieldSelector: 'spec.foo=1' }, '400 BadRequest: field label not supported: spec.foo'],
    [
      'a version',
      { resourceVersion: 'x' },
      '400 BadRequest: invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      'a version without end',
      { resourceVersion: '9'.repeat(30) },
      `400 BadRequest: invalid resource version: resourceVersion: Invalid value: "${'9'.repeat(30)}": strconv.ParseUint: parsing "${'9'.repeat(30)}": value out of range`,
    ],
    ['a version to come', { resourceVersion: '99' }, '504 Timeout: Timeout: Too large resource version: 99, current: 4'],
    [
      'a version far away',
      { resourceVersion: '18446744073709551615' },
      '504 Timeout: Timeout: Too large resource version: 18446744073709551615, current: 4',
    ],
    [
      'a token',
      { continue: '!' },
      '400 BadRequest: invalid continue token: continue key is not valid: illegal base64 data at input byte 0',
    ],
  ])('cannot be asked for by %s that is none', async (_name, options, text) => {
    const bench = await filled();
    expect(await toldRefusal(bench.registry.list(bench.at('/'), options))).toBe(text);
  });

  test('of what is compacted tells how to go on', async () => {
    const bench = await filled();
    const { continue: token = '' } = await bench.registry.list(bench.at('/'), { limit: 2 });
    await bench.registry.create(bench.at('default/'), bodyOf(widget('z')), bench.context());
    bench.store.compact();
    const { code, reason, continue: next = '' } = await refusalOf(bench.registry.list(bench.at('/'), { limit: 2, continue: token }));
    expect([code, reason]).toEqual([410, 'Expired']);
    expect(namesOf((await bench.registry.list(bench.at('/'), { continue: next })).items)).toBe('z c');
    expect(await toldRefusal(bench.registry.list(bench.at('/'), { resourceVersion: '2', resourceVersionMatch: 'Exact' }))).toBe(
      '410 Expired: The resourceVersion for the provided list is too old.',
    );
  });

  test('says when to come back for a version to come', async () => {
    const bench = await filled();
    const { details } = await refusalOf(bench.registry.list(bench.at('/'), { resourceVersion: '99' }));
    expect(details).toEqual({
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    });
  });
});

describe('a get', () => {
  test.each<[string, string, Pick<ListOptions, 'resourceVersion'>, string]>([
    ['no name', 'default/', {}, '400 BadRequest: Name parameter required.'],
    ['a name that is not a path', 'default/%', {}, '400 BadRequest: Name parameter invalid: "%": may not contain \'%\''],
    ['no namespace', '/a', {}, '400 BadRequest: Namespace parameter required.'],
    [
      'a version that is none',
      'default/a',
      { resourceVersion: 'x' },
      '500 -: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    ['a version to come', 'default/a', { resourceVersion: '99' }, '504 Timeout: Timeout: Too large resource version: 99, current: 4'],
  ])('with %s is refused', async (_name, path, options, text) => {
    const bench = await filled();
    expect(await toldRefusal(bench.registry.get(bench.at(path), options))).toBe(text);
  });
});

describe('a watch', () => {
  const watching = async (bench: Bench, options: WatchOptions, path = '/') => bench.registry.watch(bench.at(path), options);

  test.each<[string, WatchOptions, readonly string[]]>([
    ['that names no version begins with all', {}, ['ADDED a@2', 'ADDED b@3', 'ADDED c@4']],
    ['from any version too', { resourceVersion: '0' }, ['ADDED a@2', 'ADDED b@3', 'ADDED c@4']],
    [
      'and tells when it has told all, if it may',
      { allowWatchBookmarks: true },
      ['ADDED a@2', 'ADDED b@3', 'ADDED c@4', 'BOOKMARK @4 end'],
    ],
    [
      'that wants the initial events',
      { sendInitialEvents: true, allowWatchBookmarks: true, resourceVersion: '3', resourceVersionMatch: 'NotOlderThan' },
      ['ADDED a@2', 'ADDED b@3', 'ADDED c@4', 'BOOKMARK @4 end'],
    ],
    ['that does not want them begins now', { sendInitialEvents: false, resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' }, []],
    ['from a version tells what was then', { resourceVersion: '2' }, ['ADDED b@3', 'ADDED c@4']],
    ['from a version to come waits', { resourceVersion: '99' }, []],
    [
      'for initial events of a version to come',
      { sendInitialEvents: true, resourceVersion: '99' },
      ['ERROR 504 Timeout: Too large resource version: 99, current: 4'],
    ],
    ['by field', { fieldSelector: 'metadata.name=b' }, ['ADDED b@3']],
  ])('%s', async (_name, options, events) => {
    const bench = await filled();
    expect((await drained(await watching(bench, options))).map(toldEvent)).toEqual(events);
  });

  test('from what is compacted ends with an error, after it has begun', async () => {
    const bench = await filled();
    bench.store.compact();
    const watch = await watching(bench, { resourceVersion: '2' });
    const [event] = await drained(watch);
    expect(event).toEqual({
      type: 'ERROR',
      status: { status: 'Failure', code: 410, reason: 'Expired', message: 'too old resource version: 2 (4)' },
    });
    expect(watch.isEnded).toBe(true);
  });

  test('that cannot be read is refused', async () => {
    const bench = await filled();
    expect(await toldRefusal(watching(bench, { resourceVersion: 'x' }))).toMatch(/^500 -: resourceVersion: Invalid value/);
    expect(await toldRefusal(watching(bench, { labelSelector: '!' }))).toMatch(/^400/);
    expect(await toldRefusal(watching(bench, { fieldSelector: 'metadata.name=b' }, 'default/a'))).toBe(
      "400 BadRequest: fieldSelector metadata.name doesn't match requested name",
    );
  });

  test('of a selection sees objects come and go', async () => {
    const bench = await filled();
    const watch = await watching(bench, { labelSelector: 'mode=x', resourceVersion: '4' });
    const relabel = async (mode: string) =>
      bench.registry.patch(
        bench.at('default/b'),
        { format: 'merge', force: false, value: { metadata: { labels: { mode } } }, strictProblems: [] },
        bench.context(),
      );
    await relabel('x');
    await relabel('z');
    expect((await drained(watch)).map(toldEvent)).toEqual(['ADDED b@5', 'DELETED b@6']);
  });

  test('hands out the objects that are stored, to all the same events', async () => {
    const bench = await filled();
    const [left, right] = [await watching(bench, { resourceVersion: '4' }), await watching(bench, { resourceVersion: '4' })];
    const created = await bench.registry.create(bench.at('default/'), bodyOf(widget('z')), bench.context());
    const event = left.next();
    expect(event).toBe(right.next());
    expect((event as { object: JsonObject }).object).toBe(created);
  });

  test('wakes, finishes with a bookmark, and closes', async () => {
    const bench = await filled();
    const watch = await watching(bench, { resourceVersion: '4', allowWatchBookmarks: true });
    let woken = 0;
    watch.onEvent(() => {
      woken += 1;
    });
    await bench.registry.create(bench.at('default/'), bodyOf(widget('z')), bench.context());
    expect(woken).toBe(1);
    watch.finish();
    expect((await drained(watch)).map(toldEvent)).toEqual(['ADDED z@5', 'BOOKMARK @5']);
    expect(watch.isEnded).toBe(true);
    const other = await watching(bench, {});
    other.close();
    expect([other.next(), other.isEnded, bench.store.sizes.watches]).toEqual([undefined, true, 0]);
  });

  test('tells in a bookmark nothing but the kind and the version', async () => {
    const bench = await filled();
    const watch = await watching(bench, { resourceVersion: '4', allowWatchBookmarks: true });
    bench.clock.advance(60_000);
    expect(watch.next()).toEqual({
      type: 'BOOKMARK',
      object: { kind: 'Widget', apiVersion: 'example.com/v1', metadata: { resourceVersion: '4' }, spec: {}, status: {} },
    });
  });
});

describe('several versions', () => {
  /** `v2` calls the mode a style. */
  const convert: Resource['convert'] = (objects, version) =>
    objects.every((object) => object['apiVersion'] === `example.com/${version}`)
      ? objects
      : objects.map((object) => ({ ...object, apiVersion: `example.com/${version}` }));
  const options: FakeOptions = { isCustom: true, versions: ['v1', 'v2'], convert };

  test('are written and read in one, and each reader gets one object', async () => {
    const bench = await filled(options);
    const at = bench.at('default/a', { version: 'v2' });
    const read = await bench.registry.get(at, {});
    expect(read['apiVersion']).toBe('example.com/v2');
    expect(await bench.registry.get(at, {})).toBe(read);
    expect((await bench.registry.list(bench.at('default/', { version: 'v2' }), {})).items[0]).toBe(read);
    expect(Object.isFrozen(read['metadata'])).toBe(true);
    const stored = bench.store.get({ resource: 'example.com/widgets', namespace: 'default', name: 'a' });
    expect(stored?.['apiVersion']).toBe('example.com/v1');
    const { object } = await bench.registry.update(at, bodyOf({ ...read, spec: { size: 7 } }), bench.context());
    expect(object).toMatchObject({ apiVersion: 'example.com/v2', spec: { size: 7 } });
    expect(metaOf(object)['managedFields']).toMatchObject([{ apiVersion: 'example.com/v1' }, { apiVersion: 'example.com/v2' }]);
  });

  test('that a webhook converts are waited for', async () => {
    const slow: Resource['convert'] = async (objects, version) => convert(objects, version);
    const bench = await filled({ ...options, convert: slow, convertsByWebhook: true });
    const watch = await bench.registry.watch(bench.at('default/', { version: 'v2' }), {});
    const event = watch.next();
    expect(event).toBeInstanceOf(Promise);
    expect(await event).toMatchObject({ type: 'ADDED', object: { apiVersion: 'example.com/v2' } });
    expect(namesOf((await bench.registry.list(bench.at('/', { version: 'v2' }), {})).items)).toBe('a b c');
    // The store cannot wait for an answer.
    expect(await toldRefusal(bench.registry.list(bench.at('/', { version: 'v2' }), { fieldSelector: 'spec.mode=x' }))).toMatch(
      /^501 NotImplemented/,
    );
  });

  test('that cannot be converted end a watch', async () => {
    let isBroken = false;
    const broken: Resource['convert'] = async (objects, version) => {
      if (isBroken) throw internalError('conversion failed');
      return convert(objects, version);
    };
    const bench = await filled({ ...options, convert: broken });
    isBroken = true;
    const watch = await bench.registry.watch(bench.at('/', { version: 'v2' }), {});
    expect(await watch.next()).toMatchObject({
      type: 'ERROR',
      status: { code: 500, message: 'Internal error occurred: conversion failed' },
    });
    expect([watch.next(), watch.isEnded, bench.store.sizes.watches]).toEqual([undefined, true, 0]);
    expect(await toldRefusal(bench.registry.get(bench.at('default/a', { version: 'v2' }), {}))).toMatch(/^500/);
  });

  test('are selected by the fields that they have', async () => {
    const renamed: Resource['convert'] = (objects, version) =>
      version === 'v1'
        ? objects
        : objects.map((object) => ({
            ...object,
            apiVersion: 'example.com/v2',
            spec: { mode: `${String((object['spec'] as JsonObject)['mode'])}2` },
          }));
    const bench = await filled({ ...options, convert: renamed });
    expect(namesOf((await bench.registry.list(bench.at('/', { version: 'v2' }), { fieldSelector: 'spec.mode=x2' })).items)).toBe('a c');
  });
});
