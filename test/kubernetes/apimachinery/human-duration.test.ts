import { humanDuration } from '../../../src/kubernetes/apimachinery/index.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

test.each([
  [-2 * SECOND, '<invalid>'],
  [-1.9 * SECOND, '0s'],
  [-1, '0s'],
  [0, '0s'],
  [119.9 * SECOND, '119s'],
  [2 * MINUTE, '2m'],
  [2 * MINUTE + SECOND, '2m1s'],
  [10 * MINUTE + SECOND, '10m'],
  [3 * HOUR - 1, '179m'],
  [3 * HOUR, '3h'],
  [3 * HOUR + 5 * MINUTE, '3h5m'],
  [8 * HOUR + 5 * MINUTE, '8h'],
  [2 * DAY - 1, '47h'],
  [2 * DAY, '2d'],
  [2 * DAY + 5 * HOUR, '2d5h'],
  [8 * DAY + 5 * HOUR, '8d'],
  [2 * YEAR - 1, '729d'],
  [2 * YEAR, '2y'],
  [2 * YEAR + 3 * DAY, '2y3d'],
  [8 * YEAR + 3 * DAY, '8y'],
])('%d ms is %s', (milliseconds, text) => {
  expect(humanDuration(milliseconds)).toBe(text);
});
