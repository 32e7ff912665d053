import { randomUUID } from 'node:crypto';
import {
  Authenticator,
  type BoundObject,
  defaultAdmission,
  type FindObject,
  RbacAuthorizer,
  ServiceAccountTokens,
  type ServiceResolver,
  type UserInfo,
  WebhookClient,
} from '../access/index.js';
import type { Clock } from '../clock/index.js';
import { type Admission, type Api, type ClusterView, ResourceCatalog, type ServerFeature } from '../contract/index.js';
import { builtinResources } from '../kinds/index.js';
import { Registry, randomSuffix, StoreView } from '../registry/index.js';
import { Store, type StoreOptions } from '../store/index.js';
import { GoTypes } from '../values/index.js';
import type { PodProcesses } from '../workloads/index.js';
import { ownContext } from './bootstrap.js';
import { builtinHandlers, type RunningComponents } from './handlers/index.js';
import { rbacEscalation } from './rbac-escalation.js';
import { StoredRoles } from './stored-roles.js';

export interface CoreOptions extends Omit<StoreOptions, 'clock'> {
  readonly clock: Clock;
  /** Where webhooks of Services listen. */
  readonly resolveService: ServiceResolver;
  /** IPv4 range of Services, for example `10.0.0.0/24`. */
  readonly serviceRange: string;
  /** Sources of uids and of the ends of generated names: a test that compares texts gives its own. */
  readonly uids?: () => string;
  readonly suffixes?: () => string;
  /** PEM of the key that signs service-account tokens. Default: a new one. */
  readonly tokenKey?: string | undefined;
  readonly staticTokens?: ReadonlyMap<string, UserInfo>;
  /** Whether Pods are processes of this machine, so that endpoints are loopback addresses, which are refused otherwise. Default false. */
  readonly hasLoopbackPods?: boolean;
  /** Whether pods run as service accounts, which controllers have to make. Default false, as in Go's envtest. */
  readonly hasServiceAccounts?: boolean;
  /** API versions that are off by default. Default: none. */
  readonly features?: readonly ServerFeature[];
}

/** The API without a network: store, registry, admission and authorization, put together. */
export class Core {
  readonly clock: Clock;
  readonly store: Store;
  readonly catalog: ResourceCatalog = new ResourceCatalog();
  readonly cluster: ClusterView;
  readonly types: GoTypes = new GoTypes();
  readonly admission: Admission;
  readonly api: Api;
  readonly authenticator: Authenticator;
  readonly authorizer: RbacAuthorizer;
  readonly tokens: ServiceAccountTokens;
  readonly webhooks: WebhookClient;
  readonly uids: () => string;
  /** Pods that run as processes: set when the workloads are made, which work on this core. */
  processes: PodProcesses | undefined;
  /** Set when controllers and workloads are made. */
  running: RunningComponents = { hasControllers: false, hasScheduler: false };

  constructor(options: CoreOptions) {
    const {
      clock,
      resolveService,
      serviceRange,
      staticTokens,
      tokenKey,
      hasServiceAccounts = false,
      hasLoopbackPods = false,
      features = [],
      ...others
    } = options;
    const { uids = randomUUID, suffixes = randomSuffix, ...storeOptions } = others;
    this.clock = clock;
    this.uids = uids;
    this.store = new Store({ clock, ...storeOptions });
    this.cluster = new StoreView(this.store, this.catalog);
    this.webhooks = new WebhookClient({ resolve: resolveService });
    const find: FindObject = (plural, namespace, name) =>
      this.cluster.get({ group: '', plural }, { namespace, name }) as BoundObject | undefined;
    this.tokens = new ServiceAccountTokens({ find, now: () => clock.now().getTime(), ...(tokenKey && { signingKey: tokenKey }) });
    this.authenticator = new Authenticator({ serviceAccountTokens: this.tokens, ...(staticTokens && { staticTokens }) });
    this.authorizer = new RbacAuthorizer(new StoredRoles(this));
    const { authorizer, catalog, cluster } = this;
    const resources = builtinResources(
      { authorizer, catalog, cluster, serviceRange, hasLoopbackPods },
      { handlers: this.#handlers(find), types: this.types, features },
    );
    for (const resource of resources) this.catalog.put(resource);
    this.admission = this.#admission(suffixes, hasServiceAccounts);
    this.api = new Registry({ store: this.store, admission: this.admission, uids, suffixes });
  }

  #handlers(find: FindObject): ReturnType<typeof builtinHandlers> {
    const { clock, cluster, catalog, store, authenticator, authorizer, tokens, types } = this;
    return builtinHandlers({
      clock,
      cluster,
      catalog,
      store,
      authenticator,
      authorizer,
      tokens,
      types,
      find,
      api: () => this.api,
      processes: () => this.processes,
      running: () => this.running,
      admission: () => this.admission,
    });
  }

  #admission(suffixes: () => string, hasServiceAccounts: boolean): Admission {
    const { authorizer, cluster, catalog, clock, webhooks } = this;
    const own = { api: () => this.api, ownContext: () => ownContext(clock) };
    const surroundings = {
      ...own,
      authorizer,
      cluster,
      catalog,
      caller: webhooks,
      suffixes,
      hasServiceAccounts,
    };
    return defaultAdmission(surroundings, [rbacEscalation(authorizer)]);
  }
}
