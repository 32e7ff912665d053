import { PodDisruptionBudget, type PodDisruptionBudgetInput, Service, type ServiceInput } from 'keelson/kinds';
import type { EtcdCluster } from './etcd-cluster.js';
import { CLIENT_PORT, clientServiceName, type Named, PEER_PORT, selectorLabels } from './names.js';
import { quorumOf } from './plan.js';

const client = { name: 'client', port: CLIENT_PORT };
const peer = { name: 'peer', port: PEER_PORT };

// #region services
/** Gives the members their names. Those that are not ready have one too, or no member could become ready. */
export function peerService(cluster: Pick<Named, 'metadata'>): ServiceInput {
  const labels = selectorLabels(cluster);
  return Service({
    metadata: { name: cluster.metadata.name, labels },
    spec: { clusterIP: 'None', publishNotReadyAddresses: true, selector: labels, ports: [client, peer] },
  });
}

/** Leads clients to members that are ready. */
export function clientService(cluster: Pick<Named, 'metadata'>): ServiceInput {
  const labels = selectorLabels(cluster);
  return Service({ metadata: { name: clientServiceName(cluster), labels }, spec: { selector: labels, ports: [client] } });
}
// #endregion

/** A drain of nodes leaves a quorum. */
export function budgetFor(cluster: Pick<Named, 'metadata'> & Pick<EtcdCluster, 'spec'>): PodDisruptionBudgetInput {
  const labels = selectorLabels(cluster);
  return PodDisruptionBudget({
    metadata: { name: cluster.metadata.name, labels },
    spec: { minAvailable: quorumOf(cluster.spec.size), selector: { matchLabels: labels } },
  });
}
