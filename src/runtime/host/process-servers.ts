import type { Logger, RuntimeSettings } from 'keelson/internal/definition';
import type { CertificateManager } from '../certificate-manager/index.js';
import type { ApiClient } from '../client/index.js';
import { systemClock } from '../clock/index.js';
import type { Journal } from '../journal/index.js';
import { type HealthCheck, type Metrics, MetricsServer, ProbeServer } from '../telemetry/index.js';
import { StartOptionsError } from './errors.js';

/** A server of the author's. */
interface NamedServer extends Server {
  readonly name: string;
}

export interface ProcessServersOptions {
  readonly settings: RuntimeSettings;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Asked who may read secured metrics. */
  readonly client: ApiClient;
  /** Secured metrics show its certificate from when it has one. @defaultValue they show one that clients cannot verify */
  readonly certificates?: CertificateManager | undefined;
  readonly readiness: readonly HealthCheck[];
  readonly liveness?: readonly HealthCheck[] | undefined;
  readonly endpoints?: readonly NamedServer[] | undefined;
  readonly profiles?: boolean | undefined;
  readonly journal?: Journal | undefined;
}

/** The ports that the process listens on. */
export interface ServerPorts {
  /** Port of the probes `/healthz` and `/readyz`. */
  readonly health: number;
  /** Port of the metrics; `undefined` if they are not served. */
  readonly metrics?: number | undefined;
  /** Ports of the operator's endpoints, by name. */
  readonly endpoints?: Readonly<Record<string, number>> | undefined;
}

interface Server {
  start(): Promise<{ readonly port: number }>;
  stop(): Promise<void>;
}

/** The servers of the process beside webhooks: probes and metrics. Their time is real, whatever a test does to the operator's. */
export class ProcessServers {
  readonly #probes: Server;
  readonly #metrics: MetricsServer | undefined;
  readonly #endpoints: readonly NamedServer[];

  /** @throws StartOptionsError, TelemetryServerError for profiles that no right would guard */
  constructor(options: ProcessServersOptions) {
    const { settings, log, metrics, client, readiness, liveness, profiles, journal, endpoints = [] } = options;
    const clock = systemClock;
    this.#endpoints = endpoints;
    if (profiles === true && settings.metrics === undefined)
      throw new StartOptionsError(
        'profiles are handed out by the secured metrics server, which is off; serve metrics securely, or leave profiles off',
      );
    this.#probes = new ProbeServer({ port: settings.healthPort, host: settings.listenAddress, clock, log, readiness, liveness });
    const secure = settings.metrics?.secure === true ? { secure: { client } } : {};
    this.#metrics =
      settings.metrics === undefined
        ? undefined
        : new MetricsServer({
            port: settings.metrics.port,
            host: settings.listenAddress,
            metrics,
            clock,
            log,
            profiles,
            journal,
            ...secure,
          });
    if (settings.metrics?.secure === true) this.#showCertificateOf(options.certificates);
  }

  #showCertificateOf(certificates: CertificateManager | undefined): void {
    if (certificates === undefined) return;
    if (certificates.current !== undefined) this.#metrics?.setCertificate(certificates.current);
    certificates.onChange((pair) => this.#metrics?.setCertificate(pair));
  }

  /** @throws TelemetryServerError, EndpointServerError when a port cannot be had; nothing is listening then */
  async start(): Promise<ServerPorts> {
    const { port: health } = await this.#probes.start();
    try {
      const metrics = (await this.#metrics?.start())?.port;
      const endpoints: Record<string, number> = {};
      for (const endpoint of this.#endpoints) endpoints[endpoint.name] = (await endpoint.start()).port;
      return { health, metrics, ...(this.#endpoints.length === 0 ? {} : { endpoints }) };
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#probes.stop(), this.#metrics?.stop(), ...this.#endpoints.map((endpoint) => endpoint.stop())]);
  }
}
