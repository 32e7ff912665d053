import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { HANG_MS } from './test/deadline.cjs';

const at = (path) => new URL(path, import.meta.url);

/** `@keelson/kubernetes/kinds/*` → `<rootDir>/imports/kinds/*.ts`: the path of an entry point's declarations names its source. */
function sourcesOfDoors({ name, exports: doors = {} }) {
  return Object.entries(doors)
    .filter(([, conditions]) => conditions?.types !== undefined)
    .map(([subpath, { types }]) => [
      `^${name}${subpath.slice(1).replace('*', '(.*)')}$`,
      types.replace('./lib/types', '<rootDir>').replace('.d.ts', '.ts').replace('*', '$1'),
    ]);
}

const sourceOfPublicName = Object.fromEntries(
  readdirSync(at('src')).flatMap((folder) => sourcesOfDoors(JSON.parse(readFileSync(at(`src/${folder}/package.json`), 'utf8')))),
);

/** Tests run the sources, under the public names that users import. Suites that need a real API server live in test/cluster and have a config of their own. */
export const shared = {
  testEnvironment: 'node',
  testTimeout: HANG_MS,
  extensionsToTreatAsEsm: [],
  transform: {
    // Maps beside the code, not in it: each of 560 files compiles what it loads anew, and three fifths of that text were maps.
    '^.+\\.[cm]?tsx?$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' }, sourceMaps: true },
    ],
  },
  moduleNameMapper: { ...sourceOfPublicName, '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/lib/', '<rootDir>/src/[^/]+/lib', '<rootDir>/dist/', '<rootDir>/.results/'],
};

/** Golden data of other projects is not part of this one: where it lies beside the checkout, more suites run. Own recordings cover the same (test/api-server/lives). */
const FOREIGN_DATA = new URL('../shared/data', import.meta.url);

export default {
  ...shared,
  // Jest leaves one core to itself; of two that is half of the time.
  maxWorkers: '100%',
  // A process that has run dozens of suites runs the next ones half as fast; a new one is there in less than a second.
  workerIdleMemoryLimit: '250MB',
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/examples/**/*.test.ts'],
  testPathIgnorePatterns: [
    '<rootDir>/test/cluster/',
    '<rootDir>/test/npm-package/',
    '/node_modules/',
    ...(existsSync(FOREIGN_DATA) ? [] : ['\\.foreign\\.test\\.ts$']),
  ],
};
