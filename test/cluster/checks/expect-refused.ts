import { type Cluster, isStatus, type StatusCause, type TestObject } from '../harness/index.js';

/** What is left out is not compared; a field, a message and a reason that are given must be equal to the letter. */
export interface ExpectedCause {
  readonly field: string;
  readonly message: string;
  readonly reason?: string;
}

/** The causes for which the API server would refuse to create the object; empty when it would take it. Nothing is stored. */
export async function refusalOf(cluster: Cluster, object: TestObject): Promise<readonly StatusCause[]> {
  const query = { dryRun: 'All', fieldValidation: 'Ignore' };
  const { status, body } = await cluster.request('POST', await cluster.paths.collectionOf(object), object, { query });
  if (status === 201) return [];
  if (status === 422 && isStatus(body)) return body.details?.causes ?? [];
  throw new Error(`expected 201 or 422, got ${status}: ${JSON.stringify(body)}`);
}

/** Expects the object to be refused as invalid for exactly these causes, in any order. */
export async function expectRefused(
  cluster: Cluster,
  object: TestObject,
  expected: ExpectedCause | readonly ExpectedCause[],
): Promise<void> {
  const wanted: readonly ExpectedCause[] = Array.isArray(expected) ? expected : [expected as ExpectedCause];
  const withReason = wanted.some(({ reason }) => reason !== undefined);
  const causes = (await refusalOf(cluster, object)).map(({ reason, field, message }) => ({
    field,
    message,
    ...(withReason ? { reason } : {}),
  }));
  expect(sorted(causes)).toEqual(sorted(wanted));
}

function sorted<T extends { readonly field?: string | undefined; readonly message?: string | undefined }>(causes: readonly T[]): T[] {
  const key = ({ field, message }: T): string => `${field}\n${message}`;
  return [...causes].sort((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
}
