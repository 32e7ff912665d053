import { eventually } from '../../eventually.js';
import type { Cluster } from '../harness/index.js';
import { expectRights, type Right, type Subject } from './expect-rights.js';

/**
 * Waits until the authorizer allows all of these: it learns of roles and of bindings by two watches, a moment after they are stored.
 *
 * Errors: the refusals of the last time that it was asked.
 */
export async function untilAllowed(cluster: Cluster, subject: Subject, allowed: readonly Right[]): Promise<void> {
  const isInForce = async (): Promise<true> => {
    await expectRights(cluster, subject, { allowed, refused: [] });
    return true;
  };
  await eventually(isInForce, 'the rights are in force', () => true);
}
