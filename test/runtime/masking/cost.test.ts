import { withoutCredentials } from '../../../src/runtime/masking/index.js';

/** Pieces of which patterns may begin to match, and never end. */
const PIECES = [
  '-eyJaaaa',
  'eyJaaaaaaaa.',
  'bearer ',
  'basic a',
  '://a:',
  'a=',
  'password="',
  'password=\\"',
  "token='",
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN A ',
  'AKIA',
  'LS0tLS1CRUdJTi',
  'aaaaaaaa',
  '\\',
  '"',
  ' ',
  'password: Invalid value: ',
];

test('S8 masking takes time by the length of the text, whatever that is', () => {
  const worst = (length: number): number => {
    let slowestMs = 0;
    for (const first of PIECES)
      for (const second of PIECES) {
        const text = `${(first + second).repeat(length / (first.length + second.length))}\\`;
        const startedMs = performance.now();
        withoutCredentials(text);
        slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      }
    return slowestMs;
  };
  // Half a megabyte: what is quadratic takes minutes.
  expect(worst(64 * 1024)).toBeLessThan(1_000);
  const text = '-eyJaaaa'.repeat(64 * 1024);
  const startedMs = performance.now();
  withoutCredentials(text);
  expect(performance.now() - startedMs).toBeLessThan(3_000);
});
