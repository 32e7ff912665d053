import { aggregateClusterRoles, type ClusterRole } from '../access/index.js';
import type { Controller, ControllerSurroundings } from './controller.js';
import { ControllerClient } from './controller-client.js';
import { keyedController } from './keyed-controller.js';

const CLUSTER_ROLES = { group: 'rbac.authorization.k8s.io', plural: 'clusterroles' };
/** All roles are looked at together: one may be part of another. */
const ALL = 'clusterroles';

/** Fills the rules of ClusterRoles with an `aggregationRule`. Source: kubernetes `pkg/controller/clusterroleaggregation`. */
export function clusterRoleAggregation(surroundings: ControllerSurroundings): Controller {
  const client = new ControllerClient(surroundings, 'clusterrole-aggregation-controller');
  return keyedController(
    {
      name: 'clusterrole-aggregation-controller',
      wants: ({ group, plural }) => group === CLUSTER_ROLES.group && plural === CLUSTER_ROLES.plural,
      onEvent: (_event, queue) => queue.add(ALL),
      async handle() {
        const roles = client.list(CLUSTER_ROLES) as unknown as readonly ClusterRole[];
        for (const [name, rules] of aggregateClusterRoles(roles)) {
          await client.patch({ resource: CLUSTER_ROLES, namespace: '', name }, { rules });
        }
      },
    },
    surroundings,
  );
}
