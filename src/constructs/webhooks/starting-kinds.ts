import type { AdmissionWebhookModel } from '../../definition/index.js';

/**
 * Kinds without which an operator does not come up, and why; resources by group.
 *
 * The pod, all that makes one, what it mounts, its Lease, and the addresses of its Service.
 */
const STARTING_KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    pods: "the operator's own pods could not start",
    secrets: 'the operator could not store its certificate',
    serviceaccounts: "the operator's pods would have no token",
    configmaps: "the operator's pods would have no certificate of the API server",
    endpoints: 'the API server would not find the operator',
  },
  apps: { deployments: 'the operator could not be rolled out', replicasets: "the operator's own pods could not be made" },
  'coordination.k8s.io': { leases: 'the operator could not become the leader' },
  'discovery.k8s.io': { endpointslices: 'the API server would not find the operator' },
};

const LEASES_OF_NODES = 'kube-node-lease';

/** Harm done by asking the webhook in the operator's namespace while the operator is down; `undefined` for a kind that the operator does not need. */
export function neededToStart({ kind }: AdmissionWebhookModel): string | undefined {
  const resources = STARTING_KINDS[kind.group] ?? {};
  return Object.hasOwn(resources, kind.plural) ? resources[kind.plural] : undefined;
}

/** Namespaces in which a webhook that fails closed must not be asked, whatever its author says. */
export function alwaysExempt(webhook: AdmissionWebhookModel, ownNamespace: string): readonly string[] {
  if (webhook.failurePolicy !== 'Fail' || neededToStart(webhook) === undefined) return [];
  // Without heartbeats the nodes are lost, and the operator's with them.
  return webhook.kind.plural === 'leases' ? [ownNamespace, LEASES_OF_NODES] : [ownNamespace];
}
