import type { Admission } from '../resources/index.js';
import { AdmissionChain } from './chain.js';
import { defaultStorageClass, defaultTolerationSeconds, priority, storageObjectInUseProtection } from './kinds/index.js';
import { limitRanger } from './limit-ranger/index.js';
import { namespaceLifecycle } from './namespace-lifecycle.js';
import type { AdmissionPlugin } from './plugin.js';
import { podSecurity } from './pod-security/index.js';
import { validatingAdmissionPolicies } from './policies/index.js';
import { unenforcedRules } from './unenforced.js';
import { mutatingWebhooks, validatingWebhooks, type WebhookSurroundings } from './webhooks/index.js';

export { AdmissionChain } from './chain.js';
export type { AdmissionPlugin, AdmissionRound } from './plugin.js';
export type { WebhookCaller, WebhookSurroundings } from './webhooks/index.js';

/**
 * Admission as a default kube-apiserver has it, in its order, as far as it concerns operators. Not there: ServiceAccount (as in Go's envtest), ResourceQuota and those of kinds that need a kubelet or a cloud.
 *
 * @param more plugins of the server itself, behind the mutating webhooks
 */
export function defaultAdmission(surroundings: WebhookSurroundings, more: readonly AdmissionPlugin[] = []): Admission {
  const { cluster } = surroundings;
  return new AdmissionChain([
    namespaceLifecycle(cluster),
    limitRanger(cluster),
    podSecurity(cluster),
    priority(cluster),
    defaultTolerationSeconds(),
    defaultStorageClass(cluster),
    storageObjectInUseProtection(),
    mutatingWebhooks(surroundings),
    ...more,
    validatingAdmissionPolicies(surroundings),
    validatingWebhooks(surroundings),
    unenforcedRules(),
  ]);
}
