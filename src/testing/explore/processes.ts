import { WebhookCallError, type WebhookClientConfig } from '@keelson/api-server/internal/access/webhook-client';
import { type Json, messageOf } from '@keelson/kubernetes/apimachinery';
import { ExplorationSetupError } from './errors.js';
import type { Replica } from './replica.js';
import type { Still } from './still.js';
import type { VirtualClock } from './virtual-clock.js';

/** Seconds after which a process that does not end is killed, and after which it is given up. */
const PATIENCE_STEPS = 20;
const MOST_STEPS = 3_000;

/**
 * Asks a replica that is ready, as the Service of a webhook does.
 *
 * @param replica `undefined` if every replica is away
 * @throws WebhookCallError
 */
export async function reviewedBy(replica: Replica | undefined, { service }: WebhookClientConfig, document: Json): Promise<unknown> {
  if (replica === undefined) throw new WebhookCallError('dial tcp: connect: connection refused');
  const { path = '' } = service ?? {};
  // The configuration of a release has its own webhooks alone.
  if (!replica.serves(path)) return allowed(document);
  return replica.review(path, document).catch((error: unknown) => {
    throw new WebhookCallError(messageOf(error));
  });
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string };
}

/** The answer of a webhook that has nothing against the request. */
function allowed(document: Json): Json {
  const { apiVersion, kind, request } = document as unknown as Review;
  return { apiVersion, kind, response: { uid: request.uid, allowed: true } };
}

/** A process that ends may wait for a timer. @throws ExplorationSetupError when it does not end */
export async function endOf(replica: Replica, { still, clock }: { readonly still: Still; readonly clock: VirtualClock }): Promise<void> {
  let isOver = false;
  const ending = replica.end().finally(() => {
    isOver = true;
  });
  ending.catch(() => undefined);
  for (let steps = 0; !isOver && steps < MOST_STEPS; steps += 1) {
    await still.come();
    if (!isOver) clock.step(clock.monotonicMs() + 1_000);
    if (steps > PATIENCE_STEPS) replica.kill();
  }
  if (!isOver)
    throw new ExplorationSetupError('the operator does not end: a reconcile is still under way; does it end when its signal is aborted?');
  await ending;
}
