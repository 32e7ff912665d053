import { readFileSync } from 'node:fs';
import { type LockFile, lockProblems } from '../../../scripts/build/lock-file.js';

const ok = { version: '1.0.0', integrity: 'sha512-a' };

test.each<[string, LockFile['packages'], readonly RegExp[]]>([
  ['nothing is missing', {}, []],
  [
    'a package inside of the archive of another',
    { 'node_modules/a': ok, 'node_modules/a/node_modules/b': { version: '1.0.0', inBundle: true } },
    [],
  ],
  [
    'a package without integrity',
    { 'node_modules/a': { version: '1.0.0' } },
    [/^node_modules\/a 1\.0\.0 has no integrity; take a version/],
  ],
  [
    'an address',
    { 'node_modules/a': { ...ok, resolved: 'https://packages.example.com/a.tgz' } },
    [/^node_modules\/a names the address https:\/\/packages\.example\.com\/a\.tgz/],
  ],
  [
    'packages of platforms, beside their tool and inside of it',
    {
      'node_modules/a': { ...ok, optionalDependencies: { 'a-linux': '1.0.0', 'a-darwin': '1.0.0' } },
      'node_modules/a-linux': ok,
      'node_modules/a/node_modules/a-darwin': ok,
    },
    [],
  ],
  [
    'packages of platforms beside a tool that is inside of another',
    {
      'node_modules/@c/b': ok,
      'node_modules/@c/b/node_modules/a': { ...ok, optionalDependencies: { '@a/linux': '1.0.0' } },
      'node_modules/@c/b/node_modules/@a/linux': ok,
    },
    [],
  ],
  [
    'a package of a platform that is left out, though another tool has its own',
    {
      'node_modules/a': { ...ok, optionalDependencies: { 'a-darwin': '1.0.0' } },
      'node_modules/b': ok,
      'node_modules/b/node_modules/a-darwin': ok,
    },
    [/^a-darwin 1\.0\.0 is missing, an optional dependency of node_modules\/a 1\.0\.0; take a version/],
  ],
])('%s', (_, packages, wanted) => {
  const problems = lockProblems({ packages: { '': {}, 'node_modules/ok': ok, ...packages } });
  expect(problems).toHaveLength(wanted.length);
  for (const [index, pattern] of wanted.entries()) expect(problems[index]).toMatch(pattern);
});

test('our own lock file lists the packages of all platforms with their integrities, and names no registry: it serves every mirror', () => {
  expect(lockProblems(JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile)).toEqual([]);
});
