import type { AdmissionRequest } from '../../../contract/index.js';
import { isExempt } from '../match/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import { askWebhook } from './call.js';
import { WebhookSource } from './configuration.js';
import { type Invocation, invocationOf } from './matching.js';
import { failOpenOrThrow, type WebhookSurroundings } from './mutating.js';
import { type Objects, objectsAt, orInternalError } from './versioned-objects.js';

/**
 * ValidatingAdmissionWebhook: all matching webhooks at once; the first refusal to arrive is the answer.
 *
 * Source: apiserver `pkg/admission/plugin/webhook/validating/dispatcher.go`.
 */
export function validatingWebhooks({ cluster, catalog, caller }: WebhookSurroundings): AdmissionPlugin {
  const source = new WebhookSource(cluster, 'validatingwebhookconfigurations');
  return {
    name: 'ValidatingAdmissionWebhook',
    async validate(request) {
      const webhooks = isExempt(request) ? [] : source.webhooks();
      if (webhooks.length === 0) return;
      const at = versionsOf(request);
      const invocations: Invocation[] = [];
      for (const webhook of webhooks) {
        const invocation = await invocationOf(webhook, request, { cluster, catalog, objectsAt: at });
        if (invocation !== undefined) invocations.push(invocation);
      }
      const refusals: unknown[] = [];
      await Promise.all(
        invocations.map(async (invocation) => {
          try {
            const objects = await at(invocation);
            const verdict = await askWebhook(invocation, { ...request, ...objects }, { caller, mayPatch: false });
            if ('failure' in verdict) failOpenOrThrow(invocation.webhook, verdict);
          } catch (error) {
            refusals.push(error);
          }
        }),
      );
      if (refusals.length > 0) throw refusals[0];
    },
  };
}

/** Each version of the objects is made once for all webhooks. */
function versionsOf(request: AdmissionRequest): (invocation: Invocation) => Promise<Objects> {
  const made = new Map<Invocation['version'], Promise<Objects>>();
  return (invocation) => {
    const known = made.get(invocation.version);
    if (known !== undefined) return known;
    const objects = orInternalError(objectsAt(request, request, invocation), 1);
    made.set(invocation.version, objects);
    return objects;
  };
}
