import { createHash } from 'node:crypto';
import type { EtcdApi, EtcdMembers, EtcdStatus, EtcdTarget, Snapshot } from './api.js';
import { EtcdError, refusal } from './errors.js';
import { FakeCluster, idOf, type Liveness } from './fake-cluster.js';
import { type EtcdFlags, type FakeProcess, flagsOf } from './fake-process.js';
import { acrossEndpoints } from './gateway-calls.js';

/** gRPC codes of refusals. */
const [RESOURCE_EXHAUSTED, FAILED_PRECONDITION, UNAVAILABLE] = [8, 9, 14] as const;

/** A data directory: whose it is. */
interface Data {
  readonly cluster: FakeCluster;
  readonly memberId: string;
}

class Process implements FakeProcess {
  exitCode: number | undefined;
  problem: string | undefined;
  isHung = false;
  data: Data | undefined;
  readonly flags: EtcdFlags;
  readonly startedMs: number;
  readonly #changed: () => void;
  readonly #onExit: (code: number) => void;

  constructor(flags: EtcdFlags, startedMs: number, changed: () => void, onExit: (code: number) => void) {
    this.flags = flags;
    this.startedMs = startedMs;
    this.#changed = changed;
    this.#onExit = onExit;
  }

  get isUp(): boolean {
    return this.exitCode === undefined && !this.isHung;
  }

  end(code: number, problem?: string): void {
    if (this.exitCode !== undefined) return;
    this.exitCode = code;
    this.problem = problem;
    this.#changed();
    this.#onExit(code);
  }

  kill(): void {
    this.end(137);
  }

  hang(): void {
    this.isHung = true;
  }

  goOn(): void {
    this.isHung = false;
    this.#changed();
  }
}

export interface FakeEtcdOptions {
  /** Milliseconds of a clock, as a test moves it. @defaultValue that of this process */
  readonly nowMs?: (() => number) | undefined;
  /** Milliseconds for which all voters must be connected before the membership changes. etcd has 5,000. @defaultValue 0 */
  readonly settleMs?: number | undefined;
  /** @defaultValue `3.6.16` */
  readonly version?: string | undefined;
}

export interface StartOptions {
  /** Tells the disk of one Pod from that of another; the data directory is a path on it. @defaultValue one disk for all */
  readonly volume?: string | undefined;
  /** The process has ended by itself, or was killed. */
  readonly onExit?: ((code: number) => void) | undefined;
}

/**
 * etcd without etcd, for tests and exploration: its calls, and processes that are started with its command line. It refuses what etcd refuses, by etcd's rules of
 * membership. `examples/etcd/client/cases.ts` holds both to the same.
 *
 * It differs in this: members never lag behind, nothing times out by waiting, and a member that is up joins at once.
 *
 * @example
 * ```ts
 * const etcd = new FakeEtcd();
 * etcd.start(['--name=a', '--initial-advertise-peer-urls=http://a:2380', '--advertise-client-urls=http://a:2379', '--initial-cluster=a=http://a:2380']);
 * const { members } = await etcd.members({ endpoints: ['http://a:2379'] });
 * ```
 */
export class FakeEtcd implements EtcdApi {
  readonly #clusters = new Map<string, FakeCluster>();
  readonly #processes = new Set<Process>();
  readonly #disks = new Map<string, Data>();
  readonly #alarms = new Map<string, { readonly memberId: string; readonly alarm: 'NOSPACE' | 'CORRUPT' }[]>();
  readonly #nowMs: () => number;
  readonly #settleMs: number;
  readonly #version: string;

  constructor({ nowMs = () => performance.now(), settleMs = 0, version = '3.6.16' }: FakeEtcdOptions = {}) {
    this.#nowMs = nowMs;
    this.#settleMs = settleMs;
    this.#version = version;
  }

  /** All clusters that there have ever been, by id: a test looks whether there is one alone. */
  get clusters(): ReadonlyMap<string, FakeCluster> {
    return this.#clusters;
  }

  /** A process with etcd's command line. It may end at once: see `exitCode` and `problem`. */
  start(args: readonly string[], { volume = '', onExit = () => undefined }: StartOptions = {}): FakeProcess {
    const process = new Process(flagsOf(args), this.#nowMs(), () => this.#publish(), onExit);
    const disk = `${volume}:${process.flags.dataDir}`;
    const data = this.#disks.get(disk) ?? this.#bootstrap(process);
    if (process.exitCode !== undefined || data === undefined) return process;
    const { cluster, memberId } = process.flags.forceNewCluster ? this.#alone(data, process.flags) : data;
    process.data = { cluster, memberId };
    this.#disks.set(disk, process.data);
    if (cluster.isRemoved(memberId)) {
      process.end(0, 'the member has been permanently removed from the cluster');
      return process;
    }
    cluster.join(memberId);
    this.#processes.add(process);
    this.#publish();
    return process;
  }

  /** Empties a disk, as a Pod does whose volume is new. */
  wipe(volume: string): void {
    for (const disk of this.#disks.keys()) if (disk.startsWith(`${volume}:`)) this.#disks.delete(disk);
  }

  /** `etcdutl snapshot restore` with its flags. @throws Error as the command fails */
  restore(snapshot: Uint8Array, args: readonly string[], { volume = '' }: Pick<StartOptions, 'volume'> = {}): void {
    const flags = flagsOf(args);
    const disk = `${volume}:${flags.dataDir}`;
    if (this.#disks.has(disk)) throw new Error(`data-dir "${flags.dataDir}" not empty or could not be read`);
    const body = Buffer.from(snapshot.subarray(0, -32));
    if (
      !createHash('sha256')
        .update(body)
        .digest()
        .equals(Buffer.from(snapshot.subarray(-32)))
    )
      throw new Error('expected sha256, the snapshot file is corrupted');
    const { changes } = JSON.parse(body.toString().trimEnd()) as { readonly changes: FakeCluster['changes'] };
    const data = this.#founded(flags, changes);
    if (data === undefined) throw new Error(`couldn't find local name "${flags.name}" in the initial cluster configuration`);
    this.#disks.set(disk, data);
  }

  /** Raises an alarm, as a member would by itself. */
  async raise(target: EtcdTarget, alarm: 'NOSPACE' | 'CORRUPT'): Promise<void> {
    const { cluster, memberId } = await this.#read(target, { isLocal: true });
    this.#alarms.set(cluster.id, [...(this.#alarms.get(cluster.id) ?? []), { memberId, alarm }]);
  }

  async status(target: EtcdTarget): Promise<EtcdStatus> {
    const { cluster, memberId } = await this.#read(target, { isLocal: true, isForLearners: true });
    const [leader, bytes] = [cluster.leader(), snapshotOf(cluster).length];
    const alarms = (this.#alarms.get(cluster.id) ?? []).map((item) => `memberID:${item.memberId} alarm:${item.alarm} `);
    return {
      clusterId: cluster.id,
      memberId,
      version: this.#version,
      revision: cluster.revision,
      dbSize: bytes,
      dbSizeInUse: bytes,
      ...(leader === undefined ? {} : { leader }),
      raftTerm: 2,
      raftIndex: cluster.changes.length + 4,
      raftAppliedIndex: cluster.changes.length + 4,
      isLearner: cluster.members.find(({ id }) => id === memberId)?.isLearner === true,
      errors: [...(leader === undefined ? ['etcdserver: no leader'] : []), ...alarms],
    };
  }

  async health(target: EtcdTarget): ReturnType<EtcdApi['health']> {
    const { cluster } = await this.#read(target, { isLocal: true, isForLearners: true });
    if (!cluster.hasQuorum()) return { isHealthy: false, reason: 'RAFT NO LEADER' };
    return (this.#alarms.get(cluster.id) ?? []).length > 0 ? { isHealthy: false, reason: 'ALARM NOSPACE' } : { isHealthy: true };
  }

  async members(target: EtcdTarget): Promise<EtcdMembers> {
    return membersOf((await this.#read(target)).cluster);
  }

  async addMember(target: EtcdTarget, peerUrls: readonly string[]): ReturnType<EtcdApi['addMember']> {
    const { cluster } = await this.#change(target);
    return { member: cluster.add(peerUrls, false), ...membersOf(cluster) };
  }

  async addLearner(target: EtcdTarget, peerUrls: readonly string[]): ReturnType<EtcdApi['addLearner']> {
    const { cluster } = await this.#change(target);
    return { member: cluster.add(peerUrls, true), ...membersOf(cluster) };
  }

  async promoteMember(target: EtcdTarget, id: string): Promise<EtcdMembers> {
    const { cluster } = await this.#change(target);
    cluster.promote(id);
    return membersOf(cluster);
  }

  async removeMember(target: EtcdTarget, id: string): Promise<EtcdMembers> {
    const { cluster } = await this.#change(target);
    cluster.remove(id);
    for (const process of this.#processes)
      if (process.data?.memberId === id && process.data.cluster === cluster)
        process.end(0, 'the member has been permanently removed from the cluster');
    this.#publish();
    return membersOf(cluster);
  }

  async updateMember(target: EtcdTarget, id: string, peerUrls: readonly string[]): Promise<EtcdMembers> {
    const { cluster } = await this.#change(target);
    cluster.update(id, peerUrls);
    return membersOf(cluster);
  }

  async moveLeader(target: EtcdTarget, id: string): Promise<void> {
    const { cluster } = await this.#change(target, true);
    cluster.moveLeader(id);
  }

  async alarms(target: EtcdTarget): ReturnType<EtcdApi['alarms']> {
    const { cluster } = await this.#read(target);
    return this.#alarms.get(cluster.id) ?? [];
  }

  async disarm(target: EtcdTarget, { memberId, alarm }: Parameters<EtcdApi['disarm']>[1]): Promise<void> {
    const { cluster } = await this.#change(target);
    const left = (this.#alarms.get(cluster.id) ?? []).filter((item) => item.memberId !== memberId || item.alarm !== alarm);
    this.#alarms.set(cluster.id, left);
  }

  async defragment(target: EtcdTarget): Promise<void> {
    await this.#read(target, { isLocal: true, isForLearners: true });
  }

  async range(target: EtcdTarget, key: string, options: Parameters<EtcdApi['range']>[2] = {}): ReturnType<EtcdApi['range']> {
    const { cluster } = await this.#read(target, { isLocal: options.isSerializable, isForLearners: options.isSerializable });
    return { revision: cluster.revision, ...cluster.range(key, options) };
  }

  async put(target: EtcdTarget, key: string, value: string): Promise<number> {
    return (await this.#write(target)).put(key, value);
  }

  async delete(target: EtcdTarget, key: string, { isPrefix = false }: Parameters<EtcdApi['delete']>[2] = {}): Promise<number> {
    const { cluster } = await this.#change(target);
    return cluster.delete(key, isPrefix);
  }

  async txn(target: EtcdTarget, txn: Parameters<EtcdApi['txn']>[1]): ReturnType<EtcdApi['txn']> {
    return (await this.#write(target)).txn(txn);
  }

  async snapshot(target: EtcdTarget): Promise<Snapshot> {
    const { cluster, endpoint } = await this.#read(target, { isLocal: true });
    const bytes = snapshotOf(cluster);
    return {
      endpoint,
      async *[Symbol.asyncIterator]() {
        const half = Math.floor(bytes.length / 2);
        yield bytes.subarray(0, half);
        yield bytes.subarray(half);
      },
    };
  }

  /** The first member that can answer a read. */
  #read(target: EtcdTarget, { isLocal = false, isForLearners = false } = {}): Promise<Data & { readonly endpoint: string }> {
    return acrossEndpoints(target, {}, { path: '', isChange: false }, async (endpoint) => {
      const data = this.#at(endpoint, target.tls, false);
      if (!isForLearners && isLearner(data)) throw refusal('NotSupportedForLearner', UNAVAILABLE, endpoint);
      if (!isLocal && !data.cluster.hasQuorum()) throw timeout(endpoint, false);
      return { ...data, endpoint };
    });
  }

  /** The first member that takes a change. */
  #change(target: EtcdTarget, isForLeader = false): Promise<Data> {
    const elsewhereAfter = ({ reason }: EtcdError): boolean => reason === 'NotLeader';
    return acrossEndpoints(target, {}, { path: '', isChange: true, elsewhereAfter }, async (endpoint) => {
      const data = this.#at(endpoint, target.tls, true);
      if (isLearner(data)) throw refusal('NotSupportedForLearner', UNAVAILABLE, endpoint);
      if (!data.cluster.hasQuorum()) throw timeout(endpoint, true);
      if (isForLeader && data.cluster.leader() !== data.memberId) throw refusal('NotLeader', FAILED_PRECONDITION, endpoint);
      return data;
    });
  }

  async #write(target: EtcdTarget): Promise<FakeCluster> {
    const { cluster } = await this.#change(target);
    if ((this.#alarms.get(cluster.id) ?? []).some(({ alarm }) => alarm === 'NOSPACE')) throw refusal('NoSpace', RESOURCE_EXHAUSTED);
    return cluster;
  }

  /** The member behind a client URL. @throws EtcdError if nothing answers there */
  #at(endpoint: string, tls: EtcdTarget['tls'], isChange: boolean): Data {
    const found = [...this.#processes].find(({ flags, exitCode }) => exitCode === undefined && flags.clientUrls.includes(endpoint));
    if (found?.data === undefined || (endpoint.startsWith('https:') && tls === undefined))
      throw new EtcdError('Unavailable', `${endpoint}: connect ECONNREFUSED`, { endpoint });
    if (found.isHung) throw timeout(endpoint, isChange);
    return found.data;
  }

  #livenessOf(clusterId: string): Liveness {
    const processOf = (memberId: string): Process | undefined =>
      [...this.#processes].find(
        ({ data, exitCode }) => exitCode === undefined && data?.cluster.id === clusterId && data.memberId === memberId,
      );
    return {
      isUp: (id) => processOf(id)?.isUp === true,
      isConnected: (id) => {
        const process = processOf(id);
        return process?.isUp === true && this.#nowMs() - process.startedMs >= this.#settleMs;
      },
    };
  }

  #publish(): void {
    for (const { data, flags, isUp } of this.#processes)
      if (isUp && data?.cluster.hasQuorum() === true) data.cluster.publish(data.memberId, flags.name, flags.clientUrls);
  }

  /** A process without data: it founds a cluster, or joins one. */
  #bootstrap(process: Process): Data | undefined {
    const { flags } = process;
    return flags.isNew ? this.#foundOrEnd(process) : this.#join(process);
  }

  #foundOrEnd(process: Process): Data | undefined {
    const data = this.#founded(process.flags, []);
    if (data === undefined) process.end(1, `couldn't find local name "${process.flags.name}" in the initial cluster configuration`);
    else if (data.cluster.hasJoined(data.memberId) && data.cluster.hasQuorum()) {
      process.end(1, `member ${data.memberId} has already been bootstrapped`);
      return undefined;
    } else if (data.cluster.hasJoined(data.memberId)) return this.#founded(process.flags, [], true);
    return data;
  }

  /** The ids follow from the URLs and the token: members that are founded with the same ones find each other. */
  #founded({ name, initialCluster, token }: EtcdFlags, changes: FakeCluster['changes'], isAnew = false): Data | undefined {
    const members = [...initialCluster].map(([member, url]) => ({
      id: idOf(url, token),
      peerUrls: [url],
      clientUrls: [],
      isLearner: false,
      isSelf: member === name,
    }));
    const self = members.find(({ isSelf }) => isSelf);
    if (self === undefined) return undefined;
    const id = idOf(...members.map((member) => member.id).sort());
    const known = isAnew ? undefined : this.#clusters.get(id);
    const cluster =
      known ??
      new FakeCluster(
        id,
        members.map(({ isSelf: _, ...member }) => member),
        this.#livenessOf(id),
        changes,
      );
    this.#clusters.set(id, cluster);
    return { cluster, memberId: self.id };
  }

  #join(process: Process): Data | undefined {
    const { flags } = process;
    const peers = [...this.#processes].filter(
      ({ isUp, flags: other }) => isUp && other.peerUrls.some((url) => [...flags.initialCluster.values()].includes(url)),
    );
    const cluster = peers.find(({ data }) => data !== undefined)?.data?.cluster;
    if (cluster === undefined) {
      process.end(1, 'cannot fetch cluster info from peer urls: could not retrieve cluster information from the given URLs');
      return undefined;
    }
    const expected = cluster.members.flatMap(({ peerUrls }) => peerUrls).sort();
    const given = [...flags.initialCluster.values()].sort();
    if (expected.join() !== given.join()) {
      process.end(1, `error validating peerURLs: member count is unequal or URLs differ: ${given.join()} is not ${expected.join()}`);
      return undefined;
    }
    const self = cluster.members.find(({ peerUrls }) => peerUrls.some((url) => flags.peerUrls.includes(url)));
    if (self === undefined) {
      process.end(1, `couldn't find local name "${flags.name}" in the initial cluster configuration`);
      return undefined;
    }
    if (cluster.hasJoined(self.id)) {
      process.end(2, 'panic: tocommit is out of range [lastIndex(0)]. Was the raft log corrupted, truncated, or lost?');
      return undefined;
    }
    return { cluster, memberId: self.id };
  }

  /** `--force-new-cluster`: the same cluster with this member alone. */
  #alone({ cluster, memberId }: Data, { peerUrls }: EtcdFlags): Data {
    const alone = new FakeCluster(
      cluster.id,
      [{ id: memberId, peerUrls, clientUrls: [], isLearner: false }],
      this.#livenessOf(cluster.id),
      cluster.changes,
    );
    this.#clusters.set(cluster.id, alone);
    return { cluster: alone, memberId };
  }
}

function timeout(endpoint: string, mayHaveHappened: boolean): EtcdError {
  return new EtcdError('Timeout', `${endpoint}: etcdserver: request timed out`, { endpoint, mayHaveHappened });
}

function isLearner({ cluster, memberId }: Data): boolean {
  return cluster.members.some(({ id, isLearner: learns }) => id === memberId && learns);
}

function membersOf(cluster: FakeCluster): EtcdMembers {
  return { clusterId: cluster.id, members: cluster.members };
}

function snapshotOf(cluster: FakeCluster): Buffer {
  const text = JSON.stringify({ revision: cluster.revision, changes: cluster.changes });
  const body = Buffer.from(text.padEnd(Math.ceil(text.length / 512) * 512));
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
}
