import { spawnSync } from 'node:child_process';
import { DEADLINE_MS } from './deadline.cjs';
import { eventually } from './eventually.js';

describe('what comes', () => {
  test('is returned when it is truthy, and not asked for again', async () => {
    const answers = [undefined, '', 0, 'there', 'later'];
    expect(await eventually(() => answers.shift())).toBe('there');
    expect(answers).toEqual(['later']);
  });

  test('is seen while a test holds the clock', async () => {
    jest.useFakeTimers();
    const answers = [false, true];
    expect(await eventually(async () => answers.shift())).toBe(true);
    jest.useRealTimers();
  });

  test('from another process is asked for after a pause', async () => {
    const asked: number[] = [];
    await eventually(async () => asked.push(performance.now()) === 2);
    const [first = 0, second = 0] = asked;
    // Timers may be a millisecond early.
    expect(second - first).toBeGreaterThanOrEqual(99);
  });
});

describe('what does not come is told', () => {
  const asked = jest.fn();
  let impatiently: typeof eventually;
  beforeEach(() => {
    asked.mockReset();
    jest.replaceProperty(process, 'env', { ...process.env, KEELSON_TEST_PATIENCE: '0.0005' });
    jest.isolateModules(() => {
      ({ eventually: impatiently } = jest.requireActual<{ eventually: typeof eventually }>('./eventually.js'));
    });
  });
  afterEach(() => jest.restoreAllMocks());

  test('by the source of the condition, with the last value', async () => {
    const never = impatiently(() => asked());
    await expect(never).rejects.toThrow(/^not met within 0\.06 s: \(\) ?=> ?asked\(\)\nlast: undefined$/);
    expect(asked.mock.calls.length).toBeGreaterThan(1);
  });

  test('in the words of the caller, which may be those of the end', async () => {
    await expect(impatiently(() => null, 'a Pod')).rejects.toThrow('not met within 0.06 s: a Pod\nlast: null');
    const never = impatiently(
      async () => asked(),
      () => `a Pod, asked for ${asked.mock.calls.length} times`,
    );
    await expect(never).rejects.toThrow(/: a Pod, asked for [2-9] times\nlast: undefined$/);
  });

  test('with the last error, where errors are temporary; others end the wait', async () => {
    asked.mockImplementation(() => {
      throw new Error(asked.mock.calls.length < 3 ? 'too early' : 'refused');
    });
    await expect(impatiently(asked)).rejects.toThrow(/^too early$/);
    const isEarly = (error: unknown): boolean => (error as Error).message === 'too early';
    await expect(impatiently(asked, 'an answer', isEarly)).rejects.toThrow(/^refused$/);
    await expect(impatiently(asked, 'an answer', () => true)).rejects.toThrow('s: an answer\nlast: refused');
  });
});

describe('KEELSON_TEST_PATIENCE', () => {
  const deadlines = (patience: string) =>
    spawnSync(process.execPath, ['-p', 'const d = require("./test/deadline.cjs"); [d.DEADLINE_MS, d.HANG_MS].join()'], {
      env: { KEELSON_TEST_PATIENCE: patience },
      encoding: 'utf8',
      timeout: DEADLINE_MS,
    });

  test.each([
    ['', '120000,600000'],
    ['2.5', '300000,1500000'],
  ])('"%s" makes the deadlines %s', (patience, expected) => {
    expect(deadlines(patience).stdout.trim()).toBe(expected);
  });

  test.each(['0', '-1', 'much', 'Infinity'])('"%s" is no factor', (patience) => {
    expect(deadlines(patience).stderr).toContain(`KEELSON_TEST_PATIENCE is "${patience}": set a number above 0`);
  });
});
