/** The sections of Keep a Changelog, in its order. */
const SECTIONS: readonly string[] = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const UNRELEASED = '## [Unreleased]\n';

export interface Release {
  readonly version: string;
  /** As `2026-03-04`. */
  readonly date: string;
}

/** Lines by section. An item may have several lines. */
type Sections = Map<string, string[]>;

/** The changelog's part of a changeset: everything below its front matter. */
export function entryOf(changeset: string): string {
  return changeset.replace(/^---\n.*?\n---\n/s, '').trim();
}

/**
 * The changelog after a release: the unreleased lines and the entries of changesets stand below the version, sorted by section.
 *
 * @throws Error for an entry that is not in the form of Keep a Changelog, for a version that has a section, and when there is nothing to release
 */
export function released(changelog: string, entries: readonly string[], { version, date }: Release): string {
  if (changelog.includes(`\n## [${version}]`))
    throw new Error(`CHANGELOG.md has a section [${version}] already; add a changeset, which names the next version`);
  const { before, section, after } = partsOf(changelog);
  const sections: Sections = new Map(SECTIONS.map((name) => [name, []]));
  add(sections, section, 'CHANGELOG.md, [Unreleased]');
  for (const entry of entries) add(sections, entry, `the entry "${entry.split('\n', 1)[0]}…"`);
  const written = [...sections].filter(([, lines]) => lines.length > 0).map(([name, lines]) => `### ${name}\n${lines.join('\n')}\n`);
  if (written.length === 0) throw new Error('there is nothing to release: no changeset, and no line below [Unreleased]');
  return `${before}${UNRELEASED}\n## [${version}] - ${date}\n\n${written.join('\n')}${after === '' ? '' : `\n${after}`}`;
}

/** @throws Error if the version has no section */
export function notesOf(changelog: string, version: string): string {
  const start = changelog.indexOf(`\n## [${version}]`);
  if (start === -1) throw new Error(`CHANGELOG.md has no section [${version}]; run npm run release, and commit what it writes`);
  const [, ...lines] = changelog.slice(start + 1).split('\n');
  const end = lines.findIndex((line) => line.startsWith('## '));
  return `${lines
    .slice(0, end === -1 ? undefined : end)
    .join('\n')
    .trim()}\n`;
}

function partsOf(changelog: string): { readonly before: string; readonly section: string; readonly after: string } {
  const start = changelog.indexOf(UNRELEASED);
  if (start === -1) throw new Error('CHANGELOG.md has no section [Unreleased]');
  const rest = changelog.slice(start + UNRELEASED.length);
  const end = rest.search(/^## /m);
  const section = end === -1 ? rest : rest.slice(0, end);
  return { before: changelog.slice(0, start), section, after: end === -1 ? '' : rest.slice(end) };
}

function add(sections: Sections, markdown: string, place: string): void {
  const [intro = '', ...parts] = `\n${markdown.trim()}`.split(/^### /m);
  if (intro.trim() !== '') throw new Error(`${place}: begins without a section; write for example "### Fixed" above it`);
  for (const part of parts) {
    const [name = '', ...lines] = part.trimEnd().split('\n');
    const section = sections.get(name.trim());
    if (section === undefined) throw new Error(`${place}: the section "${name}" is not of Keep a Changelog; write ${SECTIONS.join(', ')}`);
    const items = lines.filter((line) => line.trim() !== '');
    if (items.length === 0) throw new Error(`${place}: the section "${name}" has no line`);
    section.push(...items);
  }
}
