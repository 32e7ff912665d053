import { tmpdir } from 'node:os';
import { type CommandUsage, USAGES } from '../../../src/cli/usage/index.js';
import { COMMANDS, runIn } from '../commands.js';

const run = (args: readonly string[]) => runIn(tmpdir(), args);

test.each(COMMANDS)('%s --help is shown in 100 columns, with an example', async (command) => {
  const { status, out, error } = await run([command, '--help']);
  expect([status, error]).toEqual([0, '']);
  expect(out).toMatch(new RegExp(`^Usage: keelson ${command} `));
  expect(out).toMatch(/\n {2}-h, --help +show this text\n\nExamples?:\n/);
  expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test.each(COMMANDS)('%s: the help names the options that there are, and no other', async (command) => {
  const { options, values }: Pick<CommandUsage, 'options' | 'values'> = USAGES[command as keyof typeof USAGES];
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
