import { retryRefused } from '../../harness/retry-refused.js';

/**
 * Asks again while webhooks cannot be called: a Pod is ready a moment before kube-proxy leads its Service to it, and the API server learns later still what it
 * is to trust.
 */
export async function untilAccepted(ask: () => Promise<unknown>): Promise<void> {
  await retryRefused(ask, { codes: [500] });
}
