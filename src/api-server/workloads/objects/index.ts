/** Shared parts of the workload controllers: typed reads and writes, owners, selectors, hashes. */
export { templateHash } from './hash.js';
export { keyOf, partsOf } from './keys.js';
export { Memberships } from './memberships.js';
export { ObjectClient, type StoredObject, type Writer } from './object-client.js';
export {
  type Claims,
  claimsOf,
  controllerOf,
  controllerReference,
  isControlledBy,
  type OwnerKind,
  withController,
  withoutOwner,
} from './owners.js';
export { type OtherResource, ownersController } from './owners-controller.js';
export { compareAmounts, scaledCount } from './quantities.js';
export {
  BUDGETS,
  CLAIMS,
  CONFIG_MAPS,
  CONTROLLER_REVISIONS,
  CRON_JOBS,
  DAEMON_SETS,
  DEPLOYMENTS,
  ENDPOINT_SLICES,
  ENDPOINTS,
  EVENTS,
  HORIZONTAL_AUTOSCALERS,
  isResource,
  JOBS,
  NODES,
  PODS,
  REPLICA_SETS,
  REPLICATION_CONTROLLERS,
  type ResourceName,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICES,
  STATEFUL_SETS,
  STORAGE_CLASSES,
  VOLUMES,
} from './resources.js';
export { canonicalJson, isSame } from './same.js';
export { labelsMatcher, selectorOf, selectsAll } from './selectors.js';
export { byAge, millisecondsOf, timeText } from './times.js';
