import fc from 'fast-check';
import { identityOf } from '../../../src/runtime/client/event-identity.js';

const lineOf = (type: string, object: unknown): string => JSON.stringify({ type, object });
const identity = { namespace: 'shop', name: 'settings', uid: 'u-1', resourceVersion: '7' };

test('the version of an object is read as API servers write it: built-in kinds in the order of their types, custom resources by name', () => {
  const builtIn = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'settings', namespace: 'shop', uid: 'u-1', resourceVersion: '7' },
    data: {},
  };
  expect(identityOf(lineOf('ADDED', builtIn))).toEqual({ type: 'ADDED', ...identity });
  const custom = {
    apiVersion: 'example.com/v1',
    kind: 'Settings',
    metadata: { generation: 3, labels: null, managedFields: [{ fieldsV1: { 'f:uid': {} } }], ...identity },
  };
  expect(identityOf(lineOf('MODIFIED', custom))).toEqual({ type: 'MODIFIED', ...identity });
  const clusterScoped = { metadata: { name: 'a', uid: 'u-2', resourceVersion: '8' } };
  expect(identityOf(lineOf('ADDED', clusterScoped))).toEqual({
    type: 'ADDED',
    namespace: undefined,
    name: 'a',
    uid: 'u-2',
    resourceVersion: '8',
  });
});

test('fields of the same names elsewhere in the object are not taken for its own', () => {
  const object = {
    data: { metadata: '{"uid":"wrong","resourceVersion":"99"}', uid: 'wrong', resourceVersion: '99' },
    spec: { metadata: { name: 'wrong', uid: 'wrong', resourceVersion: '99' }, list: [{ uid: 'wrong' }, ']', '}'] },
    metadata: {
      annotations: { uid: 'wrong', resourceVersion: '99', 'a"b\\': '","uid":"wrong"' },
      ownerReferences: [{ name: 'wrong', uid: 'wrong' }],
      ...identity,
    },
  };
  expect(identityOf(lineOf('MODIFIED', object))).toEqual({ type: 'MODIFIED', ...identity });
});

test.each([
  ['a deletion', lineOf('DELETED', { metadata: identity })],
  ['a bookmark', lineOf('BOOKMARK', { metadata: identity })],
  ['an error', lineOf('ERROR', { kind: 'Status', metadata: {} })],
  ['white space', JSON.stringify({ type: 'ADDED', object: { metadata: identity } }, undefined, 1)],
  ['the object before the type', JSON.stringify({ object: { metadata: identity }, type: 'ADDED' })],
  ['no metadata', lineOf('ADDED', { data: {} })],
  ['metadata that is a text', lineOf('ADDED', { metadata: 'uid' })],
  ['no uid', lineOf('ADDED', { metadata: { ...identity, uid: undefined } })],
  ['a uid that is a number', lineOf('ADDED', { metadata: { ...identity, uid: 1 } })],
  ['a name with an escape', lineOf('ADDED', { metadata: { ...identity, name: 'a"b' } })],
  ['nothing', ''],
])('%s has to be parsed', (_, line) => {
  expect(identityOf(line)).toBeUndefined();
});

test('a line that breaks off anywhere ends the search', () => {
  const line = lineOf('ADDED', { spec: { a: ['\\"', 1.5, true, null] }, metadata: { labels: { a: 'b' }, ...identity } });
  for (let end = 0; end < line.length; end += 1) identityOf(line.slice(0, end));
  expect(identityOf(line)).toEqual({ type: 'ADDED', ...identity });
});

test('whatever else is in an object, its version is that of the parsed object, or is not found', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\\"', '{', '}', '","uid":"x', 'uid', 'metadata'));
  const other = fc.dictionary(text, fc.oneof(fc.jsonValue({ maxDepth: 2 }), text), { maxKeys: 4 });
  const metadata = fc
    .tuple(other, fc.record({ name: text, uid: text, resourceVersion: text }, { requiredKeys: [] }))
    .map(([some, own]) => ({ ...some, ...own }));
  fc.assert(
    fc.property(other, metadata, other, (before, own, after) => {
      const object = { ...before, metadata: own, ...after };
      const found = identityOf(lineOf('ADDED', object));
      const parsed = (JSON.parse(lineOf('ADDED', object)) as { object: { metadata: Record<string, unknown> } }).object.metadata;
      if (found === undefined) return;
      const { name, uid, resourceVersion } = parsed;
      expect([found.name, found.uid, found.resourceVersion]).toEqual([name, uid, resourceVersion]);
    }),
    { numRuns: 150 },
  );
});
