import { type CrdState, crdStateOf } from '../../../src/runtime/migration/crd-state.js';
import { PROGRESS_ANNOTATION, planFor, progressOf, progressText } from '../../../src/runtime/migration/plan.js';

const CRD: CrdState = {
  name: 'valves.example.com',
  generation: 3,
  storageVersion: 'v1',
  servedVersions: ['v1', 'v1alpha1'],
  unservedVersions: [],
  storedVersions: ['v1alpha1', 'v1'],
  annotations: {},
};
const noted = (progress: object): Readonly<Record<string, string>> => ({ [PROGRESS_ANNOTATION]: JSON.stringify(progress) });

test('objects of an older version are written, from the beginning or after the last page of the same CRD', () => {
  expect(planFor(CRD, 'v1')).toEqual({ do: 'rewrite', after: undefined });
  expect(planFor({ ...CRD, annotations: noted({ generation: 3, after: 'a/b' }) }, 'v1')).toEqual({ do: 'rewrite', after: 'a/b' });
  expect(planFor({ ...CRD, annotations: noted({ generation: 2, after: 'a/b' }) }, 'v1')).toEqual({ do: 'rewrite', after: undefined });
});

test('nothing is to be done when the storage version is the only one', () => {
  expect(planFor({ ...CRD, storedVersions: ['v1'] }, 'v1')).toEqual({ do: 'nothing' });
});

test('the CRD of another release is left alone', () => {
  expect(planFor({ ...CRD, storageVersion: 'v1alpha1', storedVersions: ['v1alpha1'] }, 'v1')).toEqual({
    do: 'wait',
    why: 'the CRD valves.example.com stores v1alpha1, this release v1: apply the CRD of this release',
  });
});

test('a version that is served no more is cleaned away once', () => {
  const unserved: CrdState = { ...CRD, storedVersions: ['v1'], servedVersions: ['v1'], unservedVersions: ['v1alpha1'] };
  expect(planFor(unserved, 'v1')).toEqual({ do: 'rewrite', after: undefined });
  expect(planFor({ ...unserved, annotations: noted({ cleaned: ['v1alpha1'] }) }, 'v1')).toEqual({ do: 'nothing' });
  expect(planFor({ ...unserved, annotations: noted({ cleaned: ['v1beta1'] }) }, 'v1')).toMatchObject({ do: 'rewrite' });
});

test('an annotation that cannot be read begins anew; one without content is removed', () => {
  for (const text of ['{', '[]', '7', '{"generation":"3","after":4,"cleaned":"x"}']) {
    expect(progressOf({ ...CRD, annotations: { [PROGRESS_ANNOTATION]: text } })).toEqual({});
  }
  expect(progressText({ generation: 3, cleaned: [] })).toBeNull();
  expect(progressOf({ ...CRD, annotations: { [PROGRESS_ANNOTATION]: progressText({ generation: 3, after: 'a/b' }) ?? '' } })).toEqual({
    generation: 3,
    after: 'a/b',
  });
});

test('of a record what can be read counts, and versions that are cleaned away are remembered', () => {
  expect(progressOf({ ...CRD, annotations: noted({ generation: 3, after: 4, cleaned: ['v0', 7] }) })).toEqual({
    generation: 3,
    cleaned: ['v0'],
  });
  expect(progressText({ cleaned: ['v0'] })).toBe('{"cleaned":["v0"]}');
  expect(progressText({ after: 'a' })).toBe('{"after":"a"}');
  expect(progressText({})).toBeNull();
});

test('every version that is served no more must have been cleaned away', () => {
  const unserved: CrdState = { ...CRD, storedVersions: ['v1'], unservedVersions: ['v0', 'v1alpha1'] };
  expect(planFor({ ...unserved, annotations: noted({ cleaned: ['v0'] }) }, 'v1')).toMatchObject({ do: 'rewrite' });
  expect(planFor({ ...unserved, annotations: noted({ cleaned: ['v0', 'v1alpha1'] }) }, 'v1')).toEqual({ do: 'nothing' });
});

test('a CRD is read for its name, generation, versions, stored versions and annotations', () => {
  const versions = [
    { name: 'v0', served: false, storage: false },
    { name: 'v1', served: true, storage: true },
    { name: 7, served: true },
  ];
  const metadata = { name: 'a', generation: 5, annotations: { a: 'b', c: 7 } };
  expect(crdStateOf({ metadata, spec: { versions }, status: { storedVersions: ['v0', 7, 'v1'] } })).toEqual({
    name: 'a',
    generation: 5,
    storageVersion: 'v1',
    servedVersions: ['v1'],
    unservedVersions: ['v0'],
    storedVersions: ['v0', 'v1'],
    annotations: { a: 'b' },
  });
  expect(crdStateOf({ metadata: {}, spec: { versions } })).toBeUndefined();
  expect(crdStateOf({ metadata, spec: { versions: { v1: {} } } })).toBeUndefined();
});

test('what is not a CRD with a storage version is nothing', () => {
  for (const object of [
    undefined,
    {},
    { metadata: { name: 'a' }, spec: {} },
    { metadata: { name: 'a' }, spec: { versions: [{ name: 'v1', storage: false }] } },
  ])
    expect(crdStateOf(object)).toBeUndefined();
  const versions = [{ name: 'v1', served: true, storage: true }, { name: 'v1alpha1', served: false, storage: false }, 7];
  expect(crdStateOf({ metadata: { name: 'a' }, spec: { versions } })).toEqual({
    name: 'a',
    generation: 0,
    storageVersion: 'v1',
    servedVersions: ['v1'],
    unservedVersions: ['v1alpha1'],
    storedVersions: [],
    annotations: {},
  });
});
