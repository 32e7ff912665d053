import { Breather } from '../../../src/runtime/clock/index.js';
import { FakeClock } from './fake-clock.js';

test('all that share a breather give way together, after ten milliseconds of work and what each has begun by then', async () => {
  const clock = new FakeClock();
  const breather = new Breather(clock);
  const perTurn: number[] = [0];
  let left = 100;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      perTurn[perTurn.length - 1] = (perTurn.at(-1) ?? 0) + 1;
      clock.block(4);
      await breather.breathe();
    }
  };
  const next = (): void => {
    perTurn.push(0);
    if (left > 0) setImmediate(next);
  };
  setImmediate(next);
  await Promise.all([work(), work(), work()]);
  expect(perTurn.reduce((sum, count) => sum + count, 0)).toBe(100);
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(5);
});

test('short work has no turn of the event loop between its pieces', () => {
  const clock = new FakeClock();
  const breather = new Breather(clock);
  clock.block(9);
  expect(breather.breathe()).toBeUndefined();
  clock.block(1);
  expect(breather.breathe()).toBeInstanceOf(Promise);
});

test('all who ask while a turn is pending wait for the same one', async () => {
  const clock = new FakeClock();
  const breather = new Breather(clock);
  clock.block(10);
  const turn = breather.breathe();
  expect(turn).toBeInstanceOf(Promise);
  expect(breather.breathe()).toBe(turn);
  await turn;
  expect(breather.breathe()).toBeUndefined();
});

test('the ten milliseconds begin with the last turn', async () => {
  const clock = new FakeClock();
  const breather = new Breather(clock);
  clock.block(1_000);
  const turn = breather.breathe();
  clock.block(5);
  await turn;
  clock.block(9);
  expect(breather.breathe()).toBeUndefined();
  clock.block(1);
  expect(breather.breathe()).toBeInstanceOf(Promise);
});
