import type { Project } from './project.js';
import type { TestRunner } from './test-runner.js';

interface Testing {
  readonly script: string;
  readonly devDependencies: Readonly<Record<string, string>>;
  /** Fields of package.json. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A deadline against hangs: a whole API server and operator start in the first hook. */
const DEADLINE_MS = 30_000;

const TESTING: Readonly<Record<TestRunner, Testing>> = {
  vitest: {
    script: `vitest run --dir src --testTimeout ${DEADLINE_MS} --hookTimeout ${DEADLINE_MS}`,
    // vitest 5 needs Node 22.
    devDependencies: { vitest: '^4.1.0' },
    fields: {},
  },
  jest: {
    script: 'jest',
    devDependencies: { '@jest/globals': '^30.0.0', '@swc/core': '^1.16.0', '@swc/jest': '^0.2.39', jest: '^30.0.0' },
    fields: {
      jest: {
        roots: ['<rootDir>/src'],
        testTimeout: DEADLINE_MS,
        // Tests run as CommonJS, which jest needs no flag for; TypeScript's imports name the .js file that there will be.
        moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
        transform: {
          '^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } }],
        },
      },
    },
  },
};

const DEV_DEPENDENCIES = {
  '@types/node': '^22.0.0',
  cdk8s: '^2.70.0',
  'cdk8s-cli': '^2.207.0',
  constructs: '^10.3.0',
  tsx: '^4.20.0',
  typescript: '^7.0.0',
};

export function packageJson({ name, runner, keelson }: Project): string {
  const { script, devDependencies, fields } = TESTING[runner];
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19.0' },
    scripts: {
      test: script,
      typecheck: 'tsc',
      synth: 'cdk8s synth --check-upgrade=false',
      start: 'tsx src/run.ts',
      build: 'tsc --noEmit false --outDir build',
    },
    dependencies: { keelson, zod: '^4.3.0' },
    devDependencies: sorted({ ...DEV_DEPENDENCIES, ...devDependencies }),
    ...fields,
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** In the order in which npm would write them. */
function sorted(dependencies: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1)));
}
