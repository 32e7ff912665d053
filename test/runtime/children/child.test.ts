import { ConfigMap } from 'keelson/kinds';
import {
  type Child,
  childrenOf,
  heldBy,
  holdOf,
  isAdopted,
  labelled,
  manifestOf,
  otherLabel,
  describe as textOf,
} from '../../../src/runtime/children/child.js';
import { ADOPTED_ANNOTATION, APPLIED_ANNOTATION, hashOf, OWNER_ANNOTATION } from '../../../src/runtime/children/marks.js';
import type { UntypedObject } from '../../../src/runtime/client/index.js';
import { liveConfig, OWNER, policyOf, referenceTo } from './shop.js';

const OWNER_TEXT = 'Widget.test.example.com/w/owner';
const REFERENCE = { ...referenceTo('owner'), blockOwnerDeletion: true };
const object = (metadata: object = {}): UntypedObject => ({ ...liveConfig('a'), metadata: { name: 'a', ...metadata } }) as UntypedObject;
const children = (desired: object, policy = policyOf()): Child[] => childrenOf('configs', [desired], OWNER, { kind: ConfigMap, policy });
const only = (desired: object, policy = policyOf()): UntypedObject => (children(desired, policy)[0] as Child).content;

describe('the owner of a child', () => {
  test('is its one controller beside the owners that it has, each once', () => {
    const plain = referenceTo('friend', { controller: false });
    const held = heldBy(
      object({ ownerReferences: [plain, referenceTo('other'), referenceTo('owner', { controller: false })] }),
      OWNER,
      'reference',
    );
    expect(held.metadata.ownerReferences).toEqual([plain, REFERENCE]);
    expect(heldBy(object(), OWNER, 'reference').metadata.ownerReferences).toEqual([REFERENCE]);
    expect(held.metadata.annotations).toBeUndefined();
  });

  test.each([
    ['owner', OWNER_ANNOTATION],
    ['adopted', ADOPTED_ANNOTATION],
  ] as const)('that holds as %s is named by an annotation, beside those of the child, and by no reference', (hold, annotation) => {
    const held = heldBy(object({ annotations: { mine: 'x' } }), OWNER, hold);
    expect(held.metadata).toEqual({ name: 'a', annotations: { mine: 'x', [annotation]: OWNER_TEXT } });
  });

  test('holds by a reference what goes with it, and by an annotation what stays', () => {
    expect([holdOf(policyOf()), holdOf(policyOf({ onDelete: 'orphan' }))]).toEqual(['reference', 'owner']);
  });

  test.each([
    [{}, false],
    [{ annotations: { [ADOPTED_ANNOTATION]: OWNER_TEXT } }, true],
    [{ annotations: { [OWNER_ANNOTATION]: OWNER_TEXT } }, false],
    [{ annotations: { [ADOPTED_ANNOTATION]: 'nobody' } }, false],
  ])('has adopted what an annotation of that says: %j', (metadata, is) => expect(isAdopted(liveConfig('a', metadata))).toBe(is));
});

test('the hash is of all that is applied, owner included, and stands behind the manager beside other annotations', () => {
  const [child] = children(ConfigMap({ metadata: { name: 'a', annotations: { mine: 'x' } }, data: { k: 'v' } }));
  const { hash, object: applied } = manifestOf(child as Child, OWNER, 'reference', 'op/widget');
  expect(hash).toBe(hashOf(heldBy((child as Child).content, OWNER, 'reference')));
  expect(applied).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'a',
      namespace: 'shop',
      annotations: { mine: 'x', [APPLIED_ANNOTATION]: `op/widget:${hash}` },
      ownerReferences: [REFERENCE],
    },
    data: { k: 'v' },
  });
  expect(manifestOf(child as Child, OWNER, 'owner', 'op/widget').hash).not.toBe(hash);
});

describe('labels of a handle', () => {
  const policy = policyOf({ labels: { app: 'x', tier: 'db' } });

  test('are written beside those of the child; without them nothing changes', () => {
    expect(labelled(object({ labels: { mine: 'y' } }), policy).metadata.labels).toEqual({ mine: 'y', app: 'x', tier: 'db' });
    expect(labelled(object(), policyOf()).metadata).toEqual({ name: 'a' });
  });

  test('may be said by the child too, but not otherwise', () => {
    expect(otherLabel(object({ labels: { app: 'x', mine: 'y' } }), policy)).toBeUndefined();
    expect(otherLabel(object(), policyOf())).toBeUndefined();
    expect(otherLabel(object({ labels: { tier: 'web' } }), policy)).toBe('tier=web, where its handle selects tier=db');
    expect(() => only(ConfigMap({ metadata: { name: 'a', labels: { tier: 'web' } } }), policy)).toThrow(
      'owned.configs[0]: ConfigMap a has the label tier=web, where its handle selects tier=db; leave it out, it is written with each child',
    );
    expect(only(ConfigMap({ metadata: { name: 'a' } }), policy).metadata.labels).toEqual({ app: 'x', tier: 'db' });
  });
});

test('what the server and the runtime write is taken off: marks, versions, references to the owner and to controllers', () => {
  const friend = referenceTo('friend', { controller: false });
  const live = {
    ...liveConfig('a', {
      generation: 1,
      creationTimestamp: 'then',
      deletionTimestamp: 'then',
      deletionGracePeriodSeconds: 0,
      managedFields: [],
      labels: { mine: 'y' },
      annotations: { mine: 'x', [APPLIED_ANNOTATION]: 'm:h', [OWNER_ANNOTATION]: OWNER_TEXT, [ADOPTED_ANNOTATION]: OWNER_TEXT },
      ownerReferences: [referenceTo('owner', { controller: false }), referenceTo('other'), friend],
    }),
    status: { phase: 'x' },
  };
  expect(only(live)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'shop', labels: { mine: 'y' }, annotations: { mine: 'x' }, ownerReferences: [friend] },
    data: {},
  });
  expect(only(liveConfig('a', { annotations: { [APPLIED_ANNOTATION]: 'm:h' }, ownerReferences: [referenceTo('owner')] })).metadata).toEqual(
    {
      name: 'a',
      namespace: 'shop',
    },
  );
});

test.each<[string, unknown, string]>([
  ['nothing', null, 'owned.configs[0]: is not an object with metadata'],
  ['a text', 'a', 'owned.configs[0]: is not an object with metadata'],
  ['without metadata', { apiVersion: 'v1', kind: 'ConfigMap' }, 'owned.configs[0]: is not an object with metadata'],
  ['with metadata of null', { apiVersion: 'v1', kind: 'ConfigMap', metadata: null }, 'owned.configs[0]: is not an object with metadata'],
  [
    'of another kind',
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
    "Secret a (v1) is not of the handle's kind, ConfigMap v1",
  ],
  ['of another version', { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } }, 'ConfigMap a (v2) is not of'],
  ['without a name', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a' } }, 'ConfigMap has no metadata.name'],
  ['with an empty name', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '' } }, 'ConfigMap has no metadata.name'],
  [
    'elsewhere',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b' } },
    'ConfigMap b/a is in namespace b, its owner in shop',
  ],
])('is no child: %s', (_, desired, message) => expect(() => children(desired as object)).toThrow(message));

test('a name stands in one list once', () => {
  const twice = [ConfigMap({ metadata: { name: 'a' } }), ConfigMap({ metadata: { name: 'a', namespace: 'shop' } })];
  expect(() => childrenOf('configs', twice, OWNER, { kind: ConfigMap, policy: policyOf() })).toThrow(
    'owned.configs[1]: ConfigMap shop/a is listed twice; give each child once',
  );
});

test('an object is described by kind, namespace and name, as far as it has them', () => {
  expect([liveConfig('a'), object(), object({ name: undefined })].map((one) => textOf(one as never))).toEqual([
    'ConfigMap shop/a',
    'ConfigMap a',
    'ConfigMap (no name)',
  ]);
});
