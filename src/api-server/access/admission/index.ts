/** Admission plugins in the order of the API server. `defaultAdmission` puts them together. */
import type { Admission } from '../../contract/index.js';
import type { Authorizer } from '../auth/index.js';
import { AdmissionChain } from './chain.js';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
  defaultIngressClass,
  defaultStorageClass,
  defaultTolerationSeconds,
  persistentVolumeClaimResize,
  podTopologyLabels,
  priority,
  runtimeClass,
  storageObjectInUseProtection,
  taintNodesByCondition,
} from './kinds/index.js';
import { limitRanger } from './limit-ranger/index.js';
import { namespaceLifecycle } from './namespace-lifecycle.js';
import type { AdmissionPlugin } from './plugin.js';
import { podSecurity } from './pod-security/index.js';
import { mutatingAdmissionPolicies, validatingAdmissionPolicies } from './policies/index.js';
import { type QuotaChargeSurroundings, resourceQuota } from './resource-quota/index.js';
import { type ServiceAccountSurroundings, serviceAccount } from './service-account/index.js';
import { mutatingWebhooks, validatingWebhooks, type WebhookSurroundings } from './webhooks/index.js';

export type { AdmissionPlugin, AdmissionRound } from './plugin.js';
export { countsResource, type QuotaStatus, type QuotaSurroundings, quotaUsage } from './resource-quota/index.js';
export type { WebhookCaller, WebhookSurroundings } from './webhooks/index.js';

export interface AdmissionSurroundings extends QuotaChargeSurroundings, ServiceAccountSurroundings, WebhookSurroundings {
  readonly authorizer: Authorizer;
  /** Whether pods run as service accounts. That needs the controllers that make accounts, so Go's envtest switches it off. */
  readonly hasServiceAccounts: boolean;
}

/**
 * Admission as a default kube-apiserver has it, in its order.
 *
 * Source: kubernetes `pkg/kubeapiserver/options/plugins.go`.
 *
 * @param more plugins of the server itself, behind the mutating webhooks
 */
export function defaultAdmission(surroundings: AdmissionSurroundings, more: readonly AdmissionPlugin[] = []): Admission {
  const { cluster, authorizer, hasServiceAccounts } = surroundings;
  return new AdmissionChain([
    namespaceLifecycle(cluster),
    limitRanger(cluster),
    ...(hasServiceAccounts ? [serviceAccount(surroundings)] : []),
    taintNodesByCondition(),
    podSecurity(cluster),
    priority(cluster),
    defaultTolerationSeconds(),
    defaultStorageClass(cluster),
    storageObjectInUseProtection(),
    persistentVolumeClaimResize(cluster),
    runtimeClass(cluster),
    certificateApproval(authorizer),
    certificateSigning(authorizer),
    clusterTrustBundleAttest(authorizer),
    certificateSubjectRestriction(),
    defaultIngressClass(cluster),
    podTopologyLabels(cluster),
    mutatingAdmissionPolicies(surroundings),
    mutatingWebhooks(surroundings),
    ...more,
    validatingAdmissionPolicies(surroundings),
    validatingWebhooks(surroundings),
    resourceQuota(surroundings),
  ]);
}
