import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { connect } from 'node:tls';
import {
  mergePatch,
  PodControlError,
  type Processes,
  processes,
  type RunningOperator,
  type StartOperatorOptions,
  type StoredOf,
  TestCluster,
} from '@keelson/testing';
import type { Logger } from 'keelson';
import { EventsV1Event, Lease, Pod, Secret } from 'keelson/kinds';
import { FILES, textOf } from '../../../examples/etcd/certificates/files.js';
import type { EtcdApi, EtcdMember, EtcdTarget, EtcdTls } from '../../../examples/etcd/client/api.js';
import { createEtcdGateway } from '../../../examples/etcd/client/gateway.js';
import { LocalNames } from '../../../examples/etcd/client/local-names.js';
import { config } from '../../../examples/etcd/cluster/access.js';
import { EtcdCluster } from '../../../examples/etcd/cluster/etcd-cluster.js';
import { tlsSecretsOf } from '../../../examples/etcd/cluster/names.js';
import { operator } from '../../../examples/etcd/etcd-operator.js';
import { createLog } from '../../../src/runtime/telemetry/index.js';
import { DEADLINE_MS } from '../../deadline.cjs';
import { letWebhooksTakeTheirTime } from '../examples-harness/patient-webhooks.js';
import { MembershipJudge, MemberWatch, recorded } from './membership/index.js';
import { podAddresses } from './pod-addresses.js';

/** Seconds after which a member that does not come back is replaced. */
const DEAD_AFTER = 6;
export const LEASE = { namespace: 'etcd-operator-system', name: 'etcd-operator' };

export interface Programs {
  readonly etcd35: string;
  readonly etcd36: string;
}

export function programsBeside(kubectl: string, etcd35: string): Programs {
  return { etcd35, etcd36: join(dirname(kubectl), 'etcd') };
}

/** Longer than any test takes: a member whose process ends comes back as itself, however long that takes on a busy machine. */
export const NEVER_DEAD: Patience = { deadMemberAfterSeconds: 300 };

interface Patience {
  /** @defaultValue 6 */
  readonly deadMemberAfterSeconds?: number;
}

type Spec = Parameters<typeof EtcdCluster>[0]['spec'];
type Cluster = Awaited<ReturnType<typeof started>>;
export type StoredCluster = StoredOf<typeof EtcdCluster>;

/** The operator in this process, and members that are processes of etcd. */
export class RealWorld {
  readonly cluster: Cluster;
  readonly etcd: EtcdApi;
  readonly #judge = new MembershipJudge();
  readonly #names: LocalNames;
  readonly #folders: Map<string, string>;
  readonly #replicas = new Map<string, RunningOperator>();
  /** When replicas noticed that they do not lead any more. */
  readonly losses: number[] = [];
  #running: RunningOperator | undefined;
  /** Each start is another process for whoever judges. */
  #lives = 0;

  private constructor(cluster: Cluster, names: LocalNames, folders: Map<string, string>) {
    this.cluster = cluster;
    this.#names = names;
    this.#folders = folders;
    this.etcd = createEtcdGateway();
  }

  static async open(
    { etcd35, etcd36 }: Programs,
    { isOperated = true, ...patience }: Patience & { readonly isOperated?: boolean } = {},
  ): Promise<RealWorld> {
    const names = new LocalNames();
    const folders = new Map<string, string>();
    const run = (program: string) => (container: Parameters<LocalNames['argsOf']>[0]) => {
      folders.set(container.pod.metadata.name ?? '', container.pathOf('/var/etcd/data'));
      return { program, args: names.argsOf(container) };
    };
    const containers = processes({
      'quay.io/coreos/etcd:v3.5.*': run(etcd35),
      'quay.io/coreos/etcd:v3.6.*': run(etcd36),
      'busybox:*': 'simulated',
    });
    const cluster = await started(containers);
    const world = new RealWorld(cluster, names, folders);
    if (isOperated) await world.startOperator(patience);
    return world;
  }

  async startOperator({
    deadMemberAfterSeconds = DEAD_AFTER,
    ...options
  }: Patience & Pick<StartOperatorOptions, 'interceptExternal' | 'settings'> = {}): Promise<void> {
    this.#lives += 1;
    const externals = { etcd: recorded(`operator ${this.#lives}`, this.#names.between(this.etcd), this.#judge.take) };
    this.#running = await this.cluster.startOperator({
      externals,
      values: [config.values({ deadMemberAfterSeconds })],
      ...options,
    });
  }

  /** One of several processes that elect a leader. @param changes gets each change of etcd that it asks for */
  async startReplica(podName: string, changes: { readonly by: string; readonly at: number }[]): Promise<void> {
    const etcd = recorded(podName, this.#names.between(this.etcd), this.#judge.take);
    const counted = <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) => {
      return (...args: A): Promise<R> => {
        changes.push({ by: podName, at: Date.now() });
        return call(...args);
      };
    };
    const { addLearner, promoteMember, removeMember, moveLeader } = etcd;
    const running = await this.cluster.startOperator({
      podName,
      externals: {
        etcd: {
          ...etcd,
          addLearner: counted(addLearner),
          promoteMember: counted(promoteMember),
          removeMember: counted(removeMember),
          moveLeader: counted(moveLeader),
        },
      },
      settings: { leaseName: LEASE.name },
      log: this.#hearingLosses(await createLog({ level: 'warn' })),
      values: [config.values({ deadMemberAfterSeconds: DEAD_AFTER })],
    });
    this.#replicas.set(podName, running);
  }

  /** Operators log a loss in the same turn as they end the term. */
  #hearingLosses(log: Logger): Logger {
    return {
      debug: (message, fields) => log.debug(message, fields),
      info: (message, fields) => log.info(message, fields),
      warn: (message, fields) => log.warn(message, fields),
      error: (message, fields) => {
        if (message === 'leadership lost') this.losses.push(Date.now());
        log.error(message, fields);
      },
    };
  }

  async stopReplica(podName: string): Promise<void> {
    await this.#replicas.get(podName)?.stop();
  }

  /** The Pod that leads, and since when. */
  async leader(): Promise<{ readonly name: string; readonly since: number } | undefined> {
    const lease = await this.cluster.find(Lease, `${LEASE.namespace}/${LEASE.name}`);
    const { holderIdentity, acquireTime } = lease?.spec ?? {};
    return holderIdentity === undefined ? undefined : { name: holderIdentity.split('_')[0] ?? '', since: Date.parse(acquireTime ?? '') };
  }

  /** Somebody else holds the lease: as when a leader was cut off for too long. */
  async stealLease(): Promise<void> {
    await this.cluster.faults.stealLease(LEASE.name, { namespace: LEASE.namespace });
  }

  async stopOperator(): Promise<void> {
    await this.#running?.stop();
  }

  /** Why the operator is not ready, as its probe says it. */
  get operatorProblems(): readonly string[] {
    return this.#running?.readinessProblems.map(({ what, why }) => `${what}: ${why}`) ?? ['it does not run'];
  }

  async close(): Promise<void> {
    await this.cluster.close();
  }

  async create(name: string, spec: Spec): Promise<void> {
    await this.cluster.create(EtcdCluster({ metadata: { name }, spec }));
  }

  async change(name: string, spec: Partial<Pick<StoredCluster['spec'], 'size' | 'version' | 'paused' | 'TLS'>>): Promise<void> {
    await this.cluster.patch(EtcdCluster, name, mergePatch({ spec }));
  }

  /** Every member serves, as the spec has it. */
  ready(name: string): Promise<StoredCluster> {
    return this.cluster.until(EtcdCluster, name, (object) => isReady(object));
  }

  clusterOf(name: string): Promise<StoredCluster> {
    return this.cluster.get(EtcdCluster, name);
  }

  async deletePod(name: string): Promise<void> {
    await this.cluster.delete(Pod, name);
  }

  async podsOf(name: string): Promise<StoredOf<typeof Pod>[]> {
    const pods = await this.cluster.list(Pod, { labels: { app: 'etcd', etcd_cluster: name } });
    return pods.filter(({ metadata }) => metadata.ownerReferences?.some(({ kind }) => kind === 'EtcdCluster') === true);
  }

  async targetOf(name: string): Promise<EtcdTarget> {
    const pods = await this.podsOf(name);
    const running = pods.filter(({ status, metadata }) => status?.phase === 'Running' && metadata.deletionTimestamp === undefined);
    const tls = await this.tlsOf(name);
    return { endpoints: running.map(({ status }) => `${tls === undefined ? 'http' : 'https'}://${status?.podIP}:2379`), tls };
  }

  /** As a client has it: from the Secret that the operator uses too. */
  async tlsOf(name: string): Promise<EtcdTls | undefined> {
    const secret = tlsSecretsOf(await this.cluster.get(EtcdCluster, name)).client;
    if (secret === undefined) return undefined;
    const { certificate, key, authority } = FILES.client;
    const stored = await this.cluster.get(Secret, secret);
    return { ca: textOf(stored, authority), cert: textOf(stored, certificate), key: textOf(stored, key) };
  }

  /** Looks at the members of a cluster from now on, and holds what operators of this world do to the rules. */
  watch(name: string): MemberWatch {
    const target = () => this.targetOf(name);
    return new MemberWatch({ etcd: this.#names.between(this.etcd), target, judge: this.#judge, cluster: `${name}.shop.svc` });
  }

  /** Changes of the list of members that operators of this world have asked for, in their order. */
  changesOf(name: string): readonly string[] {
    return this.#judge.changesOf(`${name}.shop.svc`);
  }

  /** The certificate, in PEM, that an endpoint shows to a new connection. */
  shownBy(endpoint: string): Promise<string> {
    const { hostname, port } = new URL(endpoint);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
      socket.once('secureConnect', () => {
        resolve(socket.getPeerX509Certificate()?.toString() ?? '');
        socket.destroy();
      });
      socket.once('error', reject);
    });
  }

  addresses(): Promise<string[]> {
    return podAddresses(this.cluster);
  }

  /** By the names of their Pods. */
  async membersOf(name: string): Promise<Map<string, EtcdMember>> {
    const { members } = await this.etcd.members(await this.targetOf(name));
    return new Map(members.map((member) => [member.name ?? '', member]));
  }

  async leaderOf(name: string): Promise<string> {
    const { leader } = await this.etcd.status(await this.targetOf(name));
    return [...(await this.membersOf(name))].find(([, { id }]) => id === leader)?.[0] ?? '';
  }

  /** The data of a member is gone, and its process with it. */
  async wipe(pod: string): Promise<void> {
    await rm(this.#folders.get(pod) ?? '', { recursive: true });
    // It may have noticed by itself, and ended.
    await this.cluster.pods.signal(pod, 'SIGKILL').catch((error: unknown) => {
      if (!(error instanceof PodControlError)) throw error;
    });
  }

  async events(name: string): Promise<readonly string[]> {
    const events = await this.cluster.list(EventsV1Event, { namespace: 'shop' });
    return events.filter(({ regarding }) => regarding?.name === name).map(({ reason = '', note = '' }) => `${reason}: ${note}`);
  }
}

function started(containers: Processes) {
  // Waits ask without a pause: a quick machine asks more than 10,000 times in one test.
  return TestCluster.start({ operator, workloads: { containers }, timeout: DEADLINE_MS, namespace: 'shop', maxRequests: 200_000 }).then(
    letWebhooksTakeTheirTime,
  );
}

/** The operator has done all that the spec asks for. */
export function isReady({ metadata, spec, status }: StoredCluster): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && ready.observedGeneration === metadata.generation && status?.size === spec.size;
}
