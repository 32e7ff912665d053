import { randomBytes } from 'node:crypto';
import { PRIVILEGED_GROUP, type UserInfo } from '../auth/index.js';
import { ServerCertificates } from '../certificates/index.js';
import { type Clock, systemClock } from '../clock/index.js';
import {
  type Controller,
  type ControllerProblem,
  clusterRoleAggregation,
  GarbageCollector,
  NamespaceController,
  rootCaPublisher,
  serviceAccountController,
} from '../controllers/index.js';
import { DefinitionControllers } from '../custom-resources/index.js';
import { ApiHttpServer, type Intercept, type ListeningAddress, type RequestObserver } from '../http/index.js';
import { bootstrap } from './bootstrap.js';
import { Core } from './core.js';
import { ServerDocuments } from './documents.js';
import { ServerGatekeeper } from './gatekeeper.js';
import { kubeconfigText } from './kubeconfig.js';

export interface ApiServerOptions {
  /** Port on 127.0.0.1. Default 0: any that is free. */
  readonly port?: number;
  /** Default `https`, with an authority of its own. With `http` there are no client certificates: kubeconfigs carry tokens. */
  readonly protocol?: 'http' | 'https';
  /**
   * `cluster`: owners cascade, namespaces empty themselves, service accounts and aggregated roles are kept. `envtest`: the API server alone, as Go's envtest
   * has it. Default `cluster`.
   */
  readonly mode?: 'cluster' | 'envtest';
  /** Default: the process' own time. */
  readonly clock?: Clock;
  /** Where the Services of webhooks listen: local ports by `namespace/name`. May be changed later: {@link ApiServer.serveWebhooksAt}. Default none. */
  readonly services?: Readonly<Record<string, number>>;
  /** IPv4 range of Services. Default `10.0.0.0/24`, as Go's envtest. */
  readonly serviceRange?: string;
  /** Most events and bytes that the log behind watches and old lists keeps. Defaults of the store: enough for minutes of an operator's writes. */
  readonly maxEvents?: number;
  readonly maxBytes?: number;
  readonly uids?: () => string;
  readonly suffixes?: () => string;
  readonly intercept?: Intercept;
  readonly observer?: RequestObserver;
  /** Told of what a controller could not do, and of bugs of the server. Default: a process warning. */
  readonly onProblem?: (problem: ServerProblem) => void;
}

export type ServerProblem = ControllerProblem | { readonly request: string; readonly error: unknown };

const ADMIN: UserInfo = { username: 'admin', groups: [PRIVILEGED_GROUP] };

/**
 * A Kubernetes API server inside this process, for clients inside and outside of it.
 *
 * Everything is in memory and gone when it is closed. It does not keep the process alive by itself, but for its open port.
 */
export class ApiServer {
  readonly core: Core;
  readonly clock: Clock;
  readonly url: string;
  readonly #http: ApiHttpServer;
  readonly #certificates: ServerCertificates | undefined;
  readonly #tokens: Map<string, UserInfo>;
  readonly #controllers: readonly Controller[];
  readonly #definitions: DefinitionControllers;
  readonly #services: Map<string, number>;

  private constructor(made: Made, { url }: ListeningAddress) {
    this.core = made.core;
    this.clock = made.core.clock;
    this.url = url;
    this.#http = made.http;
    this.#certificates = made.certificates;
    this.#tokens = made.tokens;
    this.#controllers = made.controllers;
    this.#definitions = made.definitions;
    this.#services = made.services;
  }

  /** @throws Error of Node where the port is taken */
  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    const made = make(options);
    made.definitions.start();
    await bootstrap(made.core, options.serviceRange ?? SERVICE_RANGE);
    for (const controller of made.controllers) controller.start();
    const { certificates } = made;
    const tls = certificates && {
      certificate: certificates.serving.certificate,
      key: certificates.serving.privateKey,
      clientAuthorities: certificates.authority,
    };
    const address = await made.http.listen({ ...(options.port === undefined ? {} : { port: options.port }), ...(tls && { tls }) });
    made.url.current = address.url;
    return new ApiServer(made, address);
  }

  /** PEM of the authority that issued the serving certificate; undefined without TLS. */
  get certificateAuthority(): string | undefined {
    return this.#certificates?.authority;
  }

  /** No controller has anything to do but to wait for the clock. */
  get isIdle(): boolean {
    return this.#definitions.isIdle && this.#controllers.every((controller) => controller.isIdle);
  }

  /** No request is under way, and watches have sent all that there is. */
  get isQuiet(): boolean {
    return this.#http.isQuiet;
  }

  /** A kubeconfig of a user. Default: an administrator, whom nothing is refused. */
  kubeconfig(user: UserInfo = ADMIN): string {
    const { username, groups, uid } = user;
    const credentials = this.#certificates?.issueClient({ username, groups, ...(uid === undefined ? {} : { uid }) }) ?? {
      token: this.tokenFor(user),
    };
    return kubeconfigText({ url: this.url, certificateAuthority: this.certificateAuthority, username, credentials });
  }

  /** A bearer token that is good as long as the server lives. */
  tokenFor(user: UserInfo = ADMIN): string {
    for (const [token, known] of this.#tokens) if (known === user) return token;
    const token = randomBytes(16).toString('hex');
    this.#tokens.set(token, user);
    return token;
  }

  /** Says at which local port the webhooks of a Service listen, or (undefined) that nobody does. */
  serveWebhooksAt(service: string, port: number | undefined): void {
    if (port === undefined) this.#services.delete(service);
    else this.#services.set(service, port);
  }

  /** Ends watches and connections, then the controllers. May be called again. */
  async close(): Promise<void> {
    await this.#http.close();
    await Promise.all(this.#controllers.map((controller) => controller.stop()));
    await this.#definitions.stop();
    this.core.webhooks.close();
    this.core.store.close();
  }
}

const SERVICE_RANGE = '10.0.0.0/24';

interface Made {
  readonly core: Core;
  readonly http: ApiHttpServer;
  readonly certificates: ServerCertificates | undefined;
  readonly tokens: Map<string, UserInfo>;
  readonly controllers: readonly Controller[];
  readonly definitions: DefinitionControllers;
  readonly services: Map<string, number>;
  /** Known when the server listens. */
  readonly url: { current: string };
}

function make(options: ApiServerOptions): Made {
  const { clock = systemClock, protocol = 'https', serviceRange = SERVICE_RANGE, onProblem = warn } = options;
  const services = new Map(Object.entries(options.services ?? {}));
  const tokens = new Map<string, UserInfo>();
  const resolveService = ({ namespace, name }: { readonly namespace: string; readonly name: string }) => {
    const port = services.get(`${namespace}/${name}`);
    return port === undefined ? undefined : { host: '127.0.0.1', port };
  };
  const { maxEvents, maxBytes, uids, suffixes } = options;
  const core = new Core({
    clock,
    resolveService,
    serviceRange,
    staticTokens: tokens,
    ...(maxEvents === undefined ? {} : { maxEvents }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(uids && { uids }),
    ...(suffixes && { suffixes }),
  });
  const url = { current: '' };
  const certificates = protocol === 'https' ? new ServerCertificates() : undefined;
  const definitions = new DefinitionControllers({ ...core, report: onProblem });
  return {
    core,
    certificates,
    tokens,
    services,
    url,
    definitions,
    controllers: controllersOf(options, core, certificates),
    http: httpServer(options, core, url),
  };
}

function controllersOf(
  { mode = 'cluster', onProblem = warn }: ApiServerOptions,
  core: Core,
  certificates: ServerCertificates | undefined,
): readonly Controller[] {
  if (mode === 'envtest') return [];
  const { api, cluster, catalog, store, clock } = core;
  const surroundings = { api, cluster, catalog, store, clock, report: onProblem };
  return [
    clusterRoleAggregation(surroundings),
    new GarbageCollector(surroundings),
    new NamespaceController(surroundings),
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
  return new ApiHttpServer({
    api,
    catalog,
    documents: new ServerDocuments({ catalog, cluster, tokens, now, url: () => url.current }),
    gatekeeper: new ServerGatekeeper(core),
    protobuf: {
      decode(bytes, fallback) {
        const { value } = types.decodeProtobuf(bytes, fallback);
        return { value: value as never, strictProblems: [] };
      },
    },
    now,
    ...(intercept && { intercept }),
    ...(observer && { observer }),
    reportBug: (error, { method, url: path }) => onProblem({ request: `${method} ${path}`, error }),
  });
}

function warn(problem: ServerProblem): void {
  const where = 'request' in problem ? problem.request : `${problem.controller} at ${problem.key}`;
  const { error } = problem;
  process.emitWarning(`${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, 'KeelsonApiServerWarning');
}
