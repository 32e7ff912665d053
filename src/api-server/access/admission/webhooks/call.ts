import { randomUUID } from 'node:crypto';
import { goQuote } from '@keelson/kubernetes/apimachinery';
import type { AdmissionRequest } from '../../../contract/index.js';
import { badRequest, StatusError } from '../../../status/index.js';
import { WebhookCallError, type WebhookClientConfig } from '../../webhook-client/index.js';
import type { Webhook } from './configuration.js';
import type { Invocation } from './matching.js';
import { admissionReview, reviewVersion, type Verdict, verdictOf } from './review.js';

/** How webhooks are reached. */
export interface WebhookCaller {
  call(
    config: WebhookClientConfig,
    review: unknown,
    options: { readonly timeoutSeconds: number; readonly signal?: AbortSignal },
  ): Promise<unknown>;
}

/** The webhook could not be asked: its `failurePolicy` decides. */
export interface CallFailure {
  readonly failure: string;
}

/** Default of `timeoutSeconds`, which defaulting has filled in already. */
const TIMEOUT_SECONDS = 10;

/**
 * Asks one webhook.
 *
 * @throws StatusError 400 on a dry run where the webhook has side effects, and whatever the webhook itself denies with.
 */
export async function askWebhook(
  { webhook, resource, version }: Invocation,
  request: AdmissionRequest,
  { caller, mayPatch }: { readonly caller: WebhookCaller; readonly mayPatch: boolean },
): Promise<Verdict | CallFailure> {
  const { name, sideEffects, clientConfig, timeoutSeconds = TIMEOUT_SECONDS, admissionReviewVersions } = webhook;
  if (request.context.isDryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun') {
    throw badRequest(`admission webhook ${goQuote(name)} does not support dry run`);
  }
  const reviewed = reviewVersion(admissionReviewVersions);
  if (reviewed === undefined) {
    return failure(webhook, 'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)');
  }
  const uid = randomUUID();
  const { signal } = request.context;
  let answer: unknown;
  try {
    answer = await caller.call(clientConfig, admissionReview(uid, { resource, version, request }, reviewed), { timeoutSeconds, signal });
  } catch (error) {
    if (!WebhookCallError.isWebhookCallError(error)) throw error;
    return failure(webhook, `failed to call webhook: ${error.message}`);
  }
  const verdict = verdictOf(answer, { uid, version: reviewed, mayPatch });
  if (typeof verdict === 'string') return failure(webhook, `received invalid webhook response: ${verdict}`);
  for (const warning of verdict.warnings) request.context.warn(warning);
  if (!verdict.allowed) throw denial(name, verdict.result);
  return verdict;
}

export function failure({ name }: Webhook, reason: string): CallFailure {
  return { failure: `failed calling webhook ${goQuote(name)}: ${reason}` };
}

/** Source: apiserver `webhook/errors/statuserror.go`. */
function denial(name: string, result: Verdict['result'] = {}): StatusError {
  const { code = 0, message = '', reason = '' } = result;
  const by = `admission webhook ${goQuote(name)} denied the request`;
  const why = message === '' ? reason : message;
  return new StatusError({
    ...result,
    status: 'Failure',
    // A denial that carries no code of a refusal is one all the same.
    code: Math.max(code, 400),
    message: why === '' ? `${by} without explanation` : `${by}: ${why}`,
  });
}
