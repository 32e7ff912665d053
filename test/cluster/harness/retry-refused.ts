import { isApiError } from '@keelson/testing';
import { eventually } from '../../eventually.js';

export interface RetryRefusedOptions {
  /**
   * Status codes of temporary refusals.
   * @defaultValue 503 — kube-apiserver answers so, with `Retry-After`, while it makes the storage of a changed CustomResourceDefinition anew; kubectl then asks again
   */
  readonly codes?: readonly number[];
}

/**
 * Sends a request again as long as the server refuses it for a moment. The client of a test cluster hides nothing, so these refusals reach the test.
 *
 * @throws the refusal that is not temporary
 */
export async function retryRefused<T>(request: () => Promise<T>, { codes = [503] }: RetryRefusedOptions = {}): Promise<T> {
  const isTemporary = (error: unknown): boolean => isApiError(error) && codes.includes(error.status.code ?? 0);
  return (await eventually(async () => ({ answer: await request() }), request.toString(), isTemporary)).answer;
}
