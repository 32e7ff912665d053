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
  const mirrored = mirroredOf(folder);
  const beside = testsBeside(folder);
  const inside = existsSync(mirrored) ? [`${mirrored}/**/*.test.ts`] : [];
  const match = [...inside, ...beside];
  if (match.length === 0) throw new Error(`${folder} has no tests of its own: neither ${mirrored}/ nor ${mirrored}.test.ts is there`);
  return { root: beside.length === 0 ? mirrored : dirname(mirrored), match };
}

/** `src/runtime/queue` → `test/runtime/queue` */
export const mirroredOf = (folder: string): string => folder.replace(/^src\b/, 'test');

/** Test files beside the mirrored folder, under its name: `queue.test.ts`, `queue-limits.test.ts`. */
export function testsBeside(folder: string): readonly string[] {
  const mirrored = mirroredOf(folder);
  const [room, name] = [dirname(mirrored), basename(mirrored)];
  const isOfIt = (file: string): boolean => file.endsWith('.test.ts') && (file === `${name}.test.ts` || file.startsWith(`${name}-`));
  return existsSync(room)
    ? readdirSync(room)
        .filter(isOfIt)
        .map((file) => join(room, file))
    : [];
}
