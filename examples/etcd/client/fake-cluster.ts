import { createHash } from 'node:crypto';
import type { EtcdMember, KeyValue, RangeOptions, Txn, TxnAnswer } from './api.js';
import { EtcdError, refusal } from './errors.js';

/** gRPC codes of refusals. */
const [UNKNOWN, INVALID_ARGUMENT, NOT_FOUND, FAILED_PRECONDITION, OUT_OF_RANGE, UNAVAILABLE] = [2, 3, 5, 9, 11, 14] as const;
const MOST_LEARNERS = 1;

interface Change {
  readonly revision: number;
  readonly key: string;
  /** Absent for a deletion. */
  readonly value?: string | undefined;
}

/** How a cluster sees the processes of its members. */
export interface Liveness {
  /** The member's process runs and answers. */
  isUp(memberId: string): boolean;
  /** It has done so for as long as etcd asks for before it changes the membership. */
  isConnected(memberId: string): boolean;
}

/** The replicated state of a fake cluster, and the rules of etcd about changes of its membership (`server/etcdserver/server.go`, `api/membership/cluster.go`). */
export class FakeCluster {
  readonly id: string;
  readonly #members = new Map<string, EtcdMember>();
  /** Members whose process has had a data directory: one that starts again without it has lost what it promised. */
  readonly #joined = new Set<string>();
  readonly #removed = new Set<string>();
  readonly #liveness: Liveness;
  #changes: Change[];
  #leader: string | undefined;
  #added = 0;

  constructor(id: string, members: readonly EtcdMember[], liveness: Liveness, changes: readonly Change[] = []) {
    this.id = id;
    for (const member of members) this.#members.set(member.id, member);
    this.#liveness = liveness;
    this.#changes = [...changes];
  }

  get members(): readonly EtcdMember[] {
    return [...this.#members.values()].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  }

  get voters(): readonly EtcdMember[] {
    return this.members.filter(({ isLearner }) => !isLearner);
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  get revision(): number {
    return Math.max(1, ...this.#changes.map(({ revision }) => revision));
  }

  hasQuorum(): boolean {
    const { voters } = this;
    return voters.filter(({ id }) => this.#liveness.isUp(id)).length > voters.length / 2;
  }

  /** The leader stays one as long as it can. */
  leader(): string | undefined {
    if (!this.hasQuorum()) return undefined;
    const candidates = this.voters.filter(({ id }) => this.#liveness.isUp(id)).map(({ id }) => id);
    if (this.#leader === undefined || !candidates.includes(this.#leader)) [this.#leader] = candidates;
    return this.#leader;
  }

  isRemoved(id: string): boolean {
    return this.#removed.has(id);
  }

  hasJoined(id: string): boolean {
    return this.#joined.has(id);
  }

  /** A process has started with this member's identity. */
  join(id: string): void {
    this.#joined.add(id);
  }

  /** A member publishes its name and addresses through the quorum. */
  publish(id: string, name: string, clientUrls: readonly string[]): void {
    const member = this.#members.get(id);
    if (member !== undefined) this.#members.set(id, { ...member, name, clientUrls });
  }

  add(peerUrls: readonly string[], isLearner: boolean): EtcdMember {
    if (peerUrls.length === 0 || !peerUrls.every(isPeerUrl)) throw refusal('InvalidPeerUrls', INVALID_ARGUMENT);
    if (!isLearner) this.#checkStarted(this.voters.length + 1, this.#started(this.voters), this.voters.length === 1);
    this.#checkConnected();
    if (this.members.some((member) => member.peerUrls.some((url) => peerUrls.includes(url))))
      throw refusal('PeerUrlsExist', FAILED_PRECONDITION);
    if (isLearner && this.members.length - this.voters.length >= MOST_LEARNERS) throw refusal('TooManyLearners', FAILED_PRECONDITION);
    this.#added += 1;
    const member = { id: idOf(this.id, ...peerUrls, String(this.#added)), peerUrls, clientUrls: [], isLearner };
    this.#members.set(member.id, member);
    return member;
  }

  promote(id: string): void {
    const member = this.#get(id);
    if (!member.isLearner) throw refusal('NotALearner', FAILED_PRECONDITION);
    if (member.name === undefined || !this.#liveness.isUp(id)) throw refusal('LearnerNotReady', FAILED_PRECONDITION);
    this.#checkStarted(this.voters.length + 1, this.#started(this.voters) + 1);
    this.#members.set(id, { ...member, isLearner: false });
  }

  remove(id: string): void {
    const member = this.#get(id);
    if (!member.isLearner) {
      const others = this.voters.filter((other) => other.id !== id);
      this.#checkStarted(others.length, this.#started(others));
      const active = this.voters.filter((voter) => this.#liveness.isConnected(voter.id));
      // One that is down is not part of the active quorum.
      if (active.includes(member) && active.length - 1 < 1 + Math.floor((this.voters.length - 1) / 2))
        throw refusal('UnhealthyCluster', UNAVAILABLE);
    }
    this.#members.delete(id);
    this.#removed.add(id);
  }

  update(id: string, peerUrls: readonly string[]): void {
    const member = this.#get(id);
    if (!peerUrls.every(isPeerUrl)) throw refusal('InvalidPeerUrls', INVALID_ARGUMENT);
    if (this.members.some((other) => other.id !== id && other.peerUrls.some((url) => peerUrls.includes(url))))
      throw refusal('PeerUrlsExist', FAILED_PRECONDITION);
    this.#members.set(id, { ...member, peerUrls });
  }

  moveLeader(id: string): void {
    if (!this.voters.some((voter) => voter.id === id)) throw refusal('BadLeaderTransferee', FAILED_PRECONDITION);
    if (!this.#liveness.isUp(id))
      throw new EtcdError('Timeout', 'etcdserver: request timed out, leader transfer took too long', { mayHaveHappened: true });
    this.#leader = id;
  }

  put(key: string, value: string): number {
    const revision = this.revision + 1;
    this.#changes.push({ revision, key, value });
    return revision;
  }

  delete(key: string, isPrefix: boolean): number {
    const keys = this.range(key, { isPrefix }).keyValues;
    const revision = this.revision + 1;
    for (const found of keys) this.#changes.push({ revision, key: found.key });
    return keys.length;
  }

  range(key: string, { isPrefix = false, limit = 0, revision }: RangeOptions): { keyValues: readonly KeyValue[]; count: number } {
    if (revision !== undefined && revision > this.revision) throw refusal('FutureRevision', OUT_OF_RANGE);
    const state = new Map<string, KeyValue>();
    for (const change of this.#changes) {
      if (revision !== undefined && revision > 0 && change.revision > revision) break;
      apply(state, change);
    }
    const all = [...state.values()].filter((found) => (isPrefix ? found.key.startsWith(key) : found.key === key));
    all.sort((a, b) => (a.key < b.key ? -1 : 1));
    return { keyValues: limit > 0 ? all.slice(0, limit) : all, count: all.length };
  }

  /** All puts and deletions of a transaction have one revision. */
  txn({ compare, success, failure = [] }: Txn): TxnAnswer {
    const succeeded = compare.every((condition) => {
      const [found] = this.range(condition.key, {}).keyValues;
      if ('version' in condition) return (found?.version ?? 0) === condition.version;
      if ('modRevision' in condition) return (found?.modRevision ?? 0) === condition.modRevision;
      return found?.value === condition.value;
    });
    const revision = this.revision + 1;
    const responses = (succeeded ? success : failure).map((operation) => {
      if ('range' in operation) return this.range(operation.range, {}).keyValues;
      if ('put' in operation) this.#changes.push({ revision, key: operation.put, value: operation.value });
      else if (this.range(operation.delete, {}).count > 0) this.#changes.push({ revision, key: operation.delete });
      return [];
    });
    return { revision: this.revision, succeeded, responses };
  }

  #get(id: string): EtcdMember {
    const member = this.#members.get(id);
    if (member === undefined) throw refusal('MemberNotFound', NOT_FOUND);
    return member;
  }

  #started(members: readonly EtcdMember[]): number {
    return members.filter(({ name }) => name !== undefined).length;
  }

  #checkStarted(voters: number, started: number, isAlone = false): void {
    if (isAlone && started === 1) return;
    if (started < Math.floor(voters / 2) + 1) throw refusal('NotEnoughStartedMembers', UNKNOWN);
  }

  #checkConnected(): void {
    if (!this.voters.every(({ id }) => this.#liveness.isConnected(id))) throw refusal('UnhealthyCluster', UNAVAILABLE);
  }
}

function apply(state: Map<string, KeyValue>, { revision, key, value }: Change): void {
  if (value === undefined) {
    state.delete(key);
    return;
  }
  const before = state.get(key);
  state.set(key, {
    key,
    value,
    createRevision: before?.createRevision ?? revision,
    modRevision: revision,
    version: (before?.version ?? 0) + 1,
  });
}

const isPeerUrl = (url: string): boolean => /^https?:\/\/[^/]+:\d+$/.test(url);

/** A 64-bit number that follows from the parts, as etcd makes its ids. */
export function idOf(...parts: readonly string[]): string {
  return createHash('sha1').update(parts.join('\n')).digest().readBigUInt64BE().toString();
}
