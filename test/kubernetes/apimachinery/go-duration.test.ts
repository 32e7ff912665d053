import { goDurationText, parseGoDuration } from '../../../src/kubernetes/apimachinery/index.js';

/** Verdicts of Go 1.26's package `time`. */
describe('durations', () => {
  test.each([
    ['90m', '1h30m0s'],
    ['1.5h', '1h30m0s'],
    ['.071h', '4m15.6s'],
    ['1500us', '1.5ms'],
    ['-2ns', '-2ns'],
    ['1h1ns', '1h0m0.000000001s'],
    ['0', '0s'],
    ['100000h', '100000h0m0s'],
  ])('%s is %s', (text, written) => {
    const parsed = parseGoDuration(text);
    expect(typeof parsed === 'string' ? parsed : goDurationText(parsed)).toBe(written);
  });

  test.each([
    ['', 'time: invalid duration ""'],
    ['5', 'time: missing unit in duration "5"'],
    ['5d', 'time: unknown unit "d" in duration "5d"'],
    ['.s', 'time: invalid duration ".s"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
  ])('%s is refused', (text, problem) => {
    expect(parseGoDuration(text)).toBe(problem);
  });
});
