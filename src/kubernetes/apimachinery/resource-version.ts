const COMPARABLE = /^(?:0|[1-9][0-9]*)$/;

/**
 * Orders two resource versions of one resource: negative, zero or positive; `undefined` where only equality can be judged, as for aggregated APIs that do
 * not count.
 *
 * By the digits, never as a number: above 2^53 JavaScript's lose the last ones (H8). Source: KEP-5504, comparable resource version.
 */
export function compareResourceVersions(left: string, right: string): number | undefined {
  if (left === right) return 0;
  if (!COMPARABLE.test(left) || !COMPARABLE.test(right)) return undefined;
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : 1;
}
