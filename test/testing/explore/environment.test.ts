import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ExplorationError } from '@keelson/testing';
import { disabledComponent, recreatedOwner } from './planted/stale.js';

const { testPath } = expect.getState();
beforeEach(() => {
  for (const name of ['', '_SEEDS', '_FROM']) delete process.env[`KEELSON_EXPLORE${name}`];
});
afterEach(() => {
  expect.setState({ testPath });
});

async function failureOf(exploration: Promise<unknown>): Promise<string> {
  const error: unknown = await exploration.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ExplorationError);
  return (error as Error).message;
}

/** A shell runs the command that an explanation ends with. @returns the variable, and the words that `npx` is called with */
function read(explanation: string): { readonly only: string | undefined; readonly words: readonly string[] } {
  const command = /^again: (.*)$/m.exec(explanation)?.[1] ?? '';
  const npx = `npx() { printf '%s\\n' "$KEELSON_EXPLORE" "$@"; }`;
  const [only, ...words] = execFileSync('sh', ['-c', `${npx}\n${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
  return { only, words };
}

test('a shell runs the command that is printed, whatever the names are, and it plays the seed again', async () => {
  expect.setState({ testPath: join(process.cwd(), "test/what $HOME's rooms are.test.ts") });
  const found = await failureOf(disabledComponent.bug(1_000));
  const { only, words } = read(found);
  expect(only).toMatch(/^a disabled component's child deleted from a stale cache:\d+$/);
  expect(words).toEqual(['jest', "test/what $HOME's rooms are.test.ts"]);

  expect(await disabledComponent.bug(0)).toEqual({ seeds: 0, from: 38, disturbances: {} });
  process.env['KEELSON_EXPLORE'] = only;
  expect(await failureOf(disabledComponent.bug(0))).toBe(found);
});

test('a seed that is to be played again is the only one, and that of its exploration alone', async () => {
  process.env['KEELSON_EXPLORE'] = `${disabledComponent.name}:7`;
  expect(await disabledComponent.twin(20)).toMatchObject({ seeds: 1, from: 7 });
  expect(await recreatedOwner.bug(20)).toMatchObject({ seeds: 0 });
});

test('how many seeds are played, and from which on, is said by the environment before the test', async () => {
  Object.assign(process.env, { KEELSON_EXPLORE_SEEDS: '2', KEELSON_EXPLORE_FROM: '40' });
  expect(await disabledComponent.twin(20)).toMatchObject({ seeds: 2, from: 40 });
});

test.each([
  { KEELSON_EXPLORE_SEEDS: 'many' },
  { KEELSON_EXPLORE_SEEDS: '-1' },
  { KEELSON_EXPLORE_FROM: '1.5' },
  { KEELSON_EXPLORE: `${disabledComponent.name}:last` },
])('seeds that are not whole numbers are refused: %j', async (variables) => {
  Object.assign(process.env, variables);
  const [[name, value] = []] = Object.entries(variables);
  await expect(disabledComponent.twin(1)).rejects.toThrow(`seeds must be whole numbers: `);
  await expect(disabledComponent.twin(1)).rejects.toThrow(`${name}=${value}`);
});
