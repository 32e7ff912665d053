import { BodyProblem } from './body-problem.js';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const INTEGER = /^-?[0-9]+$/;

/**
 * The value of a JSON number as Go keeps it: an int64 if it is written as an integer and fits, else a float64.
 *
 * An int64 that JavaScript would print differently is refused: kept as it is, clients would read another number than the one that was written.
 */
export function exactNumber(token: string): number {
  const value = Number(token);
  if (!Number.isFinite(value))
    throw new BodyProblem(`json: cannot unmarshal number ${token} into Go value of type float64`, { kind: 'value' });
  if (Number.isSafeInteger(value) || !INTEGER.test(token)) return value;
  const exact = BigInt(token);
  if (exact < INT64_MIN || exact > INT64_MAX || String(value) === exact.toString()) return value;
  throw new BodyProblem(
    `the integer ${token} is beyond ±${Number.MAX_SAFE_INTEGER} and cannot be kept exactly by keelson's in-process API server; write it as a string`,
    { kind: 'value' },
  );
}
