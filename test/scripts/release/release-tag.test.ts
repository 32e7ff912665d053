import { tagProblem } from '../../../scripts/release/release-tag.js';

test('a tag of the version in package.json, with no changeset left, is released', () => {
  expect(tagProblem({ tag: 'v1.2.3', version: '1.2.3', changesets: [] })).toBeUndefined();
});

test.each([
  ['another version', { tag: 'v1.2.4', version: '1.2.3', changesets: [] }, 'the tag is v1.2.4, and package.json has version 1.2.3'],
  ['no v', { tag: '1.2.3', version: '1.2.3', changesets: [] }, 'the tag must be v1.2.3'],
  ['a changeset left', { tag: 'v1.2.3', version: '1.2.3', changesets: ['.changeset/a.md'] }, '.changeset/a.md: not released yet'],
])('a tag of %s is refused', (_name, tagged, message) => {
  expect(tagProblem(tagged)).toContain(message);
});
