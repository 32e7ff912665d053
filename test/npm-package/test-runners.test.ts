import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { consumer, run, tarballs } from './consumer.js';

/** A project of its own: test runners bring compilers, which the other consumers must do without. */
const project = join(dirname(consumer), 'test-runners');

beforeAll(() => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { devDependencies: Readonly<Record<string, string>> };
  const own = ['zod', 'jest', '@swc/core', '@swc/jest', '@types/jest', '@types/node'].map((name) => `${name}@${devDependencies[name]}`);
  // ts-jest asks for the compiler's API, which TypeScript 7 does not have; the newest vitest asks for Node 22.
  const others = ['ts-jest@29.4.15', 'typescript@5.9.3', 'vitest@4.1.12'];
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "test-runners", "private": true }\n');
  const flags = ['--silent', '--prefer-offline', '--no-fund', '--no-audit', '--ignore-scripts'];
  execFileSync('npm', ['install', ...flags, ...Object.values(tarballs), ...own, ...others], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
});

/** A suite as a user writes it: an operator runs against the API server in the process, and makes what it should. */
const suite = (load: string): string => `${load}
const Greeting = defineCustomResource({
  group: 'demo.example.com',
  kind: 'Greeting',
  versions: { v1: { spec: z.object({ to: z.string() }), status: z.object({ said: z.string().optional() }) } },
});
const controller = defineController({
  name: 'greeting',
  for: Greeting,
  owns: { texts: ConfigMap },
  reconcile({ object, done }) {
    const text = 'hello ' + object.spec.to;
    return done({ owned: { texts: [ConfigMap({ metadata: { name: object.metadata.name }, data: { text } })] }, status: { said: text } });
  },
});
const operator = defineOperator({ name: 'greeter', controllers: [controller], webhooks: [defaulting(Greeting, (object) => { object.spec.to += '!'; })] });

test('an operator runs', async () => {
  const cluster = await TestCluster.start({ operator });
  try {
    const running = await cluster.startOperator();
    await cluster.create(Greeting({ metadata: { name: 'a' }, spec: { to: 'world' } }));
    const { status } = await cluster.until(Greeting, 'a', { status: { said: 'hello world!' } });
    const { data } = await cluster.get(ConfigMap, 'a');
    if (status?.said !== data?.['text']) throw new Error(status?.said + ' is not ' + data?.['text']);
    await running.stop();
  } finally {
    await cluster.close();
  }
}, 60_000);
`;

const imports = `
import { defaulting, defineController, defineCustomResource, defineOperator } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { TestCluster } from '@keelson/testing';
import { z } from 'zod';
`;

interface Cell {
  readonly name: string;
  readonly type: 'commonjs' | 'module';
  readonly file: string;
  /** Names of the runner that are no globals. */
  readonly load?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly says: RegExp;
}

const bin = (path: string): string => join(project, 'node_modules', path);
const jestProgram = bin('jest/bin/jest.js');
const COMPILED = { target: 'es2022', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, types: ['node', 'jest'] };
const inTypeScript = (transform: object, more: object = {}): string => JSON.stringify({ transform, ...more });

const cells: readonly Cell[] = [
  // As the starter project of cdk8s has it.
  {
    name: 'jest, CommonJS by ts-jest',
    type: 'commonjs',
    file: 'operator.test.ts',
    files: {
      'jest.config.json': inTypeScript({ '\\.ts$': 'ts-jest' }),
      'tsconfig.json': JSON.stringify({
        compilerOptions: { ...COMPILED, module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true },
      }),
    },
    args: [jestProgram, '--config', 'jest.config.json'],
    says: /1 passed/,
  },
  {
    name: 'jest, CommonJS by swc',
    type: 'commonjs',
    file: 'operator.test.ts',
    files: { 'jest.config.json': inTypeScript({ '\\.ts$': '@swc/jest' }) },
    args: [jestProgram, '--config', 'jest.config.json'],
    says: /1 passed/,
  },
  {
    name: 'jest, ES modules by swc',
    type: 'module',
    file: 'operator.test.ts',
    files: { 'jest.config.json': inTypeScript({ '\\.ts$': '@swc/jest' }, { extensionsToTreatAsEsm: ['.ts'] }) },
    args: ['--experimental-vm-modules', jestProgram, '--config', 'jest.config.json'],
    says: /1 passed/,
  },
  {
    name: 'vitest',
    type: 'module',
    file: 'operator.test.ts',
    load: "import { test } from 'vitest';",
    args: [bin('vitest/vitest.mjs'), 'run'],
    says: /1 passed/,
  },
  {
    name: 'node:test, ES modules',
    type: 'module',
    file: 'operator.test.js',
    load: "import { test as asNode } from 'node:test';\nconst test = (name, run) => asNode(name, run);",
    args: ['--test', 'operator.test.js'],
    says: /# pass 1/,
  },
  {
    name: 'node:test, CommonJS',
    type: 'commonjs',
    file: 'operator.test.js',
    load: "const { test: asNode } = require('node:test');\nconst test = (name, run) => asNode(name, run);",
    args: ['--test', 'operator.test.js'],
    says: /# pass 1/,
  },
];

test.each(cells)('an operator runs in $name', ({ name, type, file, load = '', files = {}, args, says }) => {
  const folder = join(project, name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder);
  const named =
    file.endsWith('.js') && type === 'commonjs' ? imports.replaceAll(/import (\{.*\}) from ('.*');/g, 'const $1 = require($2);') : imports;
  const written = { ...files, 'package.json': JSON.stringify({ type }), [file]: suite(`${load}${named}`) };
  for (const [path, text] of Object.entries(written)) writeFileSync(join(folder, path), text);
  const { status, output } = run(process.execPath, args, { CI: 'true' }, folder);
  expect([status, output]).toEqual([0, expect.stringMatching(says)]);
  // What a runner has to end by force, or warns of, a user would search for in vain.
  expect(output).not.toMatch(/did not exit|force exited|open handle|UnhandledPromise/);
});
