import { readFileSync } from 'node:fs';
import { gapsOf, type LockFile, lockProblems } from '../../scripts/build/lock-file.js';

const native = { version: '1.0.0', dev: true, optional: true, os: ['darwin'], cpu: ['arm64'] };
const lock = (packages: LockFile['packages']): LockFile => ({
  packages: { '': {}, 'node_modules/ok': { version: '1.0.0', integrity: 'sha512-a' }, ...packages },
});

test.each<[string, LockFile['packages'], Readonly<Record<string, string>>, readonly RegExp[]]>([
  ['nothing is missing', {}, {}, []],
  [
    'an archive inside of another, and a link',
    { 'node_modules/a/node_modules/b': { version: '1.0.0', inBundle: true }, 'node_modules/c': { link: true } },
    {},
    [],
  ],
  [
    'a package that users install',
    { 'node_modules/a': { version: '1.0.0' } },
    { 'node_modules/a': '1.0.0' },
    [/^node_modules\/a 1\.0\.0 has no integrity, and is installed/],
  ],
  ['a tool for every platform', { 'node_modules/a': { version: '1.0.0', dev: true } }, { 'node_modules/a': '1.0.0' }, [/is installed/]],
  ['a known gap', { 'node_modules/a': native }, { 'node_modules/a': '1.0.0' }, []],
  [
    'a gap of another version',
    { 'node_modules/a': native },
    { 'node_modules/a': '0.9.0' },
    [/^node_modules\/a 1\.0\.0 has no integrity; run npm run lock/],
  ],
  [
    'a gap that is filled',
    { 'node_modules/a': { ...native, integrity: 'sha512-b' } },
    { 'node_modules/a': '1.0.0' },
    [/listed as without integrity, and is not/],
  ],
])('%s', (_, packages, known, wanted) => {
  const problems = lockProblems(lock(packages), known);
  expect(problems).toHaveLength(wanted.length);
  for (const [index, pattern] of wanted.entries()) expect(problems[index]).toMatch(pattern);
});

test('nothing that users install is without integrity in our own lock file', () => {
  const own = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
  expect(Object.keys(gapsOf(own)).filter((path) => own.packages[path]?.dev !== true)).toEqual([]);
});
