import { eventually } from '../../../test/eventually.js';
import type { EtcdApi, EtcdMember, EtcdTarget } from './api.js';
import { EtcdError } from './errors.js';
import { SnapshotCheck } from './snapshot-stream.js';

/** Members of a cluster, real or not: each test begins with none. */
export interface EtcdRig {
  readonly etcd: EtcdApi;
  readonly clientUrlOf: (name: string) => string;
  readonly peerUrlOf: (name: string) => string;
  /** Starts a process. One that was started before goes on with its data. */
  readonly start: (name: string, options: { readonly cluster: readonly string[]; readonly state: 'new' | 'existing' }) => Promise<void>;
  kill(name: string): Promise<void>;
  hang(name: string): void;
  goOn(name: string): void;
  wipe(name: string): Promise<void>;
  /** The code with which the process has ended by itself. */
  exitCode(name: string): Promise<number>;
  /** The end of what the process has logged. */
  logOf(name: string): string;
  /** Starts a cluster of one from a snapshot. */
  restore(name: string, snapshot: Uint8Array): Promise<void>;
}

/** etcd 3.5 and 3.6, `startEtcdOrProxyV2`: a server that stops by itself ends with 0, or with 1 where the end of its listeners is heard first. */
async function endsAsRemoved(rig: EtcdRig, name: string): Promise<void> {
  const code = await rig.exitCode(name);
  if (code === 0) return;
  expect({ code, log: rig.logOf(name) }).toEqual({ code: 1, log: expect.stringContaining('"msg":"listener failed"') });
}

/** Cases that an operator relies on, for the gateway with real members and for the fake. */
export function etcdCases(rigOf: () => EtcdRig): void {
  const targetOf = (...names: readonly string[]): EtcdTarget => ({ endpoints: names.map(rigOf().clientUrlOf) });
  /** Longer than a member or this process is stopped by a busy machine. */
  const call = { timeoutMs: 10_000 };
  /** For answers that do not come without a quorum. */
  const brief = { timeoutMs: 2_000 };

  const isNotYet = (error: unknown): boolean =>
    error instanceof EtcdError &&
    !error.mayHaveHappened &&
    (error.code !== 'Refused' || ['UnhealthyCluster', 'LearnerNotReady'].includes(error.reason ?? ''));

  /** Asks until etcd is no longer "not yet". */
  const accepted = async <T>(act: () => Promise<T>): Promise<T> =>
    (await eventually(async () => ({ answer: await act() }), act.toString(), isNotYet)).answer;

  const until = (isSo: () => Promise<boolean>): Promise<true> => eventually(isSo, isSo.toString(), isNotYet);

  async function seed(): Promise<EtcdTarget> {
    const rig = rigOf();
    await rig.start('m0', { cluster: ['m0'], state: 'new' });
    const target = targetOf('m0');
    await until(async () => (await rig.etcd.health(target, call)).isHealthy);
    return target;
  }

  /** Adds a learner, starts and promotes it. */
  async function grow(target: EtcdTarget, name: string, names: readonly string[]): Promise<EtcdMember> {
    const { etcd, peerUrlOf, start } = rigOf();
    const { member } = await accepted(() => etcd.addLearner(target, [peerUrlOf(name)], call));
    await start(name, { cluster: [...names, name], state: 'existing' });
    await accepted(() => etcd.promoteMember(target, member.id, call));
    return member;
  }

  async function threeMembers(): Promise<EtcdTarget> {
    const target = await seed();
    await grow(target, 'm1', ['m0']);
    await grow(target, 'm2', ['m0', 'm1']);
    return targetOf('m0', 'm1', 'm2');
  }

  async function failureOf(promise: Promise<unknown>): Promise<EtcdError> {
    const error: unknown = await promise.then(
      () => new Error('it has not failed'),
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof EtcdError)) throw error;
    return error;
  }

  async function bytesOf(target: EtcdTarget): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await rigOf().etcd.snapshot(target)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  test('a seed is a cluster of one, with a leader and ids that are texts', async () => {
    const { etcd, clientUrlOf, peerUrlOf } = rigOf();
    const target = await seed();
    const { clusterId, members } = await etcd.members(target, call);
    expect(members).toEqual([
      {
        id: expect.stringMatching(/^\d{5,20}$/) as string,
        name: 'm0',
        peerUrls: [peerUrlOf('m0')],
        clientUrls: [clientUrlOf('m0')],
        isLearner: false,
      },
    ]);
    const status = await etcd.status(target, call);
    expect(status).toMatchObject({ clusterId, memberId: members[0]?.id, leader: members[0]?.id, isLearner: false, errors: [] });
    expect(status.version).toMatch(/^3\.\d+\.\d+$/);
    expect(status.dbSize).toBeGreaterThan(0);
  });

  test('keys: put, range of a prefix, an old revision, delete, transactions', async () => {
    const { etcd } = rigOf();
    const target = await seed();
    const first = await etcd.put(target, 'colour/a', 'red', call);
    await etcd.put(target, 'colour/b', 'grün', call);
    await etcd.put(target, 'colour/a', 'blue', call);
    const all = await etcd.range(target, 'colour/', { ...call, isPrefix: true });
    expect(all.keyValues.map(({ key, value, version }) => [key, value, version])).toEqual([
      ['colour/a', 'blue', 2],
      ['colour/b', 'grün', 1],
    ]);
    expect((await etcd.range(target, 'colour/', { ...call, isPrefix: true, limit: 1 })).count).toBe(2);
    expect((await etcd.range(target, 'colour/a', { ...call, revision: first })).keyValues).toMatchObject([
      { value: 'red', modRevision: first },
    ]);
    const txn = { compare: [{ key: 'lock', version: 0 }], success: [{ put: 'lock', value: 'me' }], failure: [{ range: 'lock' }] };
    expect(await etcd.txn(target, txn, call)).toMatchObject({ succeeded: true });
    expect(await etcd.txn(target, txn, call)).toMatchObject({ succeeded: false, responses: [[{ key: 'lock', value: 'me' }]] });
    expect(await etcd.delete(target, 'colour/', { ...call, isPrefix: true })).toBe(2);
    expect((await etcd.range(target, 'colour/', { ...call, isPrefix: true })).keyValues).toEqual([]);
    expect(await failureOf(etcd.range(target, 'lock', { ...call, revision: 1_000 }))).toMatchObject({
      code: 'Refused',
      reason: 'FutureRevision',
    });
  });

  test('a learner has no name until its process has joined, answers no reads of the quorum, and is promoted', async () => {
    const { etcd, peerUrlOf, start } = rigOf();
    const target = await seed();
    const { member, members } = await accepted(() => etcd.addLearner(target, [peerUrlOf('m1')], call));
    expect(member).toEqual({ id: expect.stringMatching(/^\d+$/) as string, peerUrls: [peerUrlOf('m1')], clientUrls: [], isLearner: true });
    expect(members).toHaveLength(2);
    expect(await failureOf(etcd.promoteMember(target, member.id, call))).toMatchObject({ reason: 'LearnerNotReady' });
    expect(await failureOf(etcd.addLearner(target, [peerUrlOf('m2')], call))).toMatchObject({ reason: 'TooManyLearners' });
    await start('m1', { cluster: ['m0', 'm1'], state: 'existing' });
    await until(async () => (await etcd.status(targetOf('m1'), call)).isLearner);
    expect(await failureOf(etcd.members(targetOf('m1'), call))).toMatchObject({ code: 'Refused', reason: 'NotSupportedForLearner' });
    expect(await failureOf(etcd.put(targetOf('m1'), 'a', 'b', call))).toMatchObject({
      reason: 'NotSupportedForLearner',
      mayHaveHappened: false,
    });
    // The learner is asked first, and says that another must be.
    await accepted(() => etcd.promoteMember(targetOf('m1', 'm0'), member.id, call));
    const list = await etcd.members(targetOf('m1', 'm0'), call);
    expect(list.members.map(({ name, isLearner }) => [name, isLearner] as const).sort(([a = ''], [b = '']) => (a < b ? -1 : 1))).toEqual([
      ['m0', false],
      ['m1', false],
    ]);
    // etcd 3.4 does not distinguish a voter from a learner that lags behind.
    expect(['NotALearner', 'LearnerNotReady']).toContain((await failureOf(etcd.promoteMember(target, member.id, call))).reason);
  });

  test('refusals have reasons', async () => {
    const { etcd, peerUrlOf } = rigOf();
    const target = await seed();
    const own = (await etcd.status(target, call)).memberId;
    expect(await failureOf(etcd.removeMember(target, '42', call))).toMatchObject({ reason: 'MemberNotFound', mayHaveHappened: false });
    expect(await failureOf(etcd.removeMember(target, own, call))).toMatchObject({ reason: 'NotEnoughStartedMembers' });
    expect(await failureOf(etcd.addLearner(target, ['not a URL'], call))).toMatchObject({ reason: 'InvalidPeerUrls' });
    expect(await failureOf(accepted(() => etcd.addLearner(target, [peerUrlOf('m0')], call)))).toMatchObject({ reason: 'PeerUrlsExist' });
    expect(await failureOf(etcd.moveLeader(target, '42', call))).toMatchObject({ reason: 'BadLeaderTransferee' });
  });

  test('a voter that is added to one loses the quorum until its process starts', async () => {
    const { etcd, peerUrlOf, start } = rigOf();
    const target = await seed();
    await accepted(() => etcd.addMember(target, [peerUrlOf('m1')], call));
    await until(async () => !(await etcd.health(target, brief)).isHealthy);
    expect(await failureOf(etcd.put(target, 'a', 'b', brief))).toMatchObject({ code: 'Timeout', mayHaveHappened: true });
    expect(await failureOf(etcd.members(target, brief))).toMatchObject({ code: 'Timeout', mayHaveHappened: false });
    await start('m1', { cluster: ['m0', 'm1'], state: 'existing' });
    await until(async () => (await etcd.members(target, call)).members.every(({ name }) => name !== undefined));
    await until(async () => (await etcd.health(target, call)).isHealthy);
  });

  test('three members: the leader moves, a follower is removed and its process ends by itself, also when it starts again', async () => {
    const rig = rigOf();
    const { etcd } = rig;
    const target = await threeMembers();
    const [{ members }, { leader }] = [await etcd.members(target, call), await etcd.status(target, call)];
    const next = members.find(({ id }) => id !== leader);
    // The leader is found, even if another member is asked first.
    await accepted(() => etcd.moveLeader(target, next?.id ?? '', call));
    await until(async () => (await etcd.status(target, call)).leader === next?.id);
    const gone = members.find(({ id }) => id !== next?.id);
    const others = targetOf(...members.flatMap(({ name = '' }) => (name === gone?.name ? [] : [name])));
    const left = await accepted(() => etcd.removeMember(others, gone?.id ?? '', call));
    expect(left.members).toHaveLength(2);
    await endsAsRemoved(rig, gone?.name ?? '');
    await rig.start(gone?.name ?? '', { cluster: ['m0', 'm1', 'm2'], state: 'existing' });
    await endsAsRemoved(rig, gone?.name ?? '');
  });

  test('one of three is killed: the others go on, the next endpoint is asked, and it comes back with its data', async () => {
    const rig = rigOf();
    const { etcd } = rig;
    const target = await threeMembers();
    await rig.kill('m0');
    await until(async () => (await etcd.health(targetOf('m1'), call)).isHealthy);
    await etcd.put(target, 'after', 'kill', call);
    expect((await etcd.members(target, call)).members).toHaveLength(3);
    expect(await failureOf(etcd.status(targetOf('m0'), call))).toMatchObject({ code: 'Unavailable', mayHaveHappened: false });
    await rig.start('m0', { cluster: ['m0'], state: 'new' });
    await until(async () => (await etcd.range(targetOf('m0'), 'after', call)).keyValues[0]?.value === 'kill');
  });

  test('one of three hangs: a read goes on to the next, a change may have happened', async () => {
    const rig = rigOf();
    const { etcd } = rig;
    const target = await threeMembers();
    const { leader } = await etcd.status(target, call);
    const { members } = await etcd.members(target, call);
    const hung = members.find(({ id }) => id !== leader)?.name ?? '';
    const target2 = targetOf(hung, ...['m0', 'm1', 'm2'].filter((name) => name !== hung));
    rig.hang(hung);
    expect((await etcd.members(target2, { timeoutMs: 12_000 })).members).toHaveLength(3);
    // Time enough to be sent on a busy machine: what could not be sent goes on to the next one.
    expect(await failureOf(etcd.put(target2, 'a', 'b', { timeoutMs: 6_000 }))).toMatchObject({ code: 'Timeout', mayHaveHappened: true });
    rig.goOn(hung);
    await until(async () => (await etcd.health(targetOf(hung), call)).isHealthy);
  });

  test('two of three are killed: no quorum; the last one still gives its status, what it knows, and a snapshot', async () => {
    const rig = rigOf();
    const { etcd } = rig;
    const target = await threeMembers();
    await etcd.put(target, 'kept', 'yes', call);
    await rig.kill('m1');
    await rig.kill('m2');
    const last = targetOf('m0');
    await until(async () => (await etcd.status(last, call)).leader === undefined);
    expect((await etcd.status(last, call)).errors).toContain('etcdserver: no leader');
    expect((await etcd.health(last, brief)).isHealthy).toBe(false);
    expect(await failureOf(etcd.range(target, 'kept', brief))).toMatchObject({ code: 'Timeout' });
    expect((await etcd.range(last, 'kept', { ...call, isSerializable: true })).keyValues).toMatchObject([{ value: 'yes' }]);
    expect(await failureOf(etcd.removeMember(last, '42', brief))).toBeInstanceOf(EtcdError);
    expect((await bytesOf(last)).length).toBeGreaterThan(32);
  });

  test('a voter whose data were wiped panics: it must get a new identity', async () => {
    const rig = rigOf();
    const target = await threeMembers();
    await rig.etcd.put(target, 'a', 'b', call);
    await rig.kill('m2');
    await rig.wipe('m2');
    await rig.start('m2', { cluster: ['m0', 'm1', 'm2'], state: 'existing' });
    expect(await rig.exitCode('m2')).toBe(2);
  });

  test('a member whose list of the cluster is old does not start', async () => {
    const rig = rigOf();
    const target = await seed();
    await accepted(() => rig.etcd.addLearner(target, [rig.peerUrlOf('m1')], call));
    await rig.start('m1', { cluster: ['m0', 'm1', 'm2'], state: 'existing' });
    expect(await rig.exitCode('m1')).toBe(1);
  });

  test('a snapshot holds all writes before it and restores to another cluster with the same revision', async () => {
    const rig = rigOf();
    const { etcd } = rig;
    const target = await seed();
    const { clusterId } = await etcd.status(target, call);
    for (let index = 0; index < 20; index += 1) await etcd.put(target, `key/${index}`, 'v'.repeat(2_000), call);
    const { revision } = await etcd.status(target, call);
    const bytes = await bytesOf(target);
    const check = new SnapshotCheck();
    check.add(bytes);
    expect(check.end()).toMatchObject({ bytes: bytes.length });
    await etcd.put(target, 'key/late', 'lost', call);
    await rig.restore('m1', bytes);
    const restored = targetOf('m1');
    await until(async () => (await etcd.health(restored, call)).isHealthy);
    expect((await etcd.range(restored, 'key/', { ...call, isPrefix: true })).count).toBe(20);
    const status = await etcd.status(restored, call);
    expect(status.revision).toBe(revision);
    expect(status.clusterId).not.toBe(clusterId);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    await expect(rig.restore('m2', bytes)).rejects.toThrow('sha256');
  });

  test('alarms and defragmentation', async () => {
    const { etcd } = rigOf();
    const target = await seed();
    expect(await etcd.alarms(target, call)).toEqual([]);
    await etcd.defragment(target, call);
    await etcd.disarm(target, { memberId: (await etcd.status(target, call)).memberId, alarm: 'NOSPACE' }, call);
  });
}
