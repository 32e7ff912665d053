import { getEventListeners } from 'node:events';
import { pause, systemClock, turn } from '../../../src/runtime/clock/index.js';
import { FakeClock } from './fake-clock.js';

describe('a pause', () => {
  test('is over when its time is, and leaves no listener behind', async () => {
    const clock = new FakeClock();
    const { signal } = new AbortController();
    let isOver = false;
    const paused = pause(clock, 1_000, signal).then(() => {
      isOver = true;
    });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    clock.advance(999);
    await turn();
    expect(isOver).toBe(false);
    clock.advance(1);
    await paused;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('is over on abort, before its time or at its beginning, and leaves no timer behind', async () => {
    const clock = new FakeClock();
    const aborter = new AbortController();
    const paused = pause(clock, 1_000, aborter.signal);
    expect(clock.pending).toBe(1);
    aborter.abort();
    await paused;
    await pause(clock, 1_000, aborter.signal);
    expect(clock.pending).toBe(0);
    expect(getEventListeners(aborter.signal, 'abort')).toEqual([]);
  });
});

describe('the clock of the process', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 5_000 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('tells both times', () => {
    const before = systemClock.monotonicMs();
    jest.advanceTimersByTime(250);
    expect(systemClock.monotonicMs() - before).toBe(250);
    expect(systemClock.wallMs()).toBe(5_250);
  });

  test('calls once, after the delay, unless that is taken back', () => {
    const called: string[] = [];
    systemClock.schedule(100, () => called.push('late'));
    systemClock.schedule(-1, () => called.push('at once'));
    systemClock.schedule(50, () => called.push('never'))();
    jest.advanceTimersByTime(0);
    expect(called).toEqual(['at once']);
    jest.advanceTimersByTime(99);
    expect(called).toEqual(['at once']);
    jest.advanceTimersByTime(1_000);
    expect(called).toEqual(['at once', 'late']);
  });

  test("takes a delay that is longer than Node's timers for the longest one", () => {
    const called: string[] = [];
    systemClock.schedule(2 ** 31, () => called.push('now'));
    jest.advanceTimersByTime(2 ** 31 - 2);
    expect(called).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(called).toEqual(['now']);
  });
});
