import { readFileSync } from 'node:fs';
import { entryOf, notesOf, released } from '../../../scripts/release/changelog.js';

const CHANGELOG = `# Changelog

About it.

## [Unreleased]

### Added
- \`keelson\`: a line of old,
  of two lines.

### Fixed
- \`@keelson/runtime\`: one fault.

## [0.1.0] - 2026-01-02

### Added
- All of it.
`;
const RELEASE = { version: '0.2.0', date: '2026-03-04' };

test('an entry is what stands below the front matter of a changeset', () => {
  expect(entryOf('---\nkeelson: minor\n---\n\n### Security\n- `keelson`: a.\n')).toBe('### Security\n- `keelson`: a.');
});

test('entries join the lines of their section, in the order of Keep a Changelog, and none is lost', () => {
  const entries = [
    '### Security\n- `keelson`: a.',
    '### Added\n- `keelson`: b.\n\n### Fixed\n- `keelson`: c,\n  and d.',
    '### Changed\n- `keelson`: e.',
  ];
  expect(released(CHANGELOG, entries, RELEASE)).toBe(`# Changelog

About it.

## [Unreleased]

## [0.2.0] - 2026-03-04

### Added
- \`keelson\`: a line of old,
  of two lines.
- \`keelson\`: b.

### Changed
- \`keelson\`: e.

### Fixed
- \`@keelson/runtime\`: one fault.
- \`keelson\`: c,
  and d.

### Security
- \`keelson\`: a.

## [0.1.0] - 2026-01-02

### Added
- All of it.
`);
});

test.each([
  [
    'another section',
    '### Improved\n- a',
    'the entry "### Improved…": the section "Improved" is not of Keep a Changelog; write Added, Changed',
  ],
  ['no section', '- a', 'the entry "- a…": begins without a section; write for example "### Fixed"'],
  ['an empty section', '### Fixed\n', 'the entry "### Fixed…": the section "Fixed" has no line'],
])('an entry with %s is refused, with its text', (_name, entry, message) => {
  expect(() => released(CHANGELOG, [entry], RELEASE)).toThrow(message);
});

test('a version is released once, and with something to say', () => {
  expect(() => released(CHANGELOG, [], { version: '0.1.0', date: '2026-03-04' })).toThrow('CHANGELOG.md has a section [0.1.0] already');
  const empty = released(CHANGELOG, [], RELEASE);
  expect(() => released(empty, [], { version: '0.3.0', date: '2026-03-04' })).toThrow('nothing to release');
});

test('the notes of a release are its section, without those of others', () => {
  expect(notesOf(CHANGELOG, '0.1.0')).toBe('### Added\n- All of it.\n');
  expect(notesOf(released(CHANGELOG, [], RELEASE), '0.2.0')).toMatch(
    /^### Added\n- `keelson`: a line of old,\n {2}of two lines\.\n\n### Fixed\n.*\n$/,
  );
  expect(() => notesOf(CHANGELOG, '0.2.0')).toThrow('CHANGELOG.md has no section [0.2.0]; run npm run release');
});

test('the changelog of this tree can be released as it is', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8');
  const lines = (markdown: string): readonly string[] => markdown.split('\n').filter((line) => /^(- | {2}\S)/.test(line));
  expect(lines(released(text, ['### Added\n- `keelson`: last.'], { version: '999.0.0', date: '2026-03-04' }))).toHaveLength(
    lines(text).length + 1,
  );
});
