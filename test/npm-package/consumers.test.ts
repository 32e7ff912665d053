import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consumer, succeed, write } from './consumer.js';

/** A project that uses every entry point: defines a resource, uses a built-in kind as a factory, and writes both with cdk8s. */
const body = `
const Memcached = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Memcached',
  versions: { v1alpha1: { spec: z.object({ size: k.int32().min(1).default(3) }), status: z.object({ nodes: k.set(z.string()).optional() }) } },
});
const controller = defineController({
  name: 'memcached',
  for: Memcached,
  owns: { deployments: Deployment },
  reconcile({ object, done }) {
    const labels = { app: object.metadata.name };
    return done({
      owned: {
        deployments: [
          Deployment({
            metadata: { name: object.metadata.name },
            spec: { replicas: object.spec.size, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'memcached' }] } } },
          }),
        ],
      },
    });
  },
});
const operator = defineOperator({ name: 'memcached-operator', controllers: [controller] });

const app = new App();
const chart = new Chart(app, 'memcached', { namespace: 'memcached-system' });
new Operator(chart, 'operator', { operator, image: 'registry.example.com/memcached-operator:1.0.0' });
new CustomResource(chart, 'sample', { definition: Memcached, spec: {} });
`;

const imported = `
import { App, Chart } from 'cdk8s';
import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { CustomResource, Operator } from 'keelson/constructs';
import { Deployment } from 'keelson/kinds/apps/v1';
import { z } from 'zod';
`;

const required = `
const { App, Chart } = require('cdk8s');
const { defineController, defineCustomResource, defineOperator, k } = require('keelson');
const { CustomResource, Operator } = require('keelson/constructs');
const { Deployment } = require('keelson/kinds/apps/v1');
const { z } = require('zod');
`;

const printed = 'console.log(Testing.synth(chart).map(({ kind }) => kind).sort().join());\n';
const KINDS = ['CustomResourceDefinition', 'Deployment', 'Memcached', 'ServiceAccount'];

describe('synthesis from the tarball', () => {
  test.each([
    ['ESM', 'synth.mjs', `import { Testing } from 'cdk8s';${imported}${body}${printed}`],
    ['CommonJS', 'synth.cjs', `const { Testing } = require('cdk8s');${required}${body}${printed}`],
    // The worst case of two copies: definitions from one, constructs from the other.
    [
      'both copies at once',
      'mixed.mjs',
      `import { createRequire } from 'node:module';\nimport { Testing } from 'cdk8s';${imported.replace("import { CustomResource, Operator } from 'keelson/constructs';", "const { CustomResource, Operator } = createRequire(import.meta.url)('keelson/constructs');")}${body}${printed}`,
    ],
  ])('%s', (_name, file, text) => {
    write(file, text);
    const kinds = succeed(process.execPath, [file]).trim().split(',');
    expect(kinds).toEqual(expect.arrayContaining(KINDS));
  });

  test('without cdk8s: definitions and kinds load and work', () => {
    const script = `
const { Module } = require('node:module');
const load = Module._load;
Module._load = (name, ...rest) => { if (/^(cdk8s|constructs)/.test(name)) throw new Error(name + ' was loaded'); return load(name, ...rest); };
${required.replace(/const \{ App.*\n/, '').replace(/const \{ CustomResource.*\n/, '')}${body.slice(0, body.indexOf('const app ='))}console.log(operator.name);`;
    write('definitions.cjs', script);
    expect(succeed(process.execPath, ['definitions.cjs'])).toBe('memcached-operator\n');
  });

  test('jest in CommonJS mode, as cdk8s starter projects have it', () => {
    write(
      'jest/synth.test.js',
      `const { Testing } = require('cdk8s');${required}${body}test('synthesizes', () => { expect(Testing.synth(chart).length).toBeGreaterThan(3); });\n`,
    );
    write('jest/package.json', '{ "type": "commonjs", "jest": { "transform": {} } }\n');
    const jest = join(process.cwd(), 'node_modules/jest/bin/jest.js');
    const output = succeed(process.execPath, [jest, '--rootDir', join(consumer, 'jest'), '--config', join(consumer, 'jest/package.json')]);
    expect(output).toContain('1 passed');
  });
});

/** A test as a user writes it, of the definition above: run by Node alone. */
const tested = `
async function main() {
  const cluster = await TestCluster.start({ operator });
  const { spec } = await cluster.create(Memcached({ metadata: { name: 'a' }, spec: {} }));
  const refused = await cluster.as(cluster.operator).delete(Deployment, 'a').catch(isNotFound);
  console.log(spec.size, refused, (await cluster.until(Memcached, 'a', { spec: { size: 3 } })).metadata.namespace);
  await cluster.close();
}
main();
`;
const definitions = body.slice(0, body.indexOf('const app ='));
const withoutConstructs = (text: string): string => text.replace(/^.*(?:App, Chart|CustomResource, Operator).*\n/gm, '');

describe('the test cluster from the tarball', () => {
  const door = "import { isNotFound, TestCluster } from '@keelson/testing';\n";
  const requiredDoor = "const { isNotFound, TestCluster } = require('@keelson/testing');\n";
  test.each([
    ['ESM', 'testing.mjs', `${withoutConstructs(imported)}${door}${definitions}${tested}`],
    ['CommonJS', 'testing.cjs', `${withoutConstructs(required)}${requiredDoor}${definitions}${tested}`],
    [
      'both copies at once',
      'testing-mixed.mjs',
      `import { createRequire } from 'node:module';\n${withoutConstructs(imported)}const require = createRequire(import.meta.url);\n${requiredDoor}${definitions}${tested}`,
    ],
  ])('%s', (_name, file, text) => {
    write(file, text);
    expect(succeed(process.execPath, [file])).toBe('3 true default\n');
  });
});

interface Cell {
  readonly name: string;
  readonly compiler: 'typescript' | 'typescript-5.9';
  readonly options: Readonly<Record<string, unknown>>;
  readonly type: 'module' | 'commonjs';
}

const RESOLUTIONS: readonly (Pick<Cell, 'name' | 'type' | 'options'> & { readonly only?: Cell['compiler'] })[] = [
  { name: 'nodenext ESM', type: 'module', options: { module: 'nodenext' } },
  { name: 'nodenext CommonJS', type: 'commonjs', options: { module: 'nodenext' } },
  { name: 'node16 ESM', type: 'module', options: { module: 'node16' } },
  { name: 'node16 CommonJS', type: 'commonjs', options: { module: 'node16' } },
  { name: 'bundler', type: 'module', options: { module: 'esnext', moduleResolution: 'bundler' } },
  // TypeScript 7 has no node10 any more.
  { name: 'node10', type: 'commonjs', options: { module: 'commonjs', moduleResolution: 'node10' }, only: 'typescript-5.9' },
];

const typed = `
import { type InProcessCluster, TestCluster } from '@keelson/testing';
export async function sizeOf(name: string): Promise<number> {
  const cluster: InProcessCluster = await TestCluster.start({ operator, workloads: true });
  return (await cluster.get(Memcached, name)).spec.size;
}
`;

const cells: Cell[] = (['typescript', 'typescript-5.9'] as const).flatMap((compiler) =>
  RESOLUTIONS.filter(({ only }) => only === undefined || only === compiler).map((resolution) => ({ ...resolution, compiler })),
);

test.each(cells)('$compiler, $name: compiles, and writes declarations without zod', ({ name, compiler, options, type }) => {
  const folder = `types/${compiler}-${name.replaceAll(' ', '-')}`;
  const compilerOptions = {
    // Our declarations are checked too; 5.9 needs ten seconds for zod's and cdk8s', so there once is enough.
    skipLibCheck: compiler === 'typescript-5.9' && name !== 'nodenext CommonJS',
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'es2022',
    types: ['node'],
    declaration: true,
    outDir: 'out',
    ...options,
  };
  write(`${folder}/package.json`, JSON.stringify({ type }));
  write(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ['operator.ts'] }));
  const exported = body.replaceAll(/^const (Memcached|controller|operator) /gm, 'export const $1 ');
  write(`${folder}/operator.ts`, `${imported}import { Pod } from 'keelson/kinds';\nexport type { Pod };\n${exported}${typed}`);
  const tsc = join(process.cwd(), 'node_modules', compiler, 'bin/tsc');
  succeed(process.execPath, [tsc, '-p', folder]);
  expect(readFileSync(join(consumer, folder, 'out/operator.d.ts'), 'utf8')).not.toContain('zod');
});
