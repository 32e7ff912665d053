import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ran } from '../commands.js';
import { keelson } from '../scaffolded.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-init-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const run = (args: string, { where = directory, answers }: { where?: string; answers?: (string | undefined)[] } = {}): Promise<Ran> =>
  keelson(args, where, answers);

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(folder, file)).isFile());
const read = (file: string): string => readFileSync(join(directory, file), 'utf8');

const FILES = [
  '.github/dependabot.yml',
  '.github/workflows/ci.yaml',
  '.github/workflows/release.yaml',
  '.gitignore',
  'Dockerfile',
  'README.md',
  'cdk8s.yaml',
  'package.json',
  'src/main.ts',
  'src/memcached.test.ts',
  'src/memcached.ts',
  'src/operator.ts',
  'src/run.ts',
  'tsconfig.json',
];
const GIVEN = '--group cache.example.com --kind Memcached';

test('a project is fourteen files, and ends with the next two commands', async () => {
  const { status, out, error } = await run(`init my-operator ${GIVEN}`);
  expect([status, error]).toEqual([0, '']);
  expect(filesBelow(join(directory, 'my-operator')).sort()).toEqual(FILES);
  expect(out).toMatch(/^my-operator: 14 files\n/);
  expect(out).toMatch(/\nNext:\n {2}cd my-operator && npm install\n {2}npm test\n$/);
  expect(JSON.parse(read('my-operator/package.json'))).toMatchObject({ name: 'my-operator', dependencies: { keelson: '^0.1.0' } });
});

test('a folder that is there and empty, or holds a new repository, is taken as it is', async () => {
  mkdirSync(join(directory, 'my-operator/.git'), { recursive: true });
  const { status, out } = await run(`init . ${GIVEN} --webhooks --conversion --jest`, { where: join(directory, 'my-operator') });
  expect(status).toBe(0);
  expect(filesBelow(join(directory, 'my-operator')).sort()).toEqual(FILES);
  expect(out).toMatch(/\nNext:\n {2}npm install\n {2}npm test\n$/);
});

test('a shell can read the next command, whatever the folder is called', async () => {
  const folder = "it's/here";
  mkdirSync(join(directory, "it's"));
  const { out } = await run(`init ${folder} --name here ${GIVEN}`);
  expect(out).toContain(`cd 'it'\\''s/here' && npm install`);
});

test('a folder that holds something is refused, and left as it is', async () => {
  for (const name of ['b', 'c', 'd', 'a', 'e']) writeFileSync(join(directory, name), '');
  const { status, out, error } = await run(`init . --name my-operator ${GIVEN}`);
  expect([status, out]).toEqual([1, '']);
  expect(error).toBe(
    '.: the folder is not empty (it holds a, b, c and 2 more); name a new one. To add to a project that is there, run keelson create in it\n',
  );
  expect(filesBelow(directory)).toHaveLength(5);
});

test.each([
  [
    'init',
    'FOLDER, --group, --kind: not given, and nothing is asked without a terminal or with --yes; for example: keelson init my-operator',
  ],
  ['init my-operator --group a.example.com', '--kind: not given'],
  ['init a b', 'one folder is expected, got a b'],
  ['init a --jest --vitest', '--jest and --vitest exclude each other; give one'],
  ['init a --esm --commonjs', '--esm and --commonjs exclude each other; give one'],
  ['init a --group example --kind Memcached', '--group example: has no dot; write a domain that you own'],
  ['init a --group a_b.com --kind Memcached', '--group a_b.com: must be lower case letters, digits, dashes and dots'],
  ['init a --group x.k8s.io --kind Memcached', '--group x.k8s.io: belongs to the Kubernetes project; use a domain that you own'],
  ['init a --group a.example.com --kind memcached', '--kind memcached: is not a kind; write letters and digits in CamelCase'],
  [`init a --group a.example.com --kind ${'A'.repeat(62)}`, 'has 66 characters; it must have at most 63'],
  [
    'init a --group a.example.com --kind Service',
    '--kind Service: is a name that the generated code uses for something else; choose another',
  ],
  ['init a --group a.example.com --kind Run', '--kind Run: is a name that the generated code uses for something else'],
  [`init My_Operator ${GIVEN}`, "the folder's name, My_Operator: must be lower case letters, digits and dashes, beginning with a letter"],
  [`init a --name 1a ${GIVEN}`, '--name 1a: must be lower case letters'],
  [`init vitest ${GIVEN}`, "the folder's name, vitest: is the name of a package that the project depends on; give another with --name"],
  [`init ${'a'.repeat(51)} ${GIVEN}`, 'has 51 characters; it must have at most 50'],
  [`init a ${GIVEN} --version 1`, '--version 1: is not a version of an API; write v1alpha1, v1beta1, v1 and so on'],
  [`init a ${GIVEN} --conversion --version v1alpha1`, '--version v1alpha1: is the older version of --conversion; give a newer one'],
  [`init a ${GIVEN} --frobnicate`, 'unknown option --frobnicate'],
])('%s is wrong use', async (args, message) => {
  const { status, out, error } = await run(args);
  expect([status, out]).toEqual([2, '']);
  expect(error).toContain(`keelson init: `);
  expect(error).toContain(message);
  expect(error).toMatch(/\nSee keelson init --help.\n$/);
  expect(filesBelow(directory)).toEqual([]);
});

test('a file in the way is named', async () => {
  writeFileSync(join(directory, 'a'), '');
  expect(await run(`init a ${GIVEN}`)).toMatchObject({ status: 1, error: 'a: is a file, or below a file; name a new folder\n' });
});

test('a terminal is asked for what is not given, and again after a wrong answer', async () => {
  const answers = ['my-operator', '', 'example', 'cache.example.com', 'HTTPProbe', 'y', '', '', 'mocha', 'jest', 'amd', 'commonjs'];
  const { status, out } = await run('init', { answers });
  expect(status).toBe(0);
  expect(out.split('\n').slice(0, 17)).toMatchInlineSnapshot(`
[
  "Folder: my-operator",
  "API group, a domain that you own: ",
  "  there is no default; give an answer, or Ctrl-C to end",
  "API group, a domain that you own: example",
  "  example: has no dot; write a domain that you own, for example example.example.com",
  "API group, a domain that you own: cache.example.com",
  "Kind, in CamelCase: HTTPProbe",
  "Webhooks (y/N): y",
  "An older version, v1alpha1, that is converted (y/N): ",
  "Version (v1alpha1): ",
  "Test runner, vitest or jest (vitest): mocha",
  "  mocha: is not a test runner that is known here; answer vitest or jest",
  "Test runner, vitest or jest (vitest): jest",
  "Modules, esm or commonjs (esm): amd",
  "  amd: is not a module format; answer esm or commonjs",
  "Modules, esm or commonjs (esm): commonjs",
  "my-operator: 14 files",
]
`);
  expect(filesBelow(join(directory, 'my-operator'))).toContain('src/http-probe.ts');
  expect(JSON.parse(read('my-operator/package.json'))).toMatchObject({ type: 'commonjs', scripts: { test: 'jest' } });
});

test('--yes asks nothing in a terminal either', async () => {
  expect(await run(`init my-operator ${GIVEN} --yes`, { answers: [] })).toMatchObject({ status: 0 });
  expect(await run('init other --yes', { answers: [] })).toMatchObject({
    status: 2,
    error: expect.stringContaining('--group, --kind: not given'),
  });
});

test('an interrupted question writes nothing', async () => {
  const { status, error } = await run('init my-operator', { answers: ['cache.example.com', undefined] });
  // The status by which shells know a program that Ctrl-C ended.
  expect([status, error]).toEqual([130, 'keelson init: interrupted; nothing was written\n']);
  expect(filesBelow(directory)).toEqual([]);
});
