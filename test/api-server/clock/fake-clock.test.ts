import { FakeClock } from '../../../src/api-server/clock/index.js';

describe('a clock that a test moves', () => {
  test('fires what falls due, at its own time, in order', () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const fired: string[] = [];
    clock.schedule(2000, () => fired.push(`b ${clock.now().toISOString()}`));
    clock.schedule(1000, () => {
      fired.push(`a ${clock.now().toISOString()}`);
      clock.schedule(500, () => fired.push(`c ${clock.now().toISOString()}`));
    });
    clock.schedule(60_000, () => fired.push('too late'));
    clock.advance('3s');
    expect(fired).toEqual(['a 2030-01-01T00:00:01.000Z', 'c 2030-01-01T00:00:01.500Z', 'b 2030-01-01T00:00:02.000Z']);
    expect([clock.now().toISOString(), clock.pending]).toEqual(['2030-01-01T00:00:03.000Z', 1]);
  });

  test('what was taken back does not fire', () => {
    const clock = new FakeClock();
    let fired = 0;
    clock.schedule(1, () => {
      fired += 1;
    })();
    clock.advance('1h');
    expect(fired).toBe(0);
  });

  test.each(['10', 'soon', '-1s', Number.NaN, -1])('%p is refused with the way to write it', (span) => {
    expect(() => new FakeClock().advance(span as never)).toThrow(/is not a span of time: write it as 500ms/);
  });

  test('a start that is not a time is refused', () => {
    expect(() => new FakeClock('yesterday')).toThrow('yesterday is not a time');
  });
});
