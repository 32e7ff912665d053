import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/index.js';

const root = process.cwd();
/** Inside the repository, so that the compiler finds packages as in a project. */
const WORK = '.results/init';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-init-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly error: string;
}

/** Runs the command in `where`; with `answers` in a terminal, where each question takes the next of them. */
async function run(args: string, { where = directory, answers }: { where?: string; answers?: (string | undefined)[] } = {}): Promise<Ran> {
  const written = { out: '', error: '' };
  const ask = async (question: string): Promise<string | undefined> => {
    const answer = answers?.shift();
    written.out += `${question}${answer}\n`;
    return answer;
  };
  const status = await runCommandLine(args.split(' '), {
    directory: where,
    out: (text) => {
      written.out += text;
    },
    error: (text) => {
      written.error += text;
    },
    readInput: () => Promise.reject(new Error('nothing is read')),
    ask: answers === undefined ? undefined : ask,
    interrupted: () => new Promise(() => undefined),
  });
  return { status, ...written };
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(folder, file)).isFile());
const read = (file: string): string => readFileSync(join(directory, file), 'utf8');

const FILES = [
  '.github/workflows/ci.yaml',
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

test('a project is twelve files, and ends with the next two commands', async () => {
  const { status, out, error } = await run(`init my-operator ${GIVEN}`);
  expect([status, error]).toEqual([0, '']);
  expect(filesBelow(join(directory, 'my-operator')).sort()).toEqual(FILES);
  expect(out).toMatch(/^my-operator: 12 files\n/);
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
    '.: the folder is not empty (it holds a, b, c and 2 more); name a new one\n',
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
  [`init a ${GIVEN} --frobnicate`, "Unknown option '--frobnicate'"],
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
  const answers = ['my-operator', 'example', 'cache.example.com', 'HTTPProbe', 'y', '', '', 'mocha', 'jest'];
  const { status, out } = await run('init', { answers });
  expect(status).toBe(0);
  expect(out.split('\n').slice(0, 12)).toMatchInlineSnapshot(`
[
  "Folder: my-operator",
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
  "my-operator: 12 files",
]
`);
  expect(filesBelow(join(directory, 'my-operator'))).toContain('src/http-probe.ts');
  expect(read('my-operator/package.json')).toContain('"test": "jest"');
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
  expect([status, error]).toEqual([1, 'keelson init: interrupted; nothing was written\n']);
  expect(filesBelow(directory)).toEqual([]);
});

describe('the generated code', () => {
  const variants = [
    { folder: 'plain', args: '' },
    { folder: 'webhooks', args: '--webhooks --version v1' },
    { folder: 'conversion', args: '--conversion --no-webhooks' },
    { folder: 'all', args: '--webhooks --conversion --version v2 --jest' },
  ];
  beforeAll(async () => {
    rmSync(join(root, WORK), { recursive: true, force: true });
    mkdirSync(join(root, WORK), { recursive: true });
    for (const { folder, args } of variants) {
      const { error } = await run(`init ${folder} --group net.example.com --kind HTTPProbe ${args}`.trim(), { where: join(root, WORK) });
      expect(error).toBe('');
    }
  });

  function node(args: readonly string[], where = root): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: where, encoding: 'utf8' });
    return `${status === 0 ? '' : `exit status ${status}\n`}${stdout}${stderr}`;
  }

  test('compiles, in all variants', () => {
    const { paths } = (JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { compilerOptions: { paths: Record<string, string[]> } })
      .compilerOptions;
    const sources = Object.entries({ ...paths, vitest: ['node_modules/@jest/globals'] }).map(([name, places]) => [
      name,
      places.map((place) => join(root, place)),
    ]);
    const compilerOptions = { noPropertyAccessFromIndexSignature: false, paths: Object.fromEntries(sources) };
    writeFileSync(
      join(root, WORK, 'tsconfig.json'),
      JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, include: ['*/src'] }),
    );
    expect(node(['node_modules/typescript/bin/tsc', '-p', WORK, '--pretty', 'false'])).toBe('');
  }, 60_000);

  test('is formatted, and passes the lint rules that we keep ourselves', () => {
    const folders = variants.map(({ folder }) => folder);
    writeFileSync(join(root, WORK, 'biome.json'), readFileSync('biome.json', 'utf8').replace('"./node_modules', '"../../node_modules'));
    expect(
      node([join(root, 'node_modules/@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', ...folders], join(root, WORK)),
    ).toMatch(/^Checked \d\d files/);
  });

  test('synthesizes, with webhooks and conversion', () => {
    const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
    expect(node([tsx, '--tsconfig', join(root, 'tsconfig.json'), 'src/main.ts'], join(root, WORK, 'all'))).toBe('');
    const system = readFileSync(join(root, WORK, 'all/dist/all.k8s.yaml'), 'utf8');
    for (const kind of [
      'Namespace',
      'CustomResourceDefinition',
      'Deployment',
      'ValidatingWebhookConfiguration',
      'MutatingWebhookConfiguration',
    ])
      expect(system).toContain(`\nkind: ${kind}\n`);
    expect(readFileSync(join(root, WORK, 'all/dist/samples.k8s.yaml'), 'utf8')).toContain(
      'apiVersion: net.example.com/v2\nkind: HTTPProbe\n',
    );
  }, 60_000);
});
