import { type Cluster, pollUntil } from '../harness/index.js';
import { expectRights, type Right, type Subject } from './expect-rights.js';

const WITHIN_MS = 60_000;

/**
 * Waits until the authorizer allows all of these: it learns of roles and of bindings by two watches, a moment after they are stored.
 *
 * Errors: the refusals of the last time that it was asked.
 */
export async function untilAllowed(cluster: Cluster, subject: Subject, allowed: readonly Right[]): Promise<void> {
  let refusal: unknown;
  const isInForce = (): Promise<boolean> =>
    expectRights(cluster, subject, { allowed, refused: [] }).then(
      () => true,
      (error: unknown) => {
        refusal = error;
        return false;
      },
    );
  if (!(await pollUntil(isInForce, WITHIN_MS))) throw refusal;
}
