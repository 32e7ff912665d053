import { isApiError } from 'keelson/testing';
import { pollUntil } from '../../harness/index.js';

const WITHIN_MS = 60_000;

/**
 * Asks again while webhooks cannot be called: a Pod is ready a moment before kube-proxy leads its Service to it, and the API server learns later still what it
 * is to trust.
 */
export async function untilAccepted(ask: () => Promise<unknown>): Promise<void> {
  let last: unknown;
  const accepted = await pollUntil(async () => {
    try {
      await ask();
      return true;
    } catch (error) {
      if (!isApiError(error) || error.status.code !== 500) throw error;
      last = error;
      return false;
    }
  }, WITHIN_MS);
  if (!accepted) throw new Error(`the webhooks did not answer within ${WITHIN_MS / 1000} s: ${String(last)}`);
}
