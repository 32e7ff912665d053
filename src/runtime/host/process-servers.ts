import type { Logger, RuntimeSettings } from '../../definition/index.js';
import type { ApiClient } from '../client/index.js';
import { systemClock } from '../clock/index.js';
import { type HealthCheck, type Metrics, MetricsServer, ProbeServer } from '../telemetry/index.js';
import { StartOptionsError } from './errors.js';

export interface ProcessServersOptions {
  readonly settings: RuntimeSettings;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Asked who may read secured metrics. */
  readonly client: ApiClient;
  readonly readiness: readonly HealthCheck[];
  readonly profiles?: boolean | undefined;
}

export interface ServerPorts {
  readonly health: number;
  readonly metrics?: number | undefined;
}

interface Server {
  start(): Promise<{ readonly port: number }>;
  stop(): Promise<void>;
}

/** What the process answers beside webhooks: probes and metrics. Their time is real, whatever a test does to the operator's. */
export class ProcessServers {
  readonly #probes: Server;
  readonly #metrics: Server | undefined;

  /** @throws StartOptionsError, TelemetryServerError for profiles that nobody's right would guard */
  constructor({ settings, log, metrics, client, readiness, profiles }: ProcessServersOptions) {
    const clock = systemClock;
    if (profiles === true && settings.metrics === undefined)
      throw new StartOptionsError(
        'profiles are handed out by the secured metrics server, and there is none; serve metrics securely, or leave profiles off',
      );
    this.#probes = new ProbeServer({ port: settings.healthPort, clock, log, readiness });
    const secure = settings.metrics?.secure === true ? { secure: { client } } : {};
    this.#metrics =
      settings.metrics === undefined
        ? undefined
        : new MetricsServer({ port: settings.metrics.port, metrics, clock, log, profiles, ...secure });
  }

  /** @throws TelemetryServerError when a port cannot be had; nothing is listening then */
  async start(): Promise<ServerPorts> {
    const { port: health } = await this.#probes.start();
    try {
      return { health, metrics: (await this.#metrics?.start())?.port };
    } catch (error) {
      await this.#probes.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#probes.stop(), this.#metrics?.stop()]);
  }
}
