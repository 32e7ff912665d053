import type { OwnPolicy } from 'keelson';
import { type Claim, claim } from '../../../src/runtime/children/claim.js';
import { ChildTakenError } from '../../../src/runtime/children/errors.js';
import { ADOPTED_ANNOTATION, APPLIED_ANNOTATION, appliedMark, OWNER_ANNOTATION } from '../../../src/runtime/children/marks.js';
import { liveConfig, OWNER, policyOf, referenceTo } from './shop.js';

const OTHER_CONTROLLER = 'test/other';

function claimed(metadata: object, policy: Partial<OwnPolicy> = {}): Claim {
  return claim(liveConfig('a', metadata), {
    owner: OWNER,
    policy: policyOf(policy),
    isMine: (live) => appliedMark(live)?.manager === 'test/widget',
    rivals: new Set([OTHER_CONTROLLER]),
    isThere: ({ uid }) => uid === 'there',
  });
}

const named = (annotation: string, uid: string): object => ({ annotations: { [annotation]: `Widget.test.example.com/w/${uid}` } });
const appliedBy = (manager: string): object => ({ annotations: { [APPLIED_ANNOTATION]: `${manager}:hash` } });
const ADOPTS: Partial<OwnPolicy> = { adopt: 'unowned' };
const ORPHANS: Partial<OwnPolicy> = { onDelete: 'orphan' };
const KEEPS: Partial<OwnPolicy> = { keepsAdopted: true };

describe('a child of this owner is never adopted again', () => {
  test.each<[string, object, Partial<OwnPolicy>, Claim['hold']]>([
    ['by its controller reference', { ownerReferences: [referenceTo('x', { controller: false }), referenceTo('owner')] }, {}, 'reference'],
    ['by its controller reference, and stays from now on', { ownerReferences: [referenceTo('owner')] }, ORPHANS, 'owner'],
    ['by the annotation of what stays', named(OWNER_ANNOTATION, 'owner'), ORPHANS, 'owner'],
    ['by the annotation of what stays, and goes with it from now on', named(OWNER_ANNOTATION, 'owner'), {}, 'reference'],
    ['by the annotation of what was there before', named(ADOPTED_ANNOTATION, 'owner'), KEEPS, 'adopted'],
    ['by the annotation of what was there before, and goes with it from now on', named(ADOPTED_ANNOTATION, 'owner'), {}, 'reference'],
    ['by the annotation of what was there before, and stays as its own', named(ADOPTED_ANNOTATION, 'owner'), ORPHANS, 'owner'],
    ['of an owner that was deleted and made anew: this controller applied it', appliedBy('test/widget'), {}, 'reference'],
    ['of an owner made anew, and stays', appliedBy('test/widget'), ORPHANS, 'owner'],
  ])('%s', (_, metadata, policy, hold) => {
    // Whether the declaration adopts says nothing about what is a child already.
    for (const adopt of ['never', 'unowned'] as OwnPolicy['adopt'][])
      expect(claimed(metadata, { ...policy, adopt })).toEqual({ hold, adopts: false });
  });

  test('only what was adopted is held as adopted: what is its own is not let go of', () => {
    expect(claimed({ ownerReferences: [referenceTo('owner')] }, KEEPS)).toEqual({ hold: 'reference', adopts: false });
    expect(claimed(named(OWNER_ANNOTATION, 'owner'), KEEPS)).toEqual({ hold: 'reference', adopts: false });
  });
});

describe('an object without a controller', () => {
  const UNOWNED: readonly [string, object][] = [
    ['has no references', {}],
    ['has owners, and none is its controller', { ownerReferences: [referenceTo('owner', { controller: false })] }],
    ['was applied by a controller that is not one of this kind', appliedBy('elsewhere/widget')],
  ];
  const OF_ANOTHER: readonly [string, object][] = [
    ['has an annotation of another owner', named(OWNER_ANNOTATION, 'other')],
    ['was adopted by another owner', named(ADOPTED_ANNOTATION, 'other')],
    [
      'was applied by this controller for another owner, which left it',
      { annotations: { [APPLIED_ANNOTATION]: 'test/widget:hash', [OWNER_ANNOTATION]: 'Widget.test.example.com/v/other' } },
    ],
  ];

  test.each([...UNOWNED, ...OF_ANOTHER])('is not taken over unless the declaration says so: it %s', (_, metadata) => {
    expect(() => claimed(metadata)).toThrow(ChildTakenError);
    expect(() => claimed(metadata)).toThrow(
      "ConfigMap shop/a is there already and was not made by Widget w; rename or delete it, or declare own(ConfigMap, { adopt: 'unowned' })",
    );
  });

  test.each(UNOWNED)('is adopted where the declaration says so, and held as it says: it %s', (_, metadata) => {
    expect(claimed(metadata, ADOPTS)).toEqual({ hold: 'reference', adopts: true });
    expect(claimed(metadata, { ...ADOPTS, ...ORPHANS })).toEqual({ hold: 'owner', adopts: true });
    expect(claimed(metadata, { ...ADOPTS, ...KEEPS })).toEqual({ hold: 'adopted', adopts: true });
  });
});

describe('an object whose annotation names another owner', () => {
  const of = (annotation: string, owner: string): object => ({ annotations: { [annotation]: owner } });

  test.each([OWNER_ANNOTATION, ADOPTED_ANNOTATION])(
    'is not taken while that is there, which two that adopt would do in turn: %s',
    (annotation) => {
      const metadata = of(annotation, 'Widget.test.example.com/v/there');
      expect(() => claimed(metadata, ADOPTS)).toThrow(ChildTakenError);
      expect(() => claimed(metadata, { ...ADOPTS, ...KEEPS })).toThrow(
        `ConfigMap shop/a belongs to Widget v, as its annotation ${annotation} says; Widget w needs a child of that name: rename one of the two, or delete the other`,
      );
    },
  );

  test.each([OWNER_ANNOTATION, ADOPTED_ANNOTATION])('is adopted when that is gone: %s', (annotation) => {
    expect(claimed(of(annotation, 'Widget.test.example.com/v/gone'), ADOPTS)).toEqual({ hold: 'reference', adopts: true });
  });

  test.each(['Other.test.example.com/v/gone', 'Widget.other.example.com/v/gone', 'Widget/v/gone'])(
    'is not taken where nobody can know whether that is there: %s',
    (owner) => {
      expect(() => claimed(of(OWNER_ANNOTATION, owner), ADOPTS)).toThrow(ChildTakenError);
      expect(() => claimed(of(OWNER_ANNOTATION, owner), ADOPTS)).toThrow('rename it, or remove the annotation if that owner is gone');
    },
  );

  test('is of nobody where the annotation names none', () => {
    expect(claimed(of(OWNER_ANNOTATION, 'somebody'), ADOPTS)).toEqual({ hold: 'reference', adopts: true });
  });
});

describe('what belongs to another is not taken, not even by a declaration that adopts', () => {
  test('another controller, by any of uid, kind and name', () => {
    for (const other of [{ kind: 'Other' }, { name: 'v' }, { apiVersion: 'other.example.com/v1' }, { apiVersion: 'v1' }]) {
      const metadata = { ownerReferences: [referenceTo('owner', { controller: false }), referenceTo('x', other)] };
      expect(() => claimed(metadata, ADOPTS)).toThrow(ChildTakenError);
      expect(() => claimed(metadata, ADOPTS)).toThrow('has another controller');
    }
  });

  test('another controller, although an annotation names this owner', () => {
    const metadata = { ...named(OWNER_ANNOTATION, 'owner'), ownerReferences: [referenceTo('x', { kind: 'Other' })] };
    expect(() => claimed(metadata, ADOPTS)).toThrow(
      'ConfigMap shop/a has another controller, Other w; Widget w needs a child of that name',
    );
  });

  test('a child of a deleted owner of the same name is waited for', () => {
    const metadata = { ownerReferences: [referenceTo('before', { apiVersion: 'test.example.com/v1alpha1' })] };
    expect(() => claimed(metadata, ADOPTS)).toThrow(expect.objectContaining({ code: 'KEELSON_RETRY_LATER', afterMs: 5_000 }));
  });

  test('what the other controller of the same kind has applied for this very owner', () => {
    const metadata = { ...appliedBy(OTHER_CONTROLLER), ownerReferences: [referenceTo('owner')] };
    expect(() => claimed(metadata, ADOPTS)).toThrow(ChildTakenError);
    expect(() => claimed(metadata)).toThrow(
      'ConfigMap shop/a is desired by the controller test/other for the same Widget; give the children of the two different names',
    );
  });
});
