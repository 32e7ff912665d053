import type { ModuleFormat } from './module-format.js';
import type { ProjectSettings } from './project.js';
import type { TestRunner } from './test-runner.js';

interface Testing {
  readonly script: string;
  readonly devDependencies: Readonly<Record<string, string>>;
  /** Packages among them whose install scripts the project does not need. */
  readonly withoutScripts: readonly string[];
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
    withoutScripts: [],
    fields: {},
  },
  jest: {
    script: 'jest',
    devDependencies: { '@jest/globals': '^30.0.0', '@swc/core': '^1.16.0', '@swc/jest': '^0.2.39', jest: '^30.0.0' },
    withoutScripts: ['@swc/core'],
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
  '@types/node': '^24.0.0',
  cdk8s: '^2.70.0',
  'cdk8s-cli': '^2.207.0',
  constructs: '^10.3.0',
  rolldown: '^1.3.0',
  tsx: '^4.20.0',
  typescript: '^7.0.0',
};

/** The endings of bundled files say their format to Node, which finds no package.json beside them in the image. */
const BUNDLE: Readonly<Record<ModuleFormat, { readonly ending: string; readonly options: string }>> = {
  esm: { ending: 'mjs', options: '' },
  commonjs: { ending: 'cjs', options: ' --format cjs' },
};

/** The entry point of the image, as the script `build` writes it. */
export const bundledEntryPoint = (format: ModuleFormat): string => `build/run.${BUNDLE[format].ending}`;

export function packageJson({ name, runner, format, keelson }: ProjectSettings): string {
  const { script, devDependencies, withoutScripts, fields } = TESTING[runner];
  const { ending, options } = BUNDLE[format];
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    type: format === 'esm' ? 'module' : 'commonjs',
    engines: { node: '>=20.19.0' },
    scripts: {
      test: script,
      typecheck: 'tsc',
      synth: 'cdk8s synth --check-upgrade=false',
      start: 'tsx src/run.ts',
      // One file for the operator and its dependencies: an image without node_modules starts sooner and is small.
      build: `rolldown src/run.ts --platform node${options} --dir build --cleanDir --entryFileNames "[name].${ending}" --chunkFileNames "[name]-[hash].${ending}"`,
    },
    dependencies: sorted({ ...keelson.dependencies, zod: '^4.3.0' }),
    devDependencies: sorted({ ...keelson.devDependencies, ...DEV_DEPENDENCIES, ...devDependencies }),
    // npm asks about each package that is not named. esbuild comes with tsx; both bring their programs as packages.
    allowScripts: Object.fromEntries([...withoutScripts, 'esbuild'].map((name) => [name, false])),
    ...fields,
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** In the order in which npm would write them. */
function sorted(dependencies: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1)));
}
