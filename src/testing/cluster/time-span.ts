import { type Duration, spanMs } from '@keelson/kubernetes/apimachinery';
import { TestClusterError } from './errors.js';

/** `10s`, `500ms`, or milliseconds. */
export type TimeSpan = Duration | number;

export function spanOf(span: TimeSpan): number {
  const milliseconds = spanMs(span);
  if (milliseconds === undefined)
    throw new TestClusterError(
      `${JSON.stringify(span)} is not a span of time: write it as 500ms, 30s or 10m, or as a number of milliseconds`,
    );
  return milliseconds;
}

export function spanText(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${milliseconds / 1_000} s`;
}
