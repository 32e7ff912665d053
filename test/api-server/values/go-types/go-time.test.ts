import { canonicalTime } from '../../../../src/api-server/values/go-types/index.js';

/** What Go 1.26 said of the same texts. */
describe('times', () => {
  test.each<[string, string | null]>([
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59Z'],
    ['2024-02-29T23:59:59.999999999Z', '2024-02-29T23:59:59Z'],
    ['2024-02-29T1:02:03,5+01:00', '2024-02-29T00:02:03Z'],
    ['2024-01-01T00:00:00+24:60', '2023-12-30T23:00:00Z'],
    ['0000-01-01T00:00:00+01:00', '-0001-12-31T23:00:00Z'],
    ['9999-12-31T23:59:59-01:00', '10000-01-01T00:59:59Z'],
    ['0001-01-01T00:00:00Z', null],
    ['0001-01-01T01:00:00+01:00', null],
  ])('%s is %s', (text, written) => {
    expect(canonicalTime(text, 'seconds')).toEqual({ text: written });
  });

  test.each<[string, string]>([
    ['', 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
    ['2024-1-01T00:00:00Z', 'parsing time "2024-1-01T00:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse "1-01T00:00:00Z" as "01"'],
    ['2024-13-01T00:00:00Z', 'parsing time "2024-13-01T00:00:00Z": month out of range'],
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2024-01-01T24:00:00Z', 'parsing time "2024-01-01T24:00:00Z": hour out of range'],
    ['2024-01-01 00:00:00Z', 'parsing time "2024-01-01 00:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse " 00:00:00Z" as "T"'],
    ['2024-01-01T00:00:00', 'parsing time "2024-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"'],
    ['2024-01-01T00:00:00+25:90', 'parsing time "2024-01-01T00:00:00+25:90": time zone offset minute out of range'],
    ['2024-01-01T00:00:00Zé"', 'parsing time "2024-01-01T00:00:00Z\\xc3\\xa9\\"": extra text: "\\xc3\\xa9\\""'],
  ])('%s is refused', (text, problem) => {
    expect(canonicalTime(text, 'seconds')).toEqual({ problem });
  });

  test('micro times have six places, no more and no less', () => {
    expect(canonicalTime('2024-01-31T00:00:00.123456+01:00', 'micro')).toEqual({ text: '2024-01-30T23:00:00.123456Z' });
    expect(canonicalTime('2024-01-01T00:00:00Z', 'micro')).toEqual({
      problem: 'parsing time "2024-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    });
    expect(canonicalTime('2024-01-01T00:00:00.1234567Z', 'micro')).toEqual({
      problem: 'parsing time "2024-01-01T00:00:00.1234567Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "7Z" as "Z07:00"',
    });
    expect(canonicalTime('2024-01-01T00:00:00.-12345Z', 'micro')).toEqual({
      problem: 'parsing time "2024-01-01T00:00:00.-12345Z": fractional second out of range',
    });
  });
});
