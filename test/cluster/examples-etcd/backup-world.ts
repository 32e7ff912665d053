import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContainerOfPod, processes, type RunningOperator, type StoredOf, TestCluster } from '@keelson/testing';
import { defineOperator } from 'keelson';
import { Pod } from 'keelson/kinds';
import { backupConfig, etcdBackupController } from '../../../examples/etcd/backup/controller.js';
import { stores } from '../../../examples/etcd/backup/store.js';
import { createBackupStores } from '../../../examples/etcd/backup/stores.js';
import type { EtcdApi, EtcdTarget } from '../../../examples/etcd/client/api.js';
import { createEtcdGateway } from '../../../examples/etcd/client/gateway.js';
import { LocalNames } from '../../../examples/etcd/client/local-names.js';
import { config } from '../../../examples/etcd/cluster/access.js';
import { etcdClusterController } from '../../../examples/etcd/cluster/controller.js';
import { EtcdCluster } from '../../../examples/etcd/cluster/etcd-cluster.js';
import { clusterCheck } from '../../../examples/etcd/cluster/webhooks.js';
import { etcdRestoreController, restoreConfig } from '../../../examples/etcd/restore/controller.js';
import { Offers, offers } from '../../../examples/etcd/restore/offers.js';
import { DEADLINE_MS } from '../../deadline.cjs';
import { letWebhooksTakeTheirTime } from '../examples-harness/patient-webhooks.js';

/** Both operators of the example in one: a test cluster installs one. */
const operator = defineOperator({
  name: 'etcd-operator',
  controllers: [etcdClusterController, etcdBackupController, etcdRestoreController],
  webhooks: [clusterCheck],
  endpoints: {
    backups: { port: 19_999, uses: { offers, stores }, handle: (request, { offers, ...context }) => offers.answer(request, context) },
  },
});

export interface BackupPrograms {
  readonly etcd: string;
  readonly etcdutl: string;
}

/** Seconds after which a member that does not come back is replaced: longer than a test. */
const DEAD_AFTER = 300;
/** The Service of the operator in the Pods' command lines; no proxy serves it here. */
const SERVICE = 'http://etcd-operator-backups:19999';

type Cluster = Awaited<ReturnType<typeof started>>;

/** The operators of the example in this process, members that are processes of etcd, and a folder for backups. */
export class BackupWorld {
  readonly cluster: Cluster;
  readonly etcd: EtcdApi = createEtcdGateway();
  readonly #names: LocalNames;
  readonly #directory: string;
  readonly #service: { url: string };
  #running: RunningOperator | undefined;

  private constructor(cluster: Cluster, names: LocalNames, directory: string, service: { url: string }) {
    this.cluster = cluster;
    this.#names = names;
    this.#directory = directory;
    this.#service = service;
  }

  static async open({ etcd, etcdutl }: BackupPrograms): Promise<BackupWorld> {
    const names = new LocalNames();
    const service = { url: SERVICE };
    const containers = processes({
      'quay.io/coreos/etcd:v3.6.*': (container) => ({
        program: container.name === 'restore-datadir' ? etcdutl : etcd,
        args: names.argsOf(container),
      }),
      'busybox:*': (container) => (container.name === 'check-dns' ? 'simulated' : shell(container, service.url)),
    });
    const cluster = await started(containers);
    const world = new BackupWorld(cluster, names, mkdtempSync(join(tmpdir(), 'keelson-backups-')), service);
    await world.startOperator();
    return world;
  }

  async startOperator(): Promise<void> {
    const to = (target: EtcdTarget): EtcdTarget => ({ ...target, endpoints: target.endpoints.map((url) => this.#names.toAddress(url)) });
    const etcd: EtcdApi = {
      ...this.etcd,
      snapshot: (target, options) => this.etcd.snapshot(to(target), options),
      range: (target, key, options) => this.etcd.range(to(target), key, options),
    };
    this.#running = await this.cluster.startOperator({
      externals: { etcd: this.#names.between(etcd), stores: createBackupStores(), offers: new Offers() },
      values: [
        config.values({ deadMemberAfterSeconds: DEAD_AFTER }),
        backupConfig.values({ directory: this.#directory }),
        restoreConfig.values({ url: SERVICE }),
      ],
    });
    this.#service.url = `http://127.0.0.1:${this.#running.ports.endpoints?.['backups']}`;
  }

  async stopOperator(): Promise<void> {
    await this.#running?.stop();
  }

  async close(): Promise<void> {
    await this.cluster.close();
    rmSync(this.#directory, { recursive: true });
  }

  /** Every member serves, as the spec has it. */
  ready(name: string): Promise<StoredOf<typeof EtcdCluster>> {
    return this.cluster.until(EtcdCluster, name, ({ metadata, spec, status }) => {
      const ready = status?.conditions?.find(({ type }) => type === 'Ready');
      return ready?.status === 'True' && ready.observedGeneration === metadata.generation && status?.size === spec.size;
    });
  }

  async podsOf(name: string): Promise<readonly StoredOf<typeof Pod>[]> {
    return this.cluster.list(Pod, { labels: { app: 'etcd', etcd_cluster: name } });
  }

  /** By addresses. */
  async targetOf(name: string): Promise<EtcdTarget> {
    const pods = await this.podsOf(name);
    const running = pods.filter(({ status, metadata }) => status?.phase === 'Running' && metadata.deletionTimestamp === undefined);
    return { endpoints: running.map(({ status }) => `http://${status?.podIP}:2379`) };
  }

  fileOf(path: string): Buffer {
    return readFileSync(join(this.#directory, path));
  }

  /** A bit of a stored backup turns over. */
  damage(path: string): void {
    const bytes = this.fileOf(path);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(this.pathOf(path), bytes);
  }

  pathOf(path: string): string {
    return join(this.#directory, path);
  }
}

/** A script of an init container, with the tools of this machine. */
function shell({ command, env, local }: ContainerOfPod, url: string) {
  const backup = env['BACKUP_URL'];
  return {
    program: '/bin/sh',
    args: command.slice(1).map(local),
    env: backup === undefined ? {} : { BACKUP_URL: backup.replace(SERVICE, url), BACKUP_SHA256: env['BACKUP_SHA256'] ?? '' },
  };
}

function started(containers: ReturnType<typeof processes>) {
  return TestCluster.start({ operator, workloads: { containers }, timeout: DEADLINE_MS, namespace: 'shop' }).then(letWebhooksTakeTheirTime);
}
