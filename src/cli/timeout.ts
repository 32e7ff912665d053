import { millisecondsOf, type Span } from '@keelson/kubernetes/apimachinery';
import { UsageError } from './errors.js';

/** @throws UsageError */
export function timeoutIn(command: string, text: string): number {
  const ms = millisecondsOf(text as Span);
  if (ms === undefined || ms <= 0) throw new UsageError(`keelson ${command}: --timeout ${text}: is not a time; give one such as 30s or 2m`);
  return ms;
}
