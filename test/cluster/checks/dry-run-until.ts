import { type ApiResponse, type Cluster, pollUntil, type Status, type TestObject } from '../harness/index.js';

const WITHIN_MS = 60_000;

/**
 * Creates the object as a dry run until the answer has this status and its message this text: what judges objects is in force, or out of it, a moment after
 * it has been stored or deleted. Returns the last answer, awaited or not: the caller's expectation shows it.
 */
export async function dryRunUntil(cluster: Cluster, object: TestObject, status: number, text = ''): Promise<ApiResponse<Status>> {
  const ask = async (): Promise<ApiResponse<Status>> =>
    cluster.request<Status>('POST', await cluster.paths.collectionOf(object), object, { query: { dryRun: 'All' } });
  let last = await ask();
  const isAwaited = (): boolean => last.status === status && (text === '' || last.body.message?.includes(text) === true);
  await pollUntil(async () => {
    if (isAwaited()) return true;
    last = await ask();
    return isAwaited();
  }, WITHIN_MS);
  return last;
}
