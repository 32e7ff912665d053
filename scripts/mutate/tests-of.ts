import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The tests of a folder of src, as jest looks for them. */
export interface FolderTests {
  /** The one folder that is searched. */
  readonly root: string;
  /** Globs below the project. */
  readonly match: readonly string[];
}

/** The two places of tests: in the mirrored folder, and beside it under its name, as CONTRIBUTING.md says. @throws Error where neither has any */
export function testsOf(folder: string): FolderTests {
  const mirrored = folder.replace(/^src\//, 'test/');
  const [room, name] = [dirname(mirrored), basename(mirrored)];
  const beside = existsSync(room)
    ? readdirSync(room).filter((file) => file.endsWith('.test.ts') && (file === `${name}.test.ts` || file.startsWith(`${name}-`)))
    : [];
  const inside = existsSync(mirrored) ? [`${mirrored}/**/*.test.ts`] : [];
  const match = [...inside, ...beside.map((file) => join(room, file))];
  if (match.length === 0) throw new Error(`${folder} has no tests of its own: neither ${mirrored}/ nor ${mirrored}.test.ts is there`);
  return { root: beside.length === 0 ? mirrored : room, match };
}
