import type { AdmissionWebhookModel } from '../model.js';

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

/** Subresources that are written while it comes up; others, such as `exec` and `scale`, are not. */
const STARTING_SUBRESOURCES: readonly (string | undefined)[] = [undefined, 'status', 'binding', 'token'];

/** The kinds of a webhook that the operator needs, and the harm done by asking about them in its namespace while it is down. */
export function neededToStart({
  kinds,
  subresource,
}: AdmissionWebhookModel): readonly { readonly plural: string; readonly harm: string }[] {
  if (!STARTING_SUBRESOURCES.includes(subresource)) return [];
  return kinds.flatMap(({ group, plural }) => {
    const harm = new Map(Object.entries(STARTING_KINDS[group] ?? {})).get(plural);
    return harm === undefined ? [] : [{ plural, harm }];
  });
}

/** Namespaces in which a webhook that fails closed must not be asked, whatever its author says. */
export function alwaysExempt(webhook: AdmissionWebhookModel, ownNamespace: string): readonly string[] {
  const needed = webhook.failurePolicy === 'Fail' ? neededToStart(webhook) : [];
  if (needed.length === 0) return [];
  // Without heartbeats the nodes are lost, and the operator's with them.
  return needed.some(({ plural }) => plural === 'leases') ? [ownNamespace, LEASES_OF_NODES] : [ownNamespace];
}
