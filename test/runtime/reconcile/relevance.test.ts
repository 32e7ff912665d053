import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { isNewGeneration, isRelevant, type Relevance } from '../../../src/runtime/reconcile/relevance.js';

const condition = (type: string, status: string) => ({ type, status });
const before = {
  apiVersion: 'test.example.com/v1',
  kind: 'Widget',
  metadata: {
    name: 'a',
    uid: 'u1',
    resourceVersion: '1',
    generation: 1,
    labels: { tier: 'web' },
    annotations: { note: 'x' },
    finalizers: ['other.example.com/x', 'test.example.com/widget'],
  },
  status: { size: 1, conditions: [condition('Ready', 'True'), condition('Network', 'True')] },
} as unknown as StoredObject;
const relevance: Relevance = { finalizer: 'test.example.com/widget', needed: ['Network'] };

const withMetadata = (metadata: object, of = before): StoredObject =>
  ({ ...of, metadata: { ...of.metadata, ...metadata } }) as StoredObject;
const changed = (object: StoredObject, previous: StoredObject | undefined = before) =>
  ({ type: 'modified', object, previous, isInitial: false, isLastStateUnknown: false }) as const;

describe('H36: a run follows', () => {
  test.each<[string, object]>([
    ['another object of the name', { uid: 'u2' }],
    ['a deletion', { deletionTimestamp: '2030-01-01T00:00:00Z' }],
    ['a new spec', { generation: 2 }],
    ['a label that changes', { labels: { tier: 'db' } }],
    ['labels that go', { labels: undefined }],
    ['an annotation that changes', { annotations: { note: 'y' } }],
    ['annotations that go', { annotations: undefined }],
    ['the own finalizer, which somebody takes away', { finalizers: ['other.example.com/x'] }],
    ['all finalizers, which somebody takes away', { finalizers: undefined }],
  ])('%s', (_, metadata) => {
    expect(isRelevant(changed(withMetadata(metadata)), relevance)).toBe(true);
  });

  test.each<[string, readonly object[] | undefined]>([
    ['a condition that Ready waits for', [condition('Ready', 'True'), condition('Network', 'False')]],
    ['such a condition that goes', [condition('Ready', 'True')]],
    ['a status that goes with it', undefined],
  ])('%s', (_, conditions) => {
    const object = { ...before, status: conditions === undefined ? undefined : { conditions } } as unknown as StoredObject;
    expect(isRelevant(changed(object), relevance)).toBe(true);
    expect(isRelevant(changed(object), { finalizer: relevance.finalizer })).toBe(false);
  });

  test('an object that comes, that goes, and one whose former state is not known', () => {
    expect(isRelevant({ type: 'added', object: before, isInitial: false } as never, relevance)).toBe(true);
    expect(isRelevant({ type: 'deleted', object: before, previous: before, isInitial: false } as never, relevance)).toBe(true);
    expect(isRelevant({ type: 'modified', object: before, previous: undefined, isInitial: false } as never, relevance)).toBe(true);
  });

  test('the content of a kind without a generation', () => {
    const config = withMetadata({ generation: undefined }, { ...before, data: { a: '1' } } as StoredObject);
    expect(isRelevant(changed({ ...config, data: { a: '2' } } as StoredObject, config), {})).toBe(true);
    expect(isRelevant(changed(withMetadata({ resourceVersion: '2' }, config), config), {})).toBe(false);
  });
});

describe('H38: no run follows', () => {
  test.each<[string, StoredObject]>([
    ['the own status', { ...before, status: { ...(before['status'] as object), size: 2 } }],
    [
      'a condition of others that nobody waits for',
      { ...before, status: { conditions: [condition('Ready', 'False'), condition('Network', 'True')] } },
    ],
    ['finalizers of others', withMetadata({ finalizers: ['test.example.com/widget', 'more.example.com/y'] })],
    ['a new version alone', withMetadata({ resourceVersion: '2' })],
  ])('%s', (_, object) => {
    expect(isRelevant(changed(object), relevance)).toBe(false);
  });

  test('a finalizer of others from a controller that has none, and the own one from an object that is going', () => {
    expect(isRelevant(changed(withMetadata({ finalizers: undefined })), {})).toBe(false);
    const going = withMetadata({ deletionTimestamp: '2030-01-01T00:00:00Z' });
    expect(isRelevant(changed(withMetadata({ finalizers: [] }, going), going), relevance)).toBe(false);
  });

  test('labels and annotations that are empty now, and were not there before', () => {
    const bare = withMetadata({ labels: undefined, annotations: undefined });
    expect(isRelevant(changed(withMetadata({ labels: {}, annotations: {} }, bare), bare), relevance)).toBe(false);
  });
});

test.each<[string, object, boolean]>([
  ['another object of the name', { uid: 'u2' }, true],
  ['a new spec', { generation: 2 }, true],
  ['a deletion', { deletionTimestamp: '2030-01-01T00:00:00Z' }, true],
  ['a label', { labels: {} }, false],
  ['a new version alone', { resourceVersion: '2' }, false],
])('H33: whether failures of before count no more: %s', (_, metadata, isNew) => {
  expect(isNewGeneration(changed(withMetadata(metadata)))).toBe(isNew);
  expect(isNewGeneration({ type: 'added', object: before, isInitial: false } as never)).toBe(true);
});
