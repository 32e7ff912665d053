import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS, runIn } from './commands.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-cli-'));
});
afterEach(() => rm(directory, { recursive: true }));

const run = (args: readonly string[]) => runIn(directory, args);

test.each([[['--help']], [['help']], [['-h']]])('%j tells the commands', async (args) => {
  const { status, out, error } = await run(args);
  expect([status, error]).toEqual([0, '']);
  expect(out.split('\nOptions:\n')[0]?.match(/^ {2}[\w-]+/gm)).toEqual(COMMANDS.map((name) => `  ${name}`));
});

test('--version is that of the package', async () => {
  const { version } = JSON.parse(await readFile('src/cli/package.json', 'utf8')) as { version: string };
  expect(await run(['--version'])).toEqual({ status: 0, out: `${version}\n`, error: '' });
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
