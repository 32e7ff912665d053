import { type Logger, type OperatorModel, RUNTIME_CONTRACT, type RuntimeSettings } from 'keelson/internal/definition';
import { AdmissionHandles, WebhookServer } from '../admission/index.js';
import type { Cache } from '../cache/index.js';
import type { CertificateManager } from '../certificate-manager/index.js';
import { systemClock } from '../clock/index.js';
import type { Given } from '../outside/index.js';
import type { Metrics } from '../telemetry/index.js';
import { ClientAuthority } from './client-authority.js';
import { StartOptionsError } from './errors.js';

export interface WebhookServingOptions {
  readonly operator: OperatorModel;
  readonly settings: RuntimeSettings;
  /** Started and stopped by its owner. */
  readonly certificates: CertificateManager;
  readonly cache: Cache;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly lingerMs?: number | undefined;
  readonly given?: Given | undefined;
}

/** Whether API servers call this operator at all. */
export function servesWebhooks(operator: Pick<OperatorModel, 'webhooks' | 'customResources'>): boolean {
  return pathsOf(operator).length > 0;
}

/** Paths that API servers call, as labels of metrics. */
export function pathsOf({ webhooks, customResources }: Pick<OperatorModel, 'webhooks' | 'customResources'>): readonly string[] {
  const converts = customResources.some(({ conversions }) => Object.keys(conversions ?? {}).length > 0);
  return [...webhooks.map(({ path }) => path), ...(converts ? [RUNTIME_CONTRACT.paths.conversion] : [])];
}

/** API servers can be given client certificates for admission webhooks, and not for conversion. */
function checkConversions(operator: OperatorModel, clientAuthorityFile: string | undefined): void {
  if (clientAuthorityFile === undefined || !pathsOf(operator).includes(RUNTIME_CONTRACT.paths.conversion)) return;
  throw new StartOptionsError(
    `${RUNTIME_CONTRACT.env.webhookClientAuthorityFile}: API servers show no certificate when they ask for a conversion, and this operator converts; leave the variable out`,
  );
}

/**
 * The webhooks of the process: they wait for a certificate, then the server starts; on every replica, leader or not.
 *
 * It waits for nothing that other stations do: the caches of a kind with several versions are filled through its own conversion.
 */
export class WebhookServing {
  readonly #certificates: CertificateManager;
  readonly #server: WebhookServer;
  readonly #handles: AdmissionHandles;
  readonly #clients: ClientAuthority | undefined;
  readonly #stop = new AbortController();
  #port: Promise<number> | undefined;

  /** @throws StartOptionsError for a client authority that cannot work */
  constructor(options: WebhookServingOptions) {
    const { operator, settings, certificates, cache, log, metrics, lingerMs } = options;
    this.#certificates = certificates;
    this.#handles = new AdmissionHandles(operator.webhooks, cache, options.given);
    this.#server = new WebhookServer({
      operator,
      port: settings.webhookPort,
      host: settings.listenAddress,
      certificate: this.#certificates,
      handles: this.#handles,
      clock: systemClock,
      log,
      observer: metrics.webhookObserver(pathsOf(operator)),
      lingerMs,
    });
    const file = settings.webhookClientAuthorityFile;
    checkConversions(operator, file);
    this.#clients = file === undefined ? undefined : new ClientAuthority({ file, clock: systemClock, log });
  }

  /** Resolves with the port when requests are answered. @throws WebhookServerError when the port is taken; the reason of {@link stop} */
  start(): Promise<number> {
    this.#port ??= this.#start();
    return this.#port;
  }

  /** Why no request could be answered; `undefined`: it can. */
  get problem(): string | undefined {
    if (this.#certificates.problem !== undefined) return this.#certificates.problem;
    if (!this.#server.isReady) return 'the server does not listen';
    return this.#handles.isReady ? undefined : 'what the webhooks read is not complete yet';
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('the process ends'));
    this.#clients?.stop();
    const isServing = await this.#port?.then(
      () => true,
      () => false,
    );
    if (isServing === true) await this.#server.stop();
  }

  async #start(): Promise<number> {
    if (this.#clients !== undefined) this.#server.setClientAuthority(await this.#clients.read());
    this.#clients?.follow((authority) => this.#server.setClientAuthority(authority));
    await this.#certificates.ready(this.#stop.signal);
    return (await this.#server.start()).port;
  }
}
