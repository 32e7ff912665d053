import type { AdmissionRequest, ClusterView, Resource, ResourceCatalog, ServedVersion } from '../../../contract/index.js';
import { forbidden } from '../../../status/index.js';
import { equivalentsOf, matchesObject, matchesRule, matchNamespace } from '../match/index.js';
import type { Webhook } from './configuration.js';
import { conditionVariables } from './review.js';

/** The resource that a webhook is asked about: that of the request, or the same objects at a version that the webhook asked for. */
export interface Invocation {
  readonly webhook: Webhook;
  readonly resource: Resource;
  readonly version: ServedVersion;
}

/** Objects at the version that a webhook wants. */
export type ObjectsAt = (invocation: Invocation) => Promise<Pick<AdmissionRequest, 'object' | 'oldObject'>>;

export interface MatchSurroundings {
  readonly cluster: ClusterView;
  readonly catalog: ResourceCatalog;
}

/**
 * Whether a webhook is to be called for a request, and at which version.
 *
 * Source: apiserver `pkg/admission/plugin/webhook/generic/webhook.go`, ShouldCallHook.
 * @throws StatusError 404 where the namespace is missing whose labels count, 403 where a match condition fails to run.
 */
export async function invocationOf(
  webhook: Webhook,
  request: AdmissionRequest,
  { objectsAt, ...surroundings }: MatchSurroundings & { readonly objectsAt: ObjectsAt },
): Promise<Invocation | undefined> {
  const namespaceMatch = matchNamespace(webhook, request, surroundings.cluster);
  if (namespaceMatch === false || !matchesObject(webhook, request)) return undefined;
  const invocation = ruleMatch(webhook, request, surroundings.catalog);
  if (invocation === undefined) return undefined;
  // A missing namespace is the fault of the request only where a webhook would have been called.
  if (namespaceMatch !== true) throw namespaceMatch;
  if (webhook.conditions === undefined) return invocation;
  const { object, oldObject } = await objectsAt(invocation);
  return meetsConditions(invocation, { ...request, ...(object ? { object } : {}), ...(oldObject ? { oldObject } : {}) })
    ? invocation
    : undefined;
}

function ruleMatch(webhook: Webhook, request: AdmissionRequest, catalog: ResourceCatalog): Invocation | undefined {
  const { resource, version } = request.served;
  const rules = webhook.rules ?? [];
  if (rules.some((rule) => matchesRule(rule, request, { resource, version }))) return { webhook, resource, version };
  if (webhook.matchPolicy === 'Exact') return undefined;
  const equivalents = equivalentsOf(request, catalog);
  for (const rule of rules) {
    const found = equivalents.find((equivalent) => matchesRule(rule, request, equivalent));
    if (found !== undefined) return { webhook, ...found };
  }
  return undefined;
}

function meetsConditions(invocation: Invocation, request: AdmissionRequest): boolean {
  const { webhook } = invocation;
  const outcome = webhook.conditions?.evaluate(conditionVariables(request)) ?? { matches: true };
  if ('matches' in outcome) return outcome.matches;
  if (webhook.failurePolicy === 'Ignore') return false;
  const [first = ''] = outcome.errors;
  throw forbidden(request.served.resource, request.name, outcome.errors.length === 1 ? first : `[${outcome.errors.join(', ')}]`);
}
