import { type Connection, loadConnection } from '@keelson/runtime/internal/http';
import type { Nothing } from 'keelson/internal/definition';
import { CreatedObjects } from './created-objects.js';
import { TestClusterError } from './errors.js';
import { existingKubeconfig } from './existing-kubeconfig.js';
import { filled } from './fill.js';
import type { Identity } from './identity.js';
import { installedOperator } from './installed-operator.js';
import type { ExistingOptions } from './options.js';
import { RunningCluster } from './running-cluster.js';
import type { SnapshotOptions } from './snapshot/index.js';
import { spanOf, type TimeSpan } from './time-span.js';

const TIMEOUT = '30s';

/**
 * A cluster that was there before and stays. Objects that the test creates through it, {@link as} other users too, are deleted at its end.
 *
 * @example
 * ```ts
 * const cluster = await TestCluster.start({ server: 'existing', context: 'staging', operator });
 * await cluster.create(ConfigMap, { metadata: { name: 'settings' } });
 * ```
 */
export class ExistingCluster<in TExternals = Nothing> extends RunningCluster<TExternals> {
  readonly #created: CreatedObjects;
  readonly #timeout: TimeSpan;

  private constructor(connection: Connection, created: CreatedObjects, options: ExistingOptions) {
    const { namespace, timeout = TIMEOUT } = options;
    super({
      connection,
      namespace: namespace ?? connection.namespace,
      defaultTimeout: timeout,
      installed: installedOperator(options),
      onCreated: (kind, object) => created.add(kind, object),
    });
    this.#created = created;
    this.#timeout = timeout;
  }

  /** @throws ConnectionSettingsError where no cluster is configured; what the installation of the content throws */
  static async start(options: ExistingOptions): Promise<ExistingCluster> {
    const { kubeconfig, context } = options;
    const cluster = new ExistingCluster(await loadConnection({ kubeconfig, context }), new CreatedObjects(), options);
    return filled(cluster, options, { reachesServices: false });
  }

  /** A kubeconfig of the user that the cluster was reached as, or of another one: of a ServiceAccount with a token of a day, of others by impersonation. */
  kubeconfig(identity?: Identity): Promise<string> {
    return existingKubeconfig(this.client, identity);
  }

  /** As elsewhere, but `resources` must be given: a whole cluster is too much to read. Default of `namespaces`: that of the test. */
  override async snapshot(options: SnapshotOptions = {}): Promise<string> {
    if (options.resources === undefined)
      throw new TestClusterError("snapshot: name the resources that are shown; server: 'existing' has more objects than those of the test");
    return super.snapshot({ namespaces: [this.namespace], ...options });
  }

  /** Deletes what was created, and waits until it is gone. @throws TestClusterError naming what is still there */
  override async close(): Promise<void> {
    try {
      await this.#created.deleteAll(this.client, spanOf(this.#timeout));
    } finally {
      await super.close();
    }
  }
}
