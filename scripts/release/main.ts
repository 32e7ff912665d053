/**
 * Prepares a release, or prints the notes of one.
 *
 *     npm run release                       # the next versions in the package.json of each package, and CHANGELOG.md, from the changesets; needs Node 22.11
 *     npm run release:notes -- v1.2.3       # the section of CHANGELOG.md; exit code 1 if the tree is not that version
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryOf, notesOf, released } from './changelog.js';
import { tagProblem } from './release-tag.js';

const CHANGESETS = '.changeset';

const changesets = (): readonly string[] =>
  readdirSync(CHANGESETS)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => join(CHANGESETS, file));
const versionNow = (): string => (JSON.parse(readFileSync('src/keelson/package.json', 'utf8')) as { version: string }).version;
const changelogNow = (): string => readFileSync('CHANGELOG.md', 'utf8');

function prepare(): void {
  const files = changesets();
  const entries = files.map((file) => entryOf(readFileSync(file, 'utf8')));
  const date = new Date().toISOString().slice(0, 10);
  // Before anything is written: Changesets deletes the files that it has read.
  released(changelogNow(), entries, { version: 'next', date });
  if (files.length > 0) {
    execFileSync('npx', ['changeset', 'version'], { stdio: 'inherit' });
    execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { stdio: 'inherit' });
  }
  const version = versionNow();
  writeFileSync('CHANGELOG.md', released(changelogNow(), entries, { version, date }));
  console.log(`Read the difference, commit it, merge it, and push the tag v${version}.`);
}

function printNotes(tag: string): void {
  const version = versionNow();
  const problem = tagProblem({ tag, version, changesets: changesets() });
  if (problem !== undefined) throw new Error(problem);
  process.stdout.write(notesOf(changelogNow(), version));
}

const [tag] = process.argv.slice(2);
try {
  if (tag === undefined) prepare();
  else printNotes(tag);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
