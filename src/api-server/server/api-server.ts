import { randomBytes } from 'node:crypto';
import { stackOf } from '@keelson/kubernetes/apimachinery';
import type { KeyPair } from '@keelson/kubernetes/certificates';
import { PRIVILEGED_GROUP, ServerCertificates, type ServiceResolver, type UserInfo } from '../access/index.js';
import { type Clock, systemClock } from '../clock/index.js';
import {
  type Controller,
  type ControllerSurroundings,
  clusterRoleAggregation,
  GarbageCollector,
  NamespaceController,
  resourceQuotaController,
  rootCaPublisher,
  serviceAccountController,
} from '../controllers/index.js';
import { ApiHttpServer, type CarriedReceiver, type CarriedRequest, type ListeningAddress } from '../http/index.js';
import { DefinitionControllers } from '../kinds/index.js';
import { type PodControls, ProcessMachine, Workloads, WorkloadsError, type WorkloadsParts } from '../workloads/index.js';
import { bootstrap } from './bootstrap.js';
import { checkOptions, checkService } from './check-options.js';
import { Core } from './core.js';
import { DataFolder, KeptKeys } from './data-folder/index.js';
import { ServerDocuments } from './documents.js';
import { listenError } from './errors.js';
import { ServerGatekeeper } from './gatekeeper.js';
import { kubeconfigText } from './kubeconfig.js';
import { bothObservers, ServerMetrics } from './metrics.js';
import type { ApiServerOptions, ServerProblem } from './options.js';

const ADMIN: UserInfo = { username: 'admin', groups: [PRIVILEGED_GROUP] };

/**
 * A Kubernetes API server inside this process, for clients inside and outside of it.
 *
 * Everything is in memory and gone when it is closed, unless it has a folder for it. It does not keep the process alive by itself, but for its open port.
 *
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 *
 * const server = await ApiServer.start({ port: 6443, workloads: true });
 * writeFileSync('dev.kubeconfig', server.kubeconfig());
 * await server.close();
 * ```
 */
export class ApiServer {
  readonly core: Core;
  readonly clock: Clock;
  readonly url: string;
  readonly #made: Made;
  readonly #clientPairs = new Map<string, KeyPair>();

  private constructor(made: Made, { url }: ListeningAddress) {
    this.core = made.core;
    this.clock = made.core.clock;
    this.url = url;
    this.#made = made;
  }

  /** @throws ApiServerError for options that are not possible, and where the port is taken; nothing is left running then */
  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    checkOptions(options);
    const kept = keptBy(options);
    const machine = await openedMachine(options).catch((error: unknown) => {
      kept.data?.close();
      throw error;
    });
    const made = make(options, kept, machine);
    try {
      kept.data?.attach(made.core.store);
      made.definitions.start();
      await bootstrap(made.core, serviceRangeOf(options, machine));
      for (const controller of made.controllers) controller.start();
      await made.workloads?.prepare();
      const address = await listen(made, options.port ?? 0);
      made.url.current = address.url;
      made.workloads?.serveAt(address.url);
      return new ApiServer(made, address);
    } catch (error) {
      await stop(made);
      throw error;
    }
  }

  /** PEM of the authority that issued the serving certificate; undefined without TLS. */
  get certificateAuthority(): string | undefined {
    return this.#made.certificates?.authority;
  }

  /** Controls of Pods for tests. @throws WorkloadsError if the server was started without workloads */
  get pods(): PodControls {
    const { workloads } = this.#made;
    if (workloads === undefined) throw new WorkloadsError('this server does not run Pods: start the server with workloads: true');
    return workloads.pods;
  }

  /**
   * Whether connections to the ClusterIP of a Service (`namespace/name`) are taken, with `workloads.containers`: a ready endpoint is behind it. Undefined where Pods
   * are simulated.
   */
  servesService(key: string): boolean | undefined {
    return this.#made.workloads?.servesService(key);
  }

  /** No controller has anything to do but to wait for the clock. */
  get isIdle(): boolean {
    return this.#made.definitions.isIdle && this.#made.controllers.every((controller) => controller.isIdle);
  }

  /** No request is under way, and watches have sent all that there is. */
  get isQuiet(): boolean {
    return this.#made.http.isQuiet;
  }

  /**
   * Takes a request that comes without a socket: as much work as any other, but for the kernel and HTTP as text.
   *
   * @returns the way to break off
   */
  carry(request: CarriedRequest, receiver: CarriedReceiver): { abandon(): void } {
    return this.#made.http.carry(request, receiver);
  }

  /** A kubeconfig of a user. Default: an administrator, whom nothing is refused. */
  kubeconfig(user: UserInfo = ADMIN): string {
    const credentials = this.#clientPair(user) ?? { token: this.tokenFor(user) };
    return kubeconfigText({ url: this.url, certificateAuthority: this.certificateAuthority, username: user.username, credentials });
  }

  /** The certificate of a user: one for each, since its key takes a tenth of a second to make. Undefined without TLS. */
  #clientPair(user: UserInfo): KeyPair | undefined {
    const { certificates, keys } = this.#made;
    if (certificates === undefined) return undefined;
    // RSA, as kubeadm has it: fabric8's Java client takes every key for one unless it is configured otherwise.
    const issue = (): KeyPair => certificates.issueClient(user, { keyType: 'rsa' });
    const id = JSON.stringify([user.username, user.groups, user.uid]);
    const pair = this.#clientPairs.get(id) ?? (user === ADMIN && keys ? keys.admin(issue) : issue());
    this.#clientPairs.set(id, pair);
    return pair;
  }

  /** A bearer token that is good as long as the server lives. */
  tokenFor(user: UserInfo = ADMIN): string {
    for (const [token, known] of this.#made.tokens) if (known === user) return token;
    const token = randomBytes(16).toString('hex');
    this.#made.tokens.set(token, user);
    return token;
  }

  /** Sets the local port at which the webhooks of a Service listen; `undefined` if none does. @throws ApiServerError for what is not a Service or port */
  serveWebhooksAt(service: string, port: number | undefined): void {
    const { services } = this.#made;
    if (port === undefined) {
      services.delete(service);
      return;
    }
    checkService(service, port);
    services.set(service, port);
  }

  /** Ends watches and connections, then the controllers. May be called again. */
  async close(): Promise<void> {
    await stop(this.#made);
  }
}

const SERVICE_RANGE = '10.0.0.0/24';

/** Services of a cluster whose Pods are processes are reached like them: on addresses of this machine. */
function serviceRangeOf({ serviceRange }: ApiServerOptions, machine: ProcessMachine | undefined): string {
  return serviceRange ?? machine?.serviceRange ?? SERVICE_RANGE;
}

async function openedMachine({ workloads, dataFolder }: ApiServerOptions): Promise<ProcessMachine | undefined> {
  const containers = typeof workloads === 'object' ? workloads.containers : undefined;
  return containers && ProcessMachine.open(containers, dataFolder);
}

/** The state that outlives the server. */
interface Kept {
  readonly data?: DataFolder;
  readonly keys?: KeptKeys;
}

interface Made extends Kept {
  readonly core: Core;
  readonly http: ApiHttpServer;
  readonly certificates: ServerCertificates | undefined;
  readonly tokens: Map<string, UserInfo>;
  readonly controllers: readonly Controller[];
  readonly workloads: Workloads | undefined;
  readonly definitions: DefinitionControllers;
  readonly services: Map<string, number>;
  /** Known when the server listens. */
  readonly url: { current: string };
}

function listen({ http, certificates }: Made, port: number): Promise<ListeningAddress> {
  const tls = certificates && {
    certificate: certificates.serving.certificate,
    key: certificates.serving.privateKey,
    clientAuthorities: certificates.authority,
  };
  return http.listen({ port, ...(tls && { tls }) }).catch((error: unknown) => {
    throw listenError(error, port);
  });
}

function keptBy({ dataFolder, certificateFolder = dataFolder, protocol }: ApiServerOptions): Kept {
  const data = dataFolder === undefined ? undefined : new DataFolder(dataFolder);
  try {
    const keys = certificateFolder === undefined || protocol === 'http' ? undefined : new KeptKeys(certificateFolder);
    return { ...(data && { data }), ...(keys && { keys }) };
  } catch (error) {
    data?.close();
    throw error;
  }
}

async function stop({ http, controllers, definitions, core, data, workloads }: Made): Promise<void> {
  await http.close();
  await Promise.all(controllers.map((controller) => controller.stop()));
  await definitions.stop();
  await workloads?.close();
  core.webhooks.close();
  core.store.close();
  data?.close();
}

function make(options: ApiServerOptions, kept: Kept, machine: ProcessMachine | undefined): Made {
  const { clock = systemClock, protocol = 'https', onProblem = warn } = options;
  const serviceRange = serviceRangeOf(options, machine);
  const services = new Map(Object.entries(options.services ?? {}));
  const tokens = new Map<string, UserInfo>();
  // A Service that runs in the test's process is there before its Pods: the test has said where.
  const resolveService: ServiceResolver = (service) => {
    const port = services.get(`${service.namespace}/${service.name}`);
    return port === undefined ? workloads?.endpointOf(service) : { host: '127.0.0.1', port };
  };
  const { maxEvents, maxBytes, uids, suffixes } = options;
  const core = new Core({
    clock,
    resolveService,
    serviceRange,
    staticTokens: tokens,
    tokenKey: kept.keys?.tokenKey,
    hasServiceAccounts: options.mode !== 'envtest',
    hasLoopbackPods: machine !== undefined,
    ...(options.features && { features: options.features }),
    ...(maxEvents === undefined ? {} : { maxEvents }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(uids && { uids }),
    ...(suffixes && { suffixes }),
  });
  const url = { current: '' };
  const certificates = protocol === 'https' ? new ServerCertificates({ ...(kept.keys && { authority: kept.keys.authority }) }) : undefined;
  const definitions = new DefinitionControllers({ ...core, report: onProblem });
  const surroundings = { ...surroundingsOf(core), report: onProblem };
  const workloads = workloadsOf(options, { surroundings, machine, hasRootCa: certificates !== undefined });
  core.processes = workloads?.processes;
  core.running = { hasControllers: options.mode !== 'envtest', hasScheduler: workloads !== undefined };
  return {
    ...kept,
    core,
    workloads,
    certificates,
    tokens,
    services,
    url,
    definitions,
    controllers: [...controllersOf(options, surroundings, certificates), ...(workloads?.controllers ?? [])],
    http: httpServer(options, core, url),
  };
}

function surroundingsOf({ api, cluster, catalog, store, clock }: Core): Omit<ControllerSurroundings, 'report'> {
  return { api, cluster, catalog, store, clock };
}

function workloadsOf({ workloads = false }: ApiServerOptions, parts: Omit<WorkloadsParts, 'options'>): Workloads | undefined {
  if (workloads === false) return undefined;
  return new Workloads({ ...parts, options: workloads === true ? {} : workloads });
}

function controllersOf(
  { mode = 'cluster' }: ApiServerOptions,
  surroundings: ControllerSurroundings,
  certificates: ServerCertificates | undefined,
): readonly Controller[] {
  if (mode === 'envtest') return [];
  return [
    clusterRoleAggregation(surroundings),
    new GarbageCollector(surroundings),
    new NamespaceController(surroundings),
    resourceQuotaController(surroundings),
    serviceAccountController(surroundings),
    ...(certificates === undefined ? [] : [rootCaPublisher(surroundings, certificates.authority)]),
  ];
}

function httpServer(
  { intercept, observer, onProblem = warn }: ApiServerOptions,
  core: Core,
  url: { readonly current: string },
): ApiHttpServer {
  const { api, catalog, cluster, tokens, types, clock } = core;
  const now = (): Date => clock.now();
  const metrics = new ServerMetrics(core.store);
  return new ApiHttpServer({
    api,
    catalog,
    documents: new ServerDocuments({ catalog, cluster, tokens, now, metrics: () => metrics.answer(), url: () => url.current }),
    gatekeeper: new ServerGatekeeper(core),
    protobuf: {
      decode(bytes, fallback) {
        const { value } = types.decodeProtobuf(bytes, fallback);
        return { value: value as never, strictProblems: [] };
      },
    },
    now,
    ...(intercept && { intercept }),
    observer: bothObservers(metrics, observer),
    reportBug: (error, { method, url: path }) => onProblem({ request: `${method} ${path}`, error }),
  });
}

function warn(problem: ServerProblem): void {
  const where = 'request' in problem ? problem.request : `${problem.controller} at ${problem.key}`;
  const { error } = problem;
  process.emitWarning(`${where}: ${stackOf(error)}`, 'KeelsonApiServerWarning');
}
