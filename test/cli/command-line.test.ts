import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/index.js';
import { USAGES } from '../../src/cli/usage/index.js';

const COMMANDS = ['apiserver', 'completion', 'create', 'dev', 'import', 'init', 'package'];
const crds = join(__dirname, '../../scripts/crds');
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-cli-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function run(args: readonly string[], input = ''): Promise<{ status: number; out: string; error: string }> {
  const written = { out: '', error: '' };
  const status = await runCommandLine(args, {
    program: '',
    directory,
    out: (text) => {
      written.out += text;
    },
    error: (text) => {
      written.error += text;
    },
    readInput: async () => input,
    interrupted: () => new Promise(() => undefined),
  });
  return { status, ...written };
}

test.each([[['--help']], [['help']], [['-h']]])('%j tells the commands', async (args) => {
  const { status, out, error } = await run(args);
  expect([status, error]).toEqual([0, '']);
  expect(out.split('\nOptions:\n')[0]?.match(/^ {2}\w+/gm)).toEqual(COMMANDS.map((name) => `  ${name}`));
});

test('--version is that of the package', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  expect(await run(['--version'])).toEqual({ status: 0, out: `${version}\n`, error: '' });
});

test.each(COMMANDS)('%s --help is shown in 100 columns, with an example', async (command) => {
  const { status, out, error } = await run([command, '--help']);
  expect([status, error]).toEqual([0, '']);
  expect(out).toMatch(new RegExp(`^Usage: keelson ${command} `));
  expect(out).toMatch(/\n {2}-h, --help +show this text\n\nExamples?:\n/);
  expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test.each(COMMANDS)('%s: the help names the options that there are, and no other', async (command) => {
  const { options = {}, values = {} } = USAGES[command] ?? {};
  const { out } = await run([command, '--help']);
  const shown = [...out.matchAll(/^ {2}(?:(-\w), | {4})--([\w-]+)(?: ([A-Z]\S*))?/gm)].map(([, short, long = '', value]) => [
    long,
    short,
    value,
  ]);
  const declared = Object.entries(options).map(([long, { short, type }]) => [long, short, type === 'string']);
  expect(shown.map(([long, short, value]) => [long, short?.slice(1), value !== undefined].join(' ')).sort()).toEqual(
    declared.map(([long, short, takesValue]) => [long, short, takesValue].join(' ')).sort(),
  );
  expect(Object.keys(values).sort()).toEqual(
    declared.flatMap(([long, , takesValue]) => (takesValue === true ? [String(long)] : [])).sort(),
  );
});

test.each([
  [['help', 'init'], 'Usage: keelson init '],
  [['init', '--group', 'example', '-h'], 'Usage: keelson init '],
  [['import', '--frob', '--help'], 'Usage: keelson import '],
])('%j shows the help of the command', async (args, first) => {
  const { status, out, error } = await run(args);
  expect([status, error]).toEqual([0, '']);
  expect(out.startsWith(first)).toBe(true);
});

test('after -- no word asks for help', async () => {
  expect(await run(['import', '--', '--help'])).toMatchObject({ status: 1, error: expect.stringContaining('--help: cannot be read') });
});

test('import --help tells its options', async () => {
  const { status, out, error } = await run(['import', '--help']);
  expect([status, error]).toEqual([0, '']);
  expect(out).toContain('--descriptions');
});

test.each([
  [[], 'keelson: no command given\n\nUsage:'],
  [['help', 'frobnicate'], 'keelson: unknown command frobnicate'],
  [['completion'], 'keelson completion: no shell given; choose bash, zsh, fish'],
  [['completion', 'tcsh'], 'keelson completion: tcsh: is not a shell that is known here; choose bash, zsh, fish'],
  [['completion', 'bash', 'zsh'], 'keelson completion: one shell is expected, got bash zsh'],
  [['frobnicate'], 'keelson: unknown command frobnicate\n\nUsage:'],
  [['toString'], 'keelson: unknown command toString'],
  [['--frob'], 'keelson: unknown option --frob'],
  [['import'], 'keelson import: no file given; pass the YAML of a CRD, or - for standard input\nSee keelson import --help.'],
  [['inti'], 'keelson: unknown command inti; did you mean init?\n\nUsage:'],
  [['import', '--frob'], 'keelson import: unknown option --frob\nSee keelson import --help.'],
  [['import', '--descriptons'], 'keelson import: unknown option --descriptons; did you mean --descriptions?\nSee'],
  [['init', '--frmo', 'x'], 'keelson init: unknown option --frmo; did you mean --from?\nSee'],
  [['dev', '-x'], 'keelson dev: unknown option -x\nSee'],
  [['import', '--out'], 'keelson import: --out: its value is missing\nSee keelson import --help.'],
  [['dev', '--context'], 'keelson dev: --context: its value is missing\nSee keelson dev --help.'],
])('wrong use %j ends with status 2', async (args, message) => {
  const { status, out, error } = await run(args);
  expect([status, out]).toEqual([2, '']);
  expect(error).toContain(message);
});

test('import writes what keelson itself ships', async () => {
  const { status, out, error } = await run(['import', join(crds, 'cert-manager.yaml'), join(crds, 'prometheus-operator.yaml')]);
  expect([status, error]).toEqual([0, '']);
  expect(out).toBe(
    'imports/cert-manager.io/v1.ts: Certificate, ClusterIssuer, Issuer\nimports/monitoring.coreos.com/v1.ts: PodMonitor, PrometheusRule, ServiceMonitor\n',
  );
  for (const group of ['cert-manager.io', 'monitoring.coreos.com']) {
    const shipped = await readFile(join(__dirname, `../../imports/third-party/${group}/v1.ts`), 'utf8');
    const written = await readFile(join(directory, `imports/${group}/v1.ts`), 'utf8');
    expect(written).toBe(shipped.replace('../../../src/kinds/index.js', 'keelson/kinds'));
  }
});

test('import reads standard input, and writes again what it has written', async () => {
  const yaml = await readFile(join(crds, 'cert-manager.yaml'), 'utf8');
  expect(await run(['import', '-', '-o', 'kinds'], yaml)).toMatchObject({ status: 0, error: '' });
  expect(await run(['import', '-', '--out=kinds'], yaml)).toMatchObject({ status: 0, error: '' });
});

test('import names what it left out', async () => {
  const yaml = await readFile(join(crds, 'cert-manager.yaml'), 'utf8');
  const { status, error } = await run(['import', '-'], `${yaml}\n---\napiVersion: v1\nkind: Namespace\n`);
  expect([status, error]).toEqual([0, 'Left out, as they are no CRDs: Namespace\n']);
});

test('a file that was written by hand is not touched', async () => {
  const yaml = await readFile(join(crds, 'cert-manager.yaml'), 'utf8');
  await run(['import', '-'], yaml);
  const file = join(directory, 'imports/cert-manager.io/v1.ts');
  await writeFile(file, 'export {};\n');
  const { status, error } = await run(['import', '-'], yaml);
  expect(status).toBe(1);
  expect(error).toBe(
    'imports/cert-manager.io/v1.ts: exists and was not written by keelson import; move it away, or choose another folder with --out\n',
  );
  expect(await readFile(file, 'utf8')).toBe('export {};\n');
});

test('kinds of an earlier run are not lost', async () => {
  const yaml = await readFile(join(crds, 'cert-manager.yaml'), 'utf8');
  await run(['import', '-'], yaml);
  const { status, error } = await run(['import', '-'], yaml.split('---\n')[0]);
  expect(status).toBe(1);
  expect(error).toContain('also holds ClusterIssuer, Issuer, which these files do not; pass all CRDs of the group in one run');
});

test('when one document is wrong, nothing is written', async () => {
  const yaml = await readFile(join(crds, 'cert-manager.yaml'), 'utf8');
  const { status, error } = await run(['import', '-'], `${yaml}---\n[]\n`);
  expect([status, error]).toEqual([1, expect.stringContaining('standard input, document 4: is not a Kubernetes object')]);
  await expect(readFile(join(directory, 'imports/cert-manager.io/v1.ts'))).rejects.toThrow('ENOENT');
});

test.each([
  ['missing.yaml', 'missing.yaml: cannot be read: no such file'],
  ['.', '.: cannot be read: it is a folder; name its files'],
  ['https://example.com/crd.yaml', 'fetch it first: curl -fsSL https://example.com/crd.yaml | keelson import -'],
])('%s cannot be read', async (file, message) => {
  const { status, error } = await run(['import', file]);
  expect(status).toBe(1);
  expect(error).toContain(message);
});
