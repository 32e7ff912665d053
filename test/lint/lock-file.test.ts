import { readFileSync } from 'node:fs';

interface LockedPackage {
  readonly resolved?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

test('the lock file lists the native packages of all platforms: with one missing, npm ci refuses it everywhere', () => {
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  const missing = wanted.filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)));
  expect(missing).toEqual([]);
});

test('the lock file names no registry: it serves every mirror', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
