import type { Authenticator, FindObject, RbacAuthorizer, ServiceAccountTokens } from '../../access/index.js';
import type { Clock } from '../../clock/index.js';
import type { Admission, Api, ClusterView, ResourceCatalog } from '../../contract/index.js';
import type { Store } from '../../store/index.js';
import type { GoTypes } from '../../values/index.js';
import type { PodProcesses } from '../../workloads/index.js';
import type { RunningComponents } from './component-statuses.js';

/** The parts of the server that requests beyond reads and writes of their object work on. */
export interface HandlerSurroundings {
  readonly clock: Clock;
  readonly cluster: ClusterView;
  readonly catalog: ResourceCatalog;
  readonly store: Store;
  /** The server's API, which is made of these handlers: asked for at each request. */
  readonly api: () => Api;
  /** Made after these handlers. */
  readonly admission: () => Admission;
  readonly authenticator: Authenticator;
  readonly authorizer: RbacAuthorizer;
  readonly tokens: ServiceAccountTokens;
  readonly find: FindObject;
  readonly types: GoTypes;
  /** Pods that run as processes; undefined while all are simulated. Asked for at each request. */
  readonly processes: () => PodProcesses | undefined;
  /** Known when the whole server is made. Asked for at each request. */
  readonly running: () => RunningComponents;
}
