import fc from 'fast-check';
import { selectsLabels } from 'keelson';
import type { Selector } from './schema.js';
import { mayOverlap, setsFor, sharedNames, UnknownNamespace } from './selection.js';
import { sidecar, sidecarSet } from './sidecar-set-objects.js';

const set = sidecarSet('mesh');
const place = { labels: { app: 'web' }, namespace: 'shop', inNamespace: undefined };
const chosen = (at: Parameters<typeof setsFor>[0], ...sets: (typeof set)[]) => setsFor(at, sets).map(({ metadata }) => metadata.name);

test('labels choose, in all namespaces but those of the system', () => {
  expect(chosen(place, set)).toEqual(['mesh']);
  expect(chosen({ ...place, labels: { app: 'db' } }, set)).toEqual([]);
  expect(chosen({ ...place, labels: undefined }, set)).toEqual([]);
  expect(chosen({ ...place, namespace: 'kube-system' }, set)).toEqual([]);
});

test('a SidecarSet whose injection is paused, or that is being deleted, adds nothing; a paused update does not matter', () => {
  expect(chosen(place, sidecarSet('a', { injectionPaused: true }))).toEqual([]);
  expect(chosen(place, { ...set, metadata: { ...set.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } })).toEqual([]);
  expect(chosen(place, sidecarSet('a', { updateStrategy: { paused: true } }))).toEqual(['a']);
});

test('labels of the namespace choose too; nobody guesses what they are', () => {
  const inProd = sidecarSet('prod', { namespaceSelector: { matchLabels: { stage: 'prod' } } });
  const namespace = (stage: string) => ({ metadata: { name: 'shop', labels: { stage } } });
  expect(chosen({ ...place, inNamespace: namespace('prod') }, inProd)).toEqual(['prod']);
  expect(chosen({ ...place, inNamespace: namespace('test') }, inProd)).toEqual([]);
  expect(() => chosen(place, inProd)).toThrow(UnknownNamespace);
});

test('SidecarSets that may meet in one Pod share no container name', () => {
  const other = sidecarSet('other', { selector: { matchLabels: { tier: 'front' } } }).spec;
  expect(sharedNames(set.spec, other)).toEqual(['proxy']);
  expect(sharedNames(set.spec, { ...other, selector: { matchLabels: { app: 'db' } } })).toEqual([]);
  expect(sharedNames(set.spec, { ...other, containers: [sidecar('a:1', { name: 'a' })] })).toEqual([]);
});

test('selectors that some labels fit are never told apart', () => {
  const key = fc.constantFrom('a', 'b');
  const value = fc.constantFrom('x', 'y', 'z');
  const expression = fc.oneof(
    fc.record({ key, operator: fc.constantFrom('In' as const, 'NotIn' as const), values: fc.uniqueArray(value, { minLength: 1 }) }),
    fc.record({ key, operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
  );
  const selector: fc.Arbitrary<Selector> = fc.record({
    matchLabels: fc.dictionary(key, value, { maxKeys: 1 }),
    matchExpressions: fc.array(expression, { maxLength: 3 }),
  });
  const values = [undefined, 'x', 'y', 'z', 'other'];
  const all = values.flatMap((a) => values.map((b) => ({ ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) })));
  fc.assert(
    fc.property(selector, selector, (left, right) => {
      const meets = all.some((labels) => selectsLabels(left, labels) && selectsLabels(right, labels));
      expect(mayOverlap(left, right)).toBe(meets);
    }),
  );
});
