import { defineController, defineCustomResource, k, referenced, through, toAll, toReferrers, validating, watch } from 'keelson';
import { Namespace, Secret, StorageClass } from 'keelson/kinds';
import { z } from 'zod';
import { referencedKeys } from '../../../../src/keelson/definition/index.js';
import { messageOf } from '../refusals.js';

const spec = z.object({ size: k.int32().default(1), secretName: z.string().optional(), others: z.array(z.string()).default([]) });
const Cache = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Cache',
  versions: { v1: { spec, storage: true }, v1beta1: { spec } },
});
const byName = toReferrers(Cache, (cache) => [{ name: cache.spec.secretName }, ...cache.spec.others.map((name) => ({ name }))]);
const cacheIn = (namespace: string | undefined, change: object) => ({
  ...Cache({ metadata: { name: 'a', ...(namespace === undefined ? {} : { namespace }) }, spec: { others: [], ...change } }),
});
const define = (enqueue: unknown, kind: typeof Cache = Cache) =>
  defineController({
    name: 'cache',
    for: kind,
    watches: { secrets: watch(Secret, { enqueue: enqueue as typeof byName }) },
    reconcile: ({ done }) => done(),
  });

describe('the keys that an object refers to', () => {
  test('stand in its own namespace, unless the reference names another', () => {
    expect(referencedKeys(cacheIn('team-a', { secretName: 's' }), byName, Secret)).toEqual([{ name: 's', namespace: 'team-a' }]);
    const elsewhere = toReferrers(Cache, () => [{ name: 's', namespace: 'team-b' }]);
    expect(referencedKeys(cacheIn('team-a', {}), elsewhere, Secret)).toEqual([{ name: 's', namespace: 'team-b' }]);
  });

  test('have no namespace where the kind has none', () => {
    expect(referencedKeys(cacheIn('team-a', { secretName: 's' }), byName, StorageClass)).toEqual([{ name: 's' }]);
  });

  test('are none for an absent or empty name, and for a cluster-scoped object that names no namespace', () => {
    expect(referencedKeys(cacheIn('team-a', {}), byName, Secret)).toEqual([]);
    expect(referencedKeys(cacheIn('team-a', { secretName: '' }), byName, Secret)).toEqual([]);
    expect(referencedKeys(cacheIn(undefined, { secretName: 's' }), byName, Secret)).toEqual([]);
  });

  test('are told once each', () => {
    const twice = cacheIn('team-a', { secretName: 's', others: ['s', 't'] });
    expect(referencedKeys(twice, byName, Secret).map(({ name }) => name)).toEqual(['s', 't']);
  });

  test('are two for one name in two namespaces', () => {
    const both = toReferrers(Cache, () => ['team-a', 'team-b'].map((namespace) => ({ name: 's', namespace })));
    expect(referencedKeys(cacheIn('team-a', {}), both, Secret)).toEqual([
      { name: 's', namespace: 'team-a' },
      { name: 's', namespace: 'team-b' },
    ]);
  });
});

test('the references reach the model as they are', () => {
  expect(define(byName).watches['secrets']?.enqueue).toBe(byName);
});

describe('references that cannot be followed are refused', () => {
  const other = defineCustomResource({ group: 'cache.example.com', kind: 'Other', versions: { v1: { spec } } });
  test.each<[string, () => unknown, string]>([
    [
      'objects of another kind: the controller does not hold them',
      () => define(toReferrers(other, () => [])),
      'controller cache: 1 problem\n  watches.secrets.enqueue: finds the referrers among Other v1, but the controller is for Cache v1; write toReferrers(Cache, ...)',
    ],
    [
      'objects in another version than the controller’s',
      () => define(toReferrers(Cache.versions.v1beta1, () => [])),
      'controller cache: 1 problem\n  watches.secrets.enqueue: finds the referrers among Cache v1beta1, but the controller is for Cache v1; write toReferrers(Cache, ...)',
    ],
    [
      'neither kind nor function',
      () => toReferrers('Cache' as unknown as typeof Namespace, undefined as never),
      'toReferrers: 2 problems\n  referrer: is not a kind; give the kind that the controller is for\n  references: is not a function; write one from the object to what it refers to: [{ name }]',
    ],
    [
      'a literal that looks like references',
      () => define({ referrer: Cache }),
      'controller cache: 1 problem\n  watches.secrets.enqueue: is not a function; write toOwner(Kind), toReferrers(Kind, ...), toSelectors(Kind, ...), through(Kind, ...), toAll(Kind), or a function from the object to keys { name, namespace }',
    ],
  ])('%s', (_, make, message) => {
    expect(messageOf(make)).toBe(message);
  });
});

test('a change goes on through another kind by a function that names what an object of it refers to', () => {
  const references = (): readonly { readonly name: string }[] => [{ name: 's' }];
  expect(through(Cache, references)).toEqual({ through: Cache, references });
  const refused = (kind: unknown, by: unknown) => messageOf(() => through(kind as typeof Cache, by as typeof references));
  expect(refused('Cache', references)).toBe('through: 1 problem\n  kind: is not a kind; give a kind that the controller watches');
  expect(refused(Cache, 'name')).toBe(
    'through: 1 problem\n  references: is not a function; write one from the object to what it refers to: [{ name }]',
  );
  expect(refused(undefined, undefined)).toMatch(/^through: 2 problems\n/);
});

test('one of the other watches must lead on', () => {
  const secrets = watch(Secret, { enqueue: through(StorageClass, () => []) });
  const watching = (others: object) =>
    messageOf(() =>
      defineController({
        name: 'cache',
        for: Cache,
        watches: { secrets, ...others },
        reconcile: ({ done }: { done: () => unknown }) => done(),
      } as never),
    );
  const [leads, other] = [watch(StorageClass, { enqueue: toAll(Cache) }), watch(Namespace, { enqueue: toAll(Cache) })];
  expect(watching({ other, leads })).toBe('accepted');
  for (const others of [{}, { other }, { deaf: watch(StorageClass) }])
    expect(watching(others)).toContain('goes through StorageClass v1, which no watch of the controller reconciles by');
});

describe('only', () => {
  const only = referenced(Cache, ({ spec: { secretName } }) => [secretName, { name: 't', namespace: 'n' }, null, '']);
  const watching = (options: object) =>
    defineController({ name: 'cache', for: Cache, watches: { secrets: watch(Secret, options) }, reconcile: ({ done }) => done() });

  test('names, keys, and nothing are references; a change of what is named concerns those that name it', () => {
    expect(referencedKeys(cacheIn('a', { secretName: 's' }), only, Secret)).toEqual([
      { name: 's', namespace: 'a' },
      { name: 't', namespace: 'n' },
    ]);
    const model = watching({ only }).watches['secrets'];
    expect([model?.only, model?.enqueue]).toEqual([only, only]);
  });

  const other = defineCustomResource({ group: 'cache.example.com', kind: 'Other', versions: { v1: { spec } } });
  test.each<[string, () => unknown, string]>([
    [
      'names of objects of another kind',
      () => watching({ only: referenced(other, () => []) }),
      'watches.secrets.only: finds the referrers among Other v1, but the controller is for Cache v1; write referenced(Cache, ...)',
    ],
    [
      'what is not made by referenced',
      () => watching({ only: ['a'] }),
      'watches.secrets.only: is not what referenced() returns; write only: referenced(Kind, (object) => [name])',
    ],
    [
      'enqueue beside it',
      () => watching({ only, enqueue: byName }),
      'watches.secrets.enqueue: is set beside only, which says by itself what is watched and whom a change concerns; leave it out',
    ],
    [
      'select beside it',
      () => watching({ only, select: { labels: { a: 'b' } } }),
      'watches.secrets.select: is set beside only, which says by itself what is watched and whom a change concerns; leave it out',
    ],
  ])('%s is refused', (_, make, message) => {
    expect(messageOf(make)).toBe(`controller cache: 1 problem\n  ${message}`);
  });

  test('a webhook has no objects that could name others', () => {
    expect(messageOf(() => validating(Cache, () => undefined, { watches: { secrets: watch(Secret, { only }) as never } }))).toContain(
      'watches.secrets.only: is set, but a webhook has no objects that could refer to others; leave it out',
    );
  });
});
