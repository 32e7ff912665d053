/**
 * The header `Retry-After` in milliseconds from now: seconds or an HTTP date. `undefined` when it is absent or says nothing.
 *
 * The API server sends whole seconds; dates come from what stands before it.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // Date.parse also takes bare numbers and fragments, so it is asked only for what begins as an HTTP date does.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
