/** A resource by what the catalog finds it by. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

export const PODS: ResourceName = { group: '', plural: 'pods' };
export const NODES: ResourceName = { group: '', plural: 'nodes' };
export const CONFIG_MAPS: ResourceName = { group: '', plural: 'configmaps' };
export const SECRETS: ResourceName = { group: '', plural: 'secrets' };
export const SERVICES: ResourceName = { group: '', plural: 'services' };
export const SERVICE_ACCOUNTS: ResourceName = { group: '', plural: 'serviceaccounts' };
export const ENDPOINTS: ResourceName = { group: '', plural: 'endpoints' };
export const CLAIMS: ResourceName = { group: '', plural: 'persistentvolumeclaims' };
export const EVENTS: ResourceName = { group: '', plural: 'events' };
export const VOLUMES: ResourceName = { group: '', plural: 'persistentvolumes' };
export const REPLICATION_CONTROLLERS: ResourceName = { group: '', plural: 'replicationcontrollers' };
export const DEPLOYMENTS: ResourceName = { group: 'apps', plural: 'deployments' };
export const REPLICA_SETS: ResourceName = { group: 'apps', plural: 'replicasets' };
export const STATEFUL_SETS: ResourceName = { group: 'apps', plural: 'statefulsets' };
export const DAEMON_SETS: ResourceName = { group: 'apps', plural: 'daemonsets' };
export const CONTROLLER_REVISIONS: ResourceName = { group: 'apps', plural: 'controllerrevisions' };
export const JOBS: ResourceName = { group: 'batch', plural: 'jobs' };
export const CRON_JOBS: ResourceName = { group: 'batch', plural: 'cronjobs' };
export const HORIZONTAL_AUTOSCALERS: ResourceName = { group: 'autoscaling', plural: 'horizontalpodautoscalers' };
export const ENDPOINT_SLICES: ResourceName = { group: 'discovery.k8s.io', plural: 'endpointslices' };
export const BUDGETS: ResourceName = { group: 'policy', plural: 'poddisruptionbudgets' };
export const STORAGE_CLASSES: ResourceName = { group: 'storage.k8s.io', plural: 'storageclasses' };

export function isResource({ group, plural }: ResourceName, wanted: ResourceName): boolean {
  return group === wanted.group && plural === wanted.plural;
}
