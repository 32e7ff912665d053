import type { KindInfo } from '../../../src/kubernetes/apimachinery/index.js';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import {
  ADOPTED_ANNOTATION,
  APPLIED_ANNOTATION,
  appliedMark,
  childId,
  controllerUids,
  hashOf,
  isMadeAnnotation,
  isOfKind,
  madeAnnotation,
  namedOwner,
  OWNER_ANNOTATION,
  ownerKeys,
  ownerText,
} from '../../../src/runtime/children/marks.js';
import { liveConfig, OWNER, referenceTo } from './shop.js';

const CORE: KindInfo = { ...OWNER.kind, group: '', kind: 'Pod' };

describe('the owner that an annotation names', () => {
  test('is read as it was written, in a group and in none', () => {
    for (const kind of [OWNER.kind, CORE]) {
      const read = namedOwner({ [OWNER_ANNOTATION]: ownerText({ ...OWNER, kind }) });
      expect(read).toEqual({ group: kind.group, kind: kind.kind, name: 'w', uid: 'owner' });
    }
    expect(ownerText(OWNER)).toBe('Widget.test.example.com/w/owner');
    expect(ownerText({ ...OWNER, kind: CORE })).toBe('Pod/w/owner');
  });

  test('is that of what was adopted, if there is no other', () => {
    expect(namedOwner({ [ADOPTED_ANNOTATION]: 'Pod/a/1' })?.uid).toBe('1');
    expect(namedOwner({ [ADOPTED_ANNOTATION]: 'Pod/a/1', [OWNER_ANNOTATION]: 'Pod/b/2' })?.uid).toBe('2');
  });

  test.each([
    undefined,
    {},
    { other: 'Pod/a/1' },
    { [OWNER_ANNOTATION]: '' },
    { [OWNER_ANNOTATION]: 'Pod' },
    { [OWNER_ANNOTATION]: 'Pod/a' },
  ])('is nobody where no annotation has kind, name and uid: %j', (annotations) => expect(namedOwner(annotations)).toBeUndefined());
});

test('an owner finds its children by its uid: as their controller, not as another owner, and by their annotation', () => {
  const child = liveConfig('a', {
    ownerReferences: [referenceTo('not', { controller: false }), referenceTo('controller')],
    annotations: { [OWNER_ANNOTATION]: 'Widget.test.example.com/w/named' },
  });
  expect(controllerUids(child)).toEqual(['controller', 'named']);
  expect(controllerUids(liveConfig('a', { ownerReferences: [referenceTo('controller')] }))).toEqual(['controller']);
  expect(controllerUids(liveConfig('a'))).toEqual([]);
});

test('a change of a child asks for its owners by name: those of this kind alone, whatever the version', () => {
  const keysOf = (metadata: object): string[] => ownerKeys(liveConfig('a', metadata), OWNER.kind);
  expect(keysOf({ ownerReferences: [referenceTo('1'), referenceTo('2', { name: 'v', apiVersion: 'test.example.com/v9' })] })).toEqual([
    'w',
    'v',
  ]);
  for (const other of [{ controller: false }, { kind: 'Other' }, { apiVersion: 'other.example.com/v1' }, { apiVersion: 'v1' }])
    expect([other, keysOf({ ownerReferences: [referenceTo('1', other)] })]).toEqual([other, []]);
  const naming = (text: string): string[] => keysOf({ annotations: { [OWNER_ANNOTATION]: text } });
  expect(naming('Widget.test.example.com/w/1')).toEqual(['w']);
  expect([naming('Widget.other.example.com/w/1'), naming('Other.test.example.com/w/1'), naming('Widget/w/1')]).toEqual([[], [], []]);
  expect(keysOf({})).toEqual([]);
});

test('a kind is told by group and name; the core group has none', () => {
  expect(isOfKind({ apiVersion: 'v1', kind: 'Pod' }, CORE)).toBe(true);
  expect(isOfKind({ apiVersion: 'apps/v1', kind: 'Pod' }, CORE)).toBe(false);
  expect(isOfKind({ apiVersion: 'v1', kind: 'Service' }, CORE)).toBe(false);
  expect(isOfKind({ apiVersion: 'test.example.com/v7', kind: 'Widget' }, OWNER.kind)).toBe(true);
  expect(isOfKind({ apiVersion: 'v1', kind: 'Widget' }, OWNER.kind)).toBe(false);
});

describe('the mark of what was applied', () => {
  const markOf = (text: string) => appliedMark(liveConfig('a', { annotations: { [APPLIED_ANNOTATION]: text } }));

  test('tells manager and hash, of keelson 0.1 the hash alone', () => {
    expect(markOf('operator/widget:abc')).toEqual({ manager: 'operator/widget', hash: 'abc' });
    expect(markOf('a:b/widget:abc')).toEqual({ manager: 'a:b/widget', hash: 'abc' });
    expect(markOf('abc')).toEqual({ hash: 'abc' });
    expect(markOf(':abc')).toEqual({ manager: '', hash: 'abc' });
  });

  test('is absent from what was not applied', () => {
    expect(appliedMark(liveConfig('a'))).toBeUndefined();
    expect(appliedMark(liveConfig('a', { annotations: {} }))).toBeUndefined();
  });

  test('is short, the same for the same content in any order of its fields, and another for another content', () => {
    expect(hashOf({ a: 1, b: { c: 2, d: 3 } })).toBe(hashOf({ b: { d: 3, c: 2 }, a: 1 }));
    expect(hashOf({ a: 1 })).not.toBe(hashOf({ a: 2 }));
    expect(hashOf({ a: 1 })).toMatch(/^[\w-]{22}$/);
  });
});

test('two controllers of a kind do not remember in the same annotation, and no other annotation is taken for one', () => {
  expect(madeAnnotation('operator/widget')).toBe('made.keelson.dev/widget');
  expect(madeAnnotation('widget')).toBe('made.keelson.dev/widget');
  expect(isMadeAnnotation(madeAnnotation('operator/widget'))).toBe(true);
  expect([APPLIED_ANNOTATION, 'x/made.keelson.dev/widget', 'made.keelson.de'].map(isMadeAnnotation)).toEqual([false, false, false]);
});

test('children of one owner are told apart by group, kind, namespace and name', () => {
  const ids = [
    childId({ group: 'g', kind: 'K' }, { name: 'a', namespace: 'n' }),
    childId({ group: 'h', kind: 'K' }, { name: 'a', namespace: 'n' }),
    childId({ group: 'g', kind: 'L' }, { name: 'a', namespace: 'n' }),
    childId({ group: 'g', kind: 'K' }, { name: 'b', namespace: 'n' }),
    childId({ group: 'g', kind: 'K' }, { name: 'a', namespace: 'm' }),
    childId({ group: 'g', kind: 'K' }, { name: 'a' }),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  const stored: StoredObject = liveConfig('a');
  expect(childId({ group: '', kind: 'ConfigMap' }, stored.metadata)).toBe(
    childId({ group: '', kind: 'ConfigMap' }, { name: 'a', namespace: 'shop' }),
  );
});
