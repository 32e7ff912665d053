import { type ContextOf, declareAccess, own, read, referenced, settings, watch } from 'keelson';
import { PersistentVolumeClaim, Pod, PodDisruptionBudget, Secret, Service, StorageClass } from 'keelson/kinds';
import { z } from 'zod';
import { etcd } from '../client/api.js';
import { EtcdCluster } from './etcd-cluster.js';
import { authoritySecretName, tlsSecretsOf } from './names.js';

// #region access
export const config = settings(
  z.object({
    deadMemberAfterSeconds: z
      .number()
      .positive()
      .default(300)
      .describe('A member that neither answers nor is ready for so long is replaced.'),
    callTimeoutSeconds: z.number().positive().default(2).describe('How long a member may take to answer.'),
    scope: z
      .enum(['all', 'clusterwide', 'namespaced'])
      .default('all')
      .describe(
        'clusterwide: only clusters with the annotation etcd.database.coreos.com/scope: clusterwide. namespaced: only those without it.',
      ),
  }),
  { prefix: 'ETCD_' },
);

/** Pods and claims are acted upon one at a time, and never desired as a set: which of them should be follows from etcd's own list. */
export const access = declareAccess({
  for: EtcdCluster,
  owns: {
    services: Service,
    budgets: PodDisruptionBudget,
    pods: own(Pod, { verbs: ['create', 'patch', 'delete'] }),
    claims: own(PersistentVolumeClaim, { verbs: ['create', 'patch', 'delete'] }),
  },
  uses: { etcd, config },
  reads: {
    clusters: read(EtcdCluster, { verbs: ['get'] }),
    podsNow: read(Pod, { verbs: ['list'] }),
    claimsNow: read(PersistentVolumeClaim, { verbs: ['list'] }),
    classes: read(StorageClass, { verbs: ['get'] }),
  },
  // Those of TLS, and no others: a change of one is seen at once.
  watches: { secrets: watch(Secret, { only: referenced(EtcdCluster, secretsOf), verbs: ['create', 'update'] }) },
});
// #endregion

function secretsOf(cluster: EtcdCluster): readonly (string | undefined)[] {
  const secrets = Object.values(tlsSecretsOf(cluster)) as readonly (string | undefined)[];
  return cluster.spec.TLS?.managed === undefined ? secrets : [...secrets, authoritySecretName(cluster)];
}

export type ClusterContext = ContextOf<typeof access>;
