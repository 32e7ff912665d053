import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEADLINE_MS } from '../../deadline.cjs';
import type { Ran } from '../commands.js';
import { compiled, emptyWork, keelson, node } from '../scaffolded.js';

const root = process.cwd();
const work = emptyWork('create-version');

/** As a process, because the command loads TypeScript of the project by tsx; the sources stand for the package. */
function create(project: string, args: string): Ran {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', join(root, 'node_modules/tsx/dist/loader.mjs'), join(root, 'src/cli/main.ts'), 'create', ...args.split(' ')],
    {
      cwd: join(work, project),
      encoding: 'utf8',
      timeout: DEADLINE_MS,
      env: { ...process.env, NO_COLOR: '1', TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') },
    },
  );
  return { status: status ?? -1, out: stdout, error: stderr };
}

const at = (project: string, file: string): string => join(work, project, 'src', file);
const read = (project: string, file: string): string => readFileSync(at(project, file), 'utf8');

const WIDGET = `import { defineController, defineCustomResource, k, type Resource } from 'keelson';
import { z } from 'zod';

export const Widget = defineCustomResource({
  group: 'shop.example.com',
  kind: 'Widget',
  versions: {
    v1: { storage: true, deprecated: true, spec: z.object({ size: k.quantity().default('1Gi'), parts: k.listMap(z.object({ name: z.string() }), 'name') }).optional() },
    v1beta1: { spec: z.object({ size: k.quantity().default('1Gi'), parts: k.listMap(z.object({ name: z.string() }), 'name') }).optional() },
  },
});
export interface Widget extends Resource<typeof Widget> {}
export const Plain = defineCustomResource({ group: 'shop.example.com', kind: 'Plain', versions: { v1: { fields: z.object({ data: z.record(z.string(), z.string()) }) } } });
export const Coded = defineCustomResource({ group: 'shop.example.com', kind: 'Coded', versions: { v1: { spec: z.object({ code: z.string().check(k.rule("self == 'the-one'")) }) } } });
export const Renamed = defineCustomResource({ group: 'shop.example.com', kind: 'Other', versions: { v1: { spec: z.object({}) } } }).group;
export const widgetController = defineController({ name: 'widget', for: Widget, reconcile: ({ done }) => done() });
`;

beforeAll(async () => {
  await keelson('init one --group cache.example.com --kind Memcached --jest', work);
  await keelson('init two --group cache.example.com --kind Memcached --jest --webhooks --conversion', work);
  await keelson('init three --group cache.example.com --kind Memcached --jest', work);
  writeFileSync(at('three', 'widget.ts'), WIDGET);
  const operator = read('three', 'operator.ts').replace('[memcachedController]', '[memcachedController, widgetController]');
  writeFileSync(at('three', 'operator.ts'), `import { widgetController } from './widget.js';\n${operator}`);
});

/** Changes a definition as the report says; three dots of the report are what is there. */
function follow(project: string, { out }: Ran, kind: string): void {
  const [, file = '', said = ''] = /\nAdd to src\/(.*):\n((?: {2}.*\n)+)/.exec(out) ?? [];
  const [imported = '', versions = '', convert = ''] = said.split('\n').map((line) => line.trim());
  const [, mark, version] = /^versions: \{ (?:\.\.\.|(\w+): \{ storage: true, \.\.\. \}), (.*) \},$/.exec(versions) ?? [];
  const [, kept, pairs] = /^convert: \{ (\.\.\., )?(.*) \},$/.exec(convert) ?? [];
  const taken = /^Take storage: true out of (\w+):/m.exec(out)?.[1];
  let text = `${imported}\n${read(project, file)}`;
  if (mark !== undefined) text = text.replace(`${mark}: {`, `${mark}: { storage: true,`);
  if (taken !== undefined) text = text.replace(new RegExp(`(${taken}: \\{\\s*)storage: true,`), '$1');
  text = text.replace(`kind: '${kind}',\n  versions: {`, `kind: '${kind}',\n  versions: {\n    ${version},`);
  text =
    kept === undefined
      ? text.replace(`kind: '${kind}',`, `kind: '${kind}',\n  convert: { ${pairs} },`)
      : text.replace('convert: {', `convert: {\n    ${pairs},`);
  writeFileSync(at(project, file), text);
}

describe('a version is refused, and nothing is written', () => {
  test.each([
    ['version', 2, 'keelson create version: VERSION is not given; for example: keelson create version v1beta1'],
    ['version v1 v2', 2, 'keelson create version: one VERSION is expected, got v1 v2'],
    ['version 2', 2, 'keelson create version 2: is not a version of an API; write v1alpha1, v1beta1, v1'],
    ['version ../v1', 2, 'keelson create version ../v1: is not a version of an API'],
    ['version v1 --webhooks', 2, 'keelson create version: --webhooks: not an option of version'],
    ['kind Gadget --storage', 2, 'keelson create kind: --storage: not an option of kind'],
    ['version v2', 2, '--kind: not given, and the project has Memcached, Widget, Plain, Coded, Renamed; name the kind'],
    ['version v2 --kind Gadget', 1, 'Gadget: no file in src exports a custom resource of this name (there are Memcached, Widget'],
  ])('create %s, without loading a module', async (args, status, message) => {
    const before = readdirSync(join(work, 'three/src'));
    const ran = await keelson(`create ${args}`, join(work, 'three'));
    expect([ran.status, ran.out]).toEqual([status, '']);
    expect(ran.error).toContain(message);
    expect(readdirSync(join(work, 'three/src'))).toEqual(before);
  });

  test.each([
    ['v1 --kind Widget', 'src/widget.ts: Widget has v1 already (its versions: v1, v1beta1); choose another name, or change it there'],
    ['v2 --kind Plain', 'src/widget.ts: Plain has fields beside spec and status (v1.data), which are not copied; add the version by hand'],
    ['v2 --kind Coded', 'src/widget.ts: no object of v1 can be made up from its patterns and rules'],
    ['v2 --kind Renamed', 'src/widget.ts: its export Renamed is not what defineCustomResource returns'],
  ])('create version %s', (args, message) => {
    const before = readdirSync(join(work, 'three/src'));
    const { status, out, error } = create('three', `version ${args}`);
    expect([status, out]).toEqual([1, '']);
    expect(error).toContain(message);
    expect(error).not.toContain('    at ');
    expect(readdirSync(join(work, 'three/src'))).toEqual(before);
  });

  test('where a file of the name exists', () => {
    writeFileSync(at('one', 'memcached-v2.test.ts'), '// mine\n');
    const { status, error } = create('one', 'version v2');
    expect([status, error]).toEqual([
      1,
      'src/memcached-v2.test.ts: exists already, and is not overwritten; nothing was written. Move it away, or choose another name\n',
    ]);
    expect(existsSync(at('one', 'memcached-v2.ts'))).toBe(false);
    expect(read('one', 'memcached-v2.test.ts')).toBe('// mine\n');
    rmSync(at('one', 'memcached-v2.test.ts'));
  });

  test('when the module cannot be loaded', () => {
    mkdirSync(join(work, 'broken/src'), { recursive: true });
    writeFileSync(join(work, 'broken/package.json'), readFileSync(join(work, 'one/package.json')));
    writeFileSync(at('broken', 'thing.ts'), "import './absent.js';\nexport const Thing = defineCustomResource({});\n");
    const { status, error } = create('broken', 'version v2');
    expect(status).toBe(1);
    expect(error).toMatch(/^src\/thing\.ts: cannot be loaded: .*absent/);
    rmSync(join(work, 'broken'), { recursive: true });
  });
});

describe('a version that is added', () => {
  let added: Readonly<Record<'one' | 'two' | 'three', Ran>>;
  beforeAll(() => {
    added = {
      one: create('one', 'version v1beta1'),
      two: create('two', 'version v1 --kind Memcached --storage'),
      three: create('three', 'version v2 --kind Widget'),
    };
    for (const { status, error } of Object.values(added)) expect([status, error]).toEqual([0, '']);
  });

  test('to the only one, which is stored so far without a mark', () => {
    expect(added.one.out).toBe(`src/memcached-v1beta1.ts
src/memcached-v1beta1.test.ts

Add to src/memcached.ts:
  import { memcachedV1beta1, memcachedV1beta1Conversion } from './memcached-v1beta1.js';
  versions: { v1alpha1: { storage: true, ... }, v1beta1: memcachedV1beta1 },
  convert: { v1beta1: memcachedV1beta1Conversion },
`);
  });

  test('as the stored one: the version before is converted to it', () => {
    expect(added.two.out).toContain(`
  import { memcachedV1, memcachedV1beta1Conversion } from './memcached-v1.js';
  versions: { ..., v1: memcachedV1 },
  convert: { ..., v1beta1: memcachedV1beta1Conversion },

Take storage: true out of v1beta1: v1 has it.
`);
    expect(read('two', 'memcached-v1.ts')).toContain('export const memcachedV1 = {\n  storage: true,\n');
  });

  test('to versions that needed no conversion: now they do', () => {
    expect(added.three.out).toContain(
      'convert: { v1beta1: { toStorage: ({ spec }) => ({ spec }), fromStorage: ({ spec }) => ({ spec }) }, v2: widgetV2Conversion },',
    );
    expect(read('three', 'widget-v2.ts')).not.toContain('deprecated');
  });

  test('compiles, and passes its tests with those of the project', () => {
    follow('one', added.one, 'Memcached');
    follow('two', added.two, 'Memcached');
    follow('three', added.three, 'Widget');
    expect(compiled(work)).toBe('');
    writeFileSync(
      join(work, 'jest.config.mjs'),
      `import { shared } from '../../jest.config.mjs';
export default { ...shared, rootDir: '../..', roots: [import.meta.dirname], modulePathIgnorePatterns: [] };\n`,
    );
    const said = node([join(root, 'node_modules/jest/bin/jest.js'), '-c', 'jest.config.mjs', '-i', '--ci'], work);
    expect(said).toMatch(/Test Suites: 6 passed, 6 total/);
  });

  test('does not compile any more where the schemas differ and the functions do not', () => {
    const text = read('one', 'memcached-v1beta1.ts');
    writeFileSync(at('one', 'memcached-v1beta1.ts'), text.replace('  port: k.port()', '  listen: k.port()'));
    const said = compiled(work);
    for (const field of ['port', 'listen'])
      expect(said).toMatch(new RegExp(`^one/src/memcached-v1beta1.ts.* error TS\\d+: Property '${field}' is missing`, 'm'));
    writeFileSync(at('one', 'memcached-v1beta1.ts'), text);
  });
});
