import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mirroredOf, testsBeside } from '../../scripts/mutate/tests-of.js';

/** Folders of src that hold code of their own: a door alone has nothing to test. */
const folders = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((folder) => namesIn(folder).some((name) => name.endsWith('.ts') && name !== 'index.ts'));

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** A sentence about a folder whose test nobody finds; `undefined` where a test stands at one of the two places. */
function missing(folder: string): string | undefined {
  const mirrored = mirroredOf(folder);
  const isInside = namesIn(mirrored).some((file) => file.endsWith('.test.ts'));
  if (isInside || testsBeside(folder).length > 0) return undefined;
  return `${folder} has no test in ${mirrored}/, nor beside that, as ${mirrored}.test.ts or ${mirrored}-<what>.test.ts (for one that goes through the door alone)`;
}

test('folders of src are looked at', () => {
  expect(folders.length).toBeGreaterThan(150);
});

test('the test of a file in src stands in the folder of test with the same path', () => {
  expect(folders.flatMap((folder) => missing(folder) ?? [])).toEqual([]);
});
