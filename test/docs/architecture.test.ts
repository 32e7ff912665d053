import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Rooms in which the page names a file by its path inside the room. */
const ROOTS = ['', 'src', 'src/runtime', 'src/api-server', 'docs', 'test/api-server/kinds/builtin'];

test.each(['docs/architecture.md', 'CONTRIBUTING.md'])('%s names files that exist', (page) => {
  const text = readFileSync(page, 'utf8');
  const paths = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)].map(([, path = '']) => path);
  const files = paths.filter((path) => /\/|\.(ts|json|md)$/.test(path) && !/^(keelson|pkg)\//.test(path) && path !== 'index.ts');
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((path) => !ROOTS.some((root) => existsSync(join(root, path))))).toEqual([]);
});
