import { isApiError } from 'keelson/testing';
import { pollUntil } from './poll.js';

export interface RetryRefusedOptions {
  /**
   * Status codes of temporary refusals.
   * @defaultValue 503 — kube-apiserver answers so, with `Retry-After`, while it makes the storage of a changed CustomResourceDefinition anew; kubectl then asks again
   */
  readonly codes?: readonly number[];
  /** @defaultValue 60_000 */
  readonly withinMs?: number;
}

/**
 * Sends a request again as long as the server refuses it for a moment. The client of a test cluster hides nothing, so these refusals reach the test.
 *
 * @throws the refusal that is not temporary, or the last one when the time is up
 */
export async function retryRefused<T>(
  request: () => Promise<T>,
  { codes = [503], withinMs = 60_000 }: RetryRefusedOptions = {},
): Promise<T> {
  let outcome: { readonly answer: T } | { readonly error: unknown } | undefined;
  await pollUntil(async () => {
    outcome = await request().then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    return !('error' in outcome && isApiError(outcome.error) && codes.includes(outcome.error.status.code ?? 0));
  }, withinMs);
  if (outcome === undefined) throw new Error('the request was never sent');
  if ('error' in outcome) throw outcome.error;
  return outcome.answer;
}
