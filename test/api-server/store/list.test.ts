import { decodeContinue, encodeContinue, type ListQuery, type StoredObject } from '../../../src/api-server/store/index.js';
import { granted, keyOf, newStore, pod, problemOf } from './fixtures.js';

const nameOf = (object: StoredObject) => (object['metadata'] as { name: string }).name;
const pods = { resource: 'pods' };

function filled(...paths: string[]) {
  const store = newStore();
  for (const path of paths) granted(store.create(keyOf(path), pod(path)));
  return store;
}

const listed = (store: ReturnType<typeof newStore>, query: ListQuery) => granted(store.list(query)).items.map(nameOf);

test('objects come in the byte order of namespace/name', () => {
  // `-` and `.` are before `/`, so namespaces that begin alike mix; bytes put U+FF5A before U+1F600, UTF-16 does not.
  const store = filled('a/z', 'a-b/a', 'a/😀', 'a/ｚ', 'b/a', 'a.c/m', 'a/Z', 'a/a');
  const paths = granted(store.list(pods)).items.map((object) => {
    const { namespace, name } = object['metadata'] as { namespace: string; name: string };
    return `${namespace}/${name}`;
  });
  expect(paths).toEqual(['a-b/a', 'a.c/m', 'a/Z', 'a/a', 'a/z', 'a/ｚ', 'a/😀', 'b/a']);
});

test('a namespace is listed without those whose names begin alike, a name with what else is asked', () => {
  const store = filled('a/x', 'ab/x', 'a-b/x', 'a/y');
  expect(listed(store, { ...pods, namespace: 'a' })).toEqual(['x', 'y']);
  expect(listed(store, { ...pods, namespace: 'a', name: 'y' })).toEqual(['y']);
  expect(listed(store, { ...pods, namespace: 'a', name: 'none' })).toEqual([]);
  expect(listed(store, { ...pods, name: 'x' })).toHaveLength(3);
});

test('thousands of objects written in any order are listed in order, and each deletion leaves the rest', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `n${String((index * 1009) % 3000).padStart(4, '0')}`);
  const store = filled(...names.map((name) => `default/${name}`));
  for (const name of names.filter((_, index) => index % 3 === 0)) store.delete(keyOf(`default/${name}`));
  store.compact();
  expect(listed(store, pods)).toEqual(names.filter((_, index) => index % 3 !== 0).sort());
});

test('pages are served as of the first one', () => {
  const store = filled('x/a', 'x/b', 'x/c', 'x/d', 'x/e');
  const first = granted(store.list({ ...pods, limit: 2 }));
  expect([first.items.map(nameOf), first.revision, first.remainingItemCount]).toEqual([['a', 'b'], 6, 3]);
  store.create(keyOf('x/aa'), pod('x/aa'));
  store.create(keyOf('x/cc'), pod('x/cc'));
  store.delete(keyOf('x/d'));
  store.update(keyOf('x/c'), pod('x/c', { spec: 'new' }));
  const second = granted(store.list({ ...pods, limit: 2, continue: first.continue }));
  expect([second.items.map(nameOf), second.revision, second.remainingItemCount]).toEqual([['c', 'd'], 6, 1]);
  expect(second.items[0]).not.toHaveProperty('spec');
  const third = granted(store.list({ ...pods, limit: 2, continue: second.continue }));
  expect(third).toEqual({ items: [expect.anything()], revision: 6 });
  expect(third.items.map(nameOf)).toEqual(['e']);
});

test('a page whose limit is met exactly by the last object has no successor', () => {
  expect(granted(filled('x/a', 'x/b').list({ ...pods, limit: 2 }))).not.toHaveProperty('continue');
});

test('with a selector a page is filled with what matches, and nothing is said of what remains', () => {
  const store = filled('x/a1', 'x/b1', 'x/a2', 'x/a3', 'x/b2');
  const page = granted(store.list({ ...pods, limit: 2, matches: (object) => nameOf(object).startsWith('a') }));
  expect(page.items.map(nameOf)).toEqual(['a1', 'a2']);
  expect(page.continue).toBeDefined();
  expect(page).not.toHaveProperty('remainingItemCount');
});

test('a token holds version, revision and the path behind the last one, below what was listed', () => {
  const store = filled('x/a', 'x/b');
  const tokenOf = (query: ListQuery) => Buffer.from(granted(store.list(query)).continue ?? '', 'base64url').toString();
  expect(tokenOf({ ...pods, limit: 1 })).toBe('{"v":"meta.k8s.io/v1","rv":3,"start":"x/a\\u0000"}');
  expect(tokenOf({ ...pods, namespace: 'x', limit: 1 })).toBe('{"v":"meta.k8s.io/v1","rv":3,"start":"a\\u0000"}');
});

describe('resource versions', () => {
  function history() {
    const store = filled('x/a', 'x/b'); // 2, 3
    store.delete(keyOf('x/a')); // 4
    store.create(keyOf('x/c'), pod('x/c')); // 5
    return store;
  }

  test.each<[string, Partial<ListQuery>, number, string[]]>([
    ['none: as of now', {}, 5, ['b', 'c']],
    ['0: as of now', { resourceVersion: 0 }, 5, ['b', 'c']],
    ['0 knows no limit', { resourceVersion: 0, limit: 1 }, 5, ['b', 'c']],
    ['a number: not older', { resourceVersion: 3 }, 5, ['b', 'c']],
    ['a number with a limit: exactly', { resourceVersion: 3, limit: 9 }, 3, ['a', 'b']],
    ['NotOlderThan with a limit: not older', { resourceVersion: 3, limit: 9, resourceVersionMatch: 'NotOlderThan' }, 5, ['b', 'c']],
    ['Exact', { resourceVersion: 4, resourceVersionMatch: 'Exact' }, 4, ['b']],
    ['Exact, before the first write', { resourceVersion: 1, resourceVersionMatch: 'Exact' }, 1, []],
  ])('%s', (_, query, revision, names) => {
    const page = granted(history().list({ ...pods, ...query }));
    expect([page.revision, page.items.map(nameOf)]).toEqual([revision, names]);
  });

  test.each<[string, Partial<ListQuery>]>([
    ['not older', { resourceVersion: 6 }],
    ['exact', { resourceVersion: 6, resourceVersionMatch: 'Exact' }],
    ['in a token', { continue: encodeContinue({ revision: 6, start: 'x/a\0' }) }],
  ])('one that is still to come is refused: %s', (_, query) => {
    expect(problemOf(history().list({ ...pods, ...query }))).toEqual({
      kind: 'ResourceVersionTooLarge',
      message: 'Too large resource version: 6, current: 5',
      requested: 6,
      current: 5,
    });
  });

  test('one that has been compacted has expired; the compacted one itself can still be read', () => {
    const store = history();
    store.compact(4);
    expect(problemOf(store.list({ ...pods, resourceVersion: 3, resourceVersionMatch: 'Exact' }))).toEqual({
      kind: 'Expired',
      message: 'The resourceVersion for the provided list is too old.',
    });
    expect(listed(store, { ...pods, resourceVersion: 4, resourceVersionMatch: 'Exact' })).toEqual(['b']);
    expect(listed(store, { ...pods, resourceVersion: 3 })).toEqual(['b', 'c']);
  });

  test('a token that has expired brings one that goes on as of now', () => {
    const store = filled('x/a', 'x/b', 'x/d');
    const { continue: token } = granted(store.list({ ...pods, limit: 1 }));
    store.create(keyOf('x/c'), pod('x/c'));
    store.compact();
    const problem = problemOf(store.list({ ...pods, limit: 1, continue: token }));
    expect(problem).toMatchObject({ kind: 'Expired', message: expect.stringContaining('or use the continue token in this response') });
    const fresh = problem.kind === 'Expired' ? problem.continue : undefined;
    const page = granted(store.list({ ...pods, limit: 2, continue: fresh }));
    expect([page.items.map(nameOf), page.revision]).toEqual([['b', 'c'], 5]);
    expect(listed(store, { ...pods, continue: page.continue })).toEqual(['d']);
  });

  test('beside a token there is none, but for 0', () => {
    const store = filled('x/a', 'x/b');
    const token = granted(store.list({ ...pods, limit: 1 })).continue;
    expect(problemOf(store.list({ ...pods, continue: token, resourceVersion: 3 })).message).toBe(
      'specifying resource version is not allowed when using continue',
    );
    expect(listed(store, { ...pods, continue: token, resourceVersion: 0 })).toEqual(['b']);
  });
});

describe('a token that the server has not made is refused in its words', () => {
  const text = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  const v = 'meta.k8s.io/v1';
  const unreadable = 'invalid continue token: continue key is not valid';
  test.each([
    ['a$b', `${unreadable}: illegal base64 data at input byte 1`],
    ['abcde', `${unreadable}: illegal base64 data at input byte 4`],
    ['YQ==', `${unreadable}: illegal base64 data at input byte 2`],
    [text('x'), `${unreadable}: invalid character 'x' looking for beginning of value`],
    [text('{"v":'), `${unreadable}: unexpected end of JSON input`],
    [text([]), `${unreadable}: json: cannot unmarshal array into Go value of type storage.continueToken`],
    [text({ v, rv: 'x' }), `${unreadable}: json: cannot unmarshal string into Go struct field continueToken.rv of type int64`],
    [text({ v, rv: 1.5 }), `${unreadable}: json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64`],
    [text({ v, rv: 1e30 }), `${unreadable}: json: cannot unmarshal number 1e+30 into Go struct field continueToken.rv of type int64`],
    [text({ v, rv: 2, start: 1 }), `${unreadable}: json: cannot unmarshal number into Go struct field continueToken.start of type string`],
    [text({ v: 'v2' }), `${unreadable}: server does not recognize this encoded version v2`],
    [text('null'), `${unreadable}: server does not recognize this encoded version `],
    [text({ v, start: 'a' }), `${unreadable}: incorrect encoded start resourceVersion (version meta.k8s.io/v1)`],
    [text({ v, rv: 2, start: null }), `${unreadable}: encoded start key empty (version meta.k8s.io/v1)`],
    [text({ v, rv: 2, start: '../secrets/a' }), `${unreadable}: ../secrets/a`],
    [text({ v, rv: 2, start: 'a//b' }), `${unreadable}: a//b`],
    [text({ v, rv: 2, start: 'a/' }), `${unreadable}: a/`],
  ])('%s', (token, message) => {
    expect(problemOf(decodeContinue(token))).toEqual({ kind: 'BadRequest', message });
  });

  test('one that begins with a slash is as good', () => {
    expect(granted(decodeContinue(text({ v, rv: 2, start: '/a/b\0' })))).toEqual({ revision: 2, start: 'a/b\0' });
  });
});
