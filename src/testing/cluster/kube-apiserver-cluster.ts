import { PRIVILEGED_GROUP } from '@keelson/api-server/internal/access';
import { kubeconfigText } from '@keelson/api-server/internal/server';
import { connectionOf } from '@keelson/runtime/internal/http';
import type { Nothing } from 'keelson/internal/definition';
import { AuditLog, type RequestLog } from '../request-log/index.js';
import { ControlPlane, freePorts, releasePorts } from './control-plane/index.js';
import { filled } from './fill.js';
import { type Identity, TEST_USER, userInfoOf } from './identity.js';
import { installedOperator } from './installed-operator.js';
import type { OperatorSurroundings } from './operator-runs.js';
import type { KubeApiServerOptions } from './options.js';
import { RunningCluster } from './running-cluster.js';
import { type SettledOptions, settledWait, waitUntilSettled } from './settled.js';
import { baselineOf } from './snapshot/index.js';
import { spanOf } from './time-span.js';

const TIMEOUT = '30s';
const QUIET_MS = 500;
interface UsedControlPlane extends Pick<ControlPlane, 'auditFile' | 'certificates' | 'stop' | 'url'> {
  /** Bytes of the audit log that were there before. @defaultValue 0 */
  readonly auditOffset?: number;
}

/**
 * A cluster of real binaries, started for this test and ended with it.
 *
 * @example
 * ```ts
 * const cluster = await TestCluster.start({ server: 'kube-apiserver', operator });
 * const running = await cluster.startOperator();
 * ```
 */
export class KubeApiServerCluster<in TExternals = Nothing> extends RunningCluster<TExternals> {
  readonly #controlPlane: UsedControlPlane;
  readonly #audit: AuditLog;
  readonly #timeoutMs: number;
  readonly #lasting: { signs?: number } = {};
  #webhookPort: number | undefined;

  private constructor(controlPlane: UsedControlPlane, options: KubeApiServerOptions) {
    const { namespace = 'default', timeout = TIMEOUT } = options;
    const { url, certificates } = controlPlane;
    const { certificate, privateKey } = certificates.issueClient(TEST_USER);
    const connection = connectionOf({
      server: url,
      ca: certificates.authority,
      certificate,
      key: privateKey,
      origin: 'the kube-apiserver of this test',
    });
    super({ connection, namespace, defaultTimeout: timeout, installed: installedOperator(options) });
    this.#controlPlane = controlPlane;
    this.#audit = new AuditLog(controlPlane.auditFile, controlPlane.auditOffset);
    this.#timeoutMs = spanOf(timeout);
  }

  /** @throws TestClusterError naming binaries that are not there; what the installation of the content throws */
  static async start(options: KubeApiServerOptions): Promise<KubeApiServerCluster> {
    const controlPlane = await ControlPlane.start(options);
    return KubeApiServerCluster.on(controlPlane, options);
  }

  /** For keelson's own suites, whose control planes outlive a cluster. */
  private static async on(controlPlane: UsedControlPlane, options: KubeApiServerOptions): Promise<KubeApiServerCluster> {
    const cluster = new KubeApiServerCluster(controlPlane, options);
    if (installedOperator(options)?.servesWebhooks === true) [cluster.#webhookPort] = await freePorts(1);
    await filled(cluster, options, { reachesServices: false, webhookPort: cluster.#webhookPort });
    cluster.baseline = await baselineOf(cluster.client);
    return cluster;
  }

  /** The requests that the server has got so far, of its audit log, but for those of the test itself and of the control plane. */
  get requests(): RequestLog {
    return this.#audit.log.except({ user: TEST_USER.username });
  }

  /** A kubeconfig with a client certificate. Default: of an administrator named `admin`. */
  async kubeconfig(identity?: Identity): Promise<string> {
    const user = identity === undefined ? { username: 'admin', groups: [PRIVILEGED_GROUP] } : userInfoOf(identity);
    const { url, certificates } = this.#controlPlane;
    const credentials = certificates.issueClient(user, { keyType: 'rsa' });
    return kubeconfigText({ url, certificateAuthority: certificates.authority, username: user.username, credentials });
  }

  /**
   * Waits until operators that run here have looked at everything, and no client but the test has asked anything for half a second. An approximation: what the
   * server's own controllers do, and what another client has got but not worked at, is not seen.
   *
   * @throws WaitError when requests come again and again
   */
  async settled(options: SettledOptions = {}): Promise<void> {
    const wait = {
      quietMs: QUIET_MS,
      timeoutMs: this.#timeoutMs,
      busyWith: () => this.runs.busyWith('settled'),
      activity: () => this.requests.length + this.requests.filter({ answered: true }).length,
      background: () => this.runs.background(),
      lasting: this.#lasting,
    };
    await waitUntilSettled(settledWait(options, wait));
  }

  protected override async operatorSurroundings(identity: Identity): Promise<OperatorSurroundings> {
    const { url, certificates } = this.#controlPlane;
    const { certificate, privateKey } = certificates.issueClient(userInfoOf(identity));
    const connection = { server: url, ca: certificates.authority, certificate, key: privateKey, origin: 'the kube-apiserver of this test' };
    return { connection: connectionOf(connection), webhookPort: this.#webhookPort };
  }

  override async close(): Promise<void> {
    try {
      await super.close();
    } finally {
      await this.#controlPlane.stop();
      if (this.#webhookPort !== undefined) releasePorts([this.#webhookPort]);
    }
  }
}
