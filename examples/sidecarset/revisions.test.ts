import type { ControllerRevision as Revision } from 'keelson/kinds';
import { revisionsOf } from './revisions.js';
import { injectedPod, sidecar, sidecarSet } from './sidecar-set-objects.js';

const at = (image: string, revisionHistoryLimit = 10) => sidecarSet('mesh', { containers: [sidecar(image)], revisionHistoryLimit });
const images = (revisions: readonly Revision[]) =>
  revisions.map(({ data, revision }) => `${(data as { spec: { containers: { image: string }[] } }).spec.containers[0]?.image} ${revision}`);

/** The revisions that are there after these images one after the other. */
const after = (...history: string[]) => history.reduce<Revision[]>((present, image) => revisionsOf(at(image), present, []), []);

test('each spec is a revision, numbered in order', () => {
  expect(images(after('a:1', 'a:2', 'a:3'))).toEqual(['a:3 3', 'a:2 2', 'a:1 1']);
});

test('the same spec stays the same revision', () => {
  const present = after('a:1', 'a:2');
  expect(revisionsOf(at('a:2'), present, [])).toEqual(present);
});

test('to go back takes the earlier revision up again', () => {
  const present = after('a:1', 'a:2');
  const back = revisionsOf(at('a:1'), present, []);
  expect(images(back)).toEqual(['a:1 3', 'a:2 2']);
  expect(back[0].metadata.name).toBe(present[1]?.metadata.name);
});

test('those that no Pod has are kept up to the limit', () => {
  const present = after('a:1', 'a:2', 'a:3', 'a:4');
  expect(images(revisionsOf(at('a:4', 1), present, []))).toEqual(['a:4 4', 'a:3 3']);
  expect(images(revisionsOf(at('a:4', 0), present, [injectedPod('old', at('a:1'))]))).toEqual(['a:4 4', 'a:1 1']);
});

test('a number stays when those before it are gone', () => {
  const [current] = after('a:1', 'a:2', 'a:3');
  expect(images(revisionsOf(at('a:3', 0), current === undefined ? [] : [current], []))).toEqual(['a:3 3']);
});

test('they are in the namespace of the operator: a SidecarSet has none', () => {
  expect(after('a:1')[0]?.metadata.namespace).toBe('sidecarset-system');
});
