import { eventually } from '../../eventually.js';
import type { ApiResponse, Cluster, Status, TestObject } from '../harness/index.js';

/**
 * Creates the object as a dry run until the answer has this status and its message this text: what judges objects is in force, or out of it, a moment after
 * it has been stored or deleted. Returns that answer.
 */
export async function dryRunUntil(cluster: Cluster, object: TestObject, status: number, text = ''): Promise<ApiResponse<Status>> {
  const ask = async (): Promise<ApiResponse<Status>> =>
    cluster.request<Status>('POST', await cluster.paths.collectionOf(object), object, { query: { dryRun: 'All' } });
  let last: ApiResponse<Status> | undefined;
  const awaited = async (): Promise<ApiResponse<Status> | undefined> => {
    last = await ask();
    return last.status === status && (text === '' || last.body.message?.includes(text) === true) ? last : undefined;
  };
  return eventually(awaited, () => `${status} ${text}; it is ${last?.status} ${last?.body.message}`);
}
