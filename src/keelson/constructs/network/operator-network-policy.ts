import type { NetworkPolicyPeer } from '@keelson/kubernetes/kinds';
import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { type Installation, type InstallationPart, installationOfPart, partMetadata } from '../installation/index.js';
import { ConstructError, ManifestObject } from '../object/index.js';

export interface OperatorNetworkPolicyProps extends InstallationPart {
  /**
   * Peers that may scrape metrics.
   * @default - all peers
   */
  readonly metricsFrom?: readonly NetworkPolicyPeer[] | undefined;
  /**
   * Peers that may call the operator's endpoints, by name of the endpoint.
   * @default - all peers
   */
  readonly endpointsFrom?: Readonly<Record<string, readonly NetworkPolicyPeer[]>> | undefined;
  /**
   * More labels and annotations.
   * @default - name, namespace and labels of the installation
   */
  readonly metadata?: ApiObjectMetadata | undefined;
}

/**
 * Lets in only what the operator serves. Egress is left alone: where the API server is reached differs from cluster to cluster.
 *
 * The webhook rule names the port of the pod and no peer: policies see the packet after the Service, and the API server is in no namespace.
 *
 * @example
 * ```ts
 * new OperatorNetworkPolicy(chart, 'policy', {
 *   installation,
 *   metricsFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
 * });
 * ```
 */
export class OperatorNetworkPolicy extends Construct {
  constructor(scope: Construct, id: string, props: OperatorNetworkPolicyProps) {
    super(scope, id);
    const installation = installationOfPart(this, props);
    checkEndpoints(this, installation, props.endpointsFrom ?? {});
    const open = (port: number, from?: readonly NetworkPolicyPeer[]): object => ({ from, ports: [{ port, protocol: 'TCP' }] });
    new ManifestObject(this, 'Resource', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      scope: 'Namespaced',
      metadata: partMetadata(this, installation, { name: installation.name, given: props.metadata }),
      body: {
        spec: {
          podSelector: { matchLabels: installation.selector },
          policyTypes: ['Ingress'],
          // Probes come from the node, which most network plugins always let in; those that do not would kill the pod.
          ingress: [
            open(installation.ports.health),
            ...(installation.hasWebhookServer ? [open(installation.ports.webhook)] : []),
            ...(installation.metrics === undefined ? [] : [open(installation.metrics.port, props.metricsFrom)]),
            ...installation.endpoints.map(({ name, port }) => open(port, props.endpointsFrom?.[name])),
          ],
        },
      },
    });
  }
}

/** A misspelt name would leave the endpoint open. */
function checkEndpoints(scope: Construct, { endpoints }: Installation, given: object): void {
  const unknown = Object.keys(given).find((name) => !endpoints.some((endpoint) => endpoint.name === name));
  if (unknown === undefined) return;
  const known = endpoints.map(({ name }) => name).join(', ') || 'none';
  throw new ConstructError(scope, `endpointsFrom.${unknown}: the operator has no such endpoint; it has ${known}`);
}
