import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ExplorationError } from 'keelson/testing';
import { disabledComponent, recreatedOwner } from './planted/stale.js';

const VARIABLES = ['KEELSON_EXPLORE', 'KEELSON_EXPLORE_SEEDS', 'KEELSON_EXPLORE_FROM'] as const;
const ofTheRun = VARIABLES.map((name) => [name, process.env[name]] as const);
const { testPath } = expect.getState();

beforeEach(() => {
  for (const name of VARIABLES) delete process.env[name];
});
afterAll(() => {
  for (const [name, value] of ofTheRun) if (value !== undefined) process.env[name] = value;
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

  expect(await disabledComponent.bug(0)).toEqual({ seeds: 0, from: 1, disturbances: {} });
  process.env['KEELSON_EXPLORE'] = only;
  expect(await failureOf(disabledComponent.bug(0))).toBe(found);
}, 120_000);

test('a seed that is to be played again is the only one, and that of its exploration alone', async () => {
  process.env['KEELSON_EXPLORE'] = `${disabledComponent.name}:7`;
  expect(await disabledComponent.twin(20)).toMatchObject({ seeds: 1, from: 7 });
  expect(await recreatedOwner.bug(20)).toMatchObject({ seeds: 0 });
}, 120_000);
