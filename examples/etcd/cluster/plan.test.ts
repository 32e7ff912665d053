import { CLUSTER_ID, etcdCluster, idOf, member, NOW, pod, silent, urlOf } from './cluster-objects.js';
import { type Plan, planOf } from './plan.js';
import { memberList, type Seen } from './seen.js';

const LIMITS = { deadAfterMs: 300_000 };
const LONG_AGO = '2030-01-01T00:01:00Z';

function seenOf(seen: Partial<Omit<Seen, 'list'>> & { readonly members?: readonly ReturnType<typeof member>[] } = {}): Seen {
  const { members, pods = [], claims = [] } = seen;
  return { pods, claims, list: members === undefined ? undefined : { clusterId: CLUSTER_ID, members } };
}

const plan = (cluster: ReturnType<typeof etcdCluster>, seen: Seen): Plan => planOf(cluster, seen, NOW, LIMITS);
const three = ['a', 'b', 'c'];
const healthy = (names: readonly string[], change = {}) => ({
  members: names.map((name) => member(name)),
  pods: names.map((name) => pod(name, change)),
});

describe('the first member', () => {
  const fresh = etcdCluster({}, { clusterID: undefined });

  test('2A-2 it is made for a cluster of which nothing is there, alone and with state=new', () => {
    const { stage, action } = plan(fresh, seenOf());
    expect(stage).toBe('Creating');
    expect(action).toMatchObject({ do: 'create-pod', state: 'new', member: 'seed', version: '3.6.16' });
  });

  test('2A-13 two processes that both find nothing make one Pod', () => {
    expect(plan(fresh, seenOf()).action).toEqual(plan(fresh, seenOf()).action);
  });

  test('2A-13 a seed that has ended before it was seen is made anew', () => {
    const ended = seenOf({ pods: [silent('ring-seed', LONG_AGO, { isFinished: true })] });
    expect(plan(fresh, ended).action).toMatchObject({ do: 'delete-pod', name: 'ring-seed' });
  });

  test('2A-14 a cluster that says Creating goes on where it stopped', () => {
    const creating = etcdCluster({}, { clusterID: undefined, phase: 'Creating' });
    expect(plan(creating, seenOf()).action).toMatchObject({ do: 'create-pod', state: 'new' });
  });

  test('a cluster that has had members is never founded a second time', () => {
    expect(plan(etcdCluster(), seenOf())).toEqual({ stage: 'NoData', message: expect.stringContaining('restore') as string });
  });
});

describe('growth', () => {
  test('2A-3 a learner is added, named after its Pod in its peer URL', () => {
    const { action } = plan(etcdCluster(), seenOf(healthy(['a'])));
    expect(action).toMatchObject({ do: 'add-learner', peerUrl: urlOf((action as { name: string }).name) });
  });

  test('2A-18 the same members give the same name: an add whose answer was lost is refused, not doubled', () => {
    expect(plan(etcdCluster(), seenOf(healthy(['a', 'b']))).action).toEqual(plan(etcdCluster(), seenOf(healthy(['b', 'a']))).action);
    expect(plan(etcdCluster(), seenOf(healthy(['a', 'b']))).action).not.toEqual(plan(etcdCluster(), seenOf(healthy(['a', 'c']))).action);
  });

  test('a name that a claim has still is passed over', () => {
    const first = plan(etcdCluster(), seenOf(healthy(['a']))).action as { readonly name: string };
    const claims = [{ name: first.name, isTerminating: true, member: 'removed' }];
    const second = plan(etcdCluster(), seenOf({ ...healthy(['a']), claims })).action as { readonly name: string };
    expect(second.name).not.toBe(first.name);
  });

  test.each([
    ['2A-15 a voter', false],
    ['2A-16 a learner', true],
  ])('%s that is listed and has no Pod gets that very Pod, and the list as it is', (_, isLearner) => {
    const members = [member('a'), member('b', { isStarted: false, isLearner })];
    const pods = [pod('a')];
    expect(plan(etcdCluster(), seenOf({ members, pods })).action).toEqual({
      do: 'create-pod',
      name: 'b',
      state: 'existing',
      member: idOf('b'),
      initialCluster: memberList(members),
      version: '3.6.16',
    });
  });

  test('a Pod that expects other members is made anew before it joins', () => {
    const members = [member('a'), member('b', { isStarted: false, isLearner: true })];
    const pods = [pod('a'), silent('b', undefined, { initialCluster: 'b=http://b:2380,gone=http://gone:2380' })];
    expect(plan(etcdCluster(), seenOf({ members, pods })).action).toMatchObject({ do: 'delete-pod', name: 'b' });
  });

  test('2A-19 nothing is added while a member does not answer', () => {
    const { members } = healthy(three);
    const { stage, action } = plan(etcdCluster({ size: 5 }), seenOf({ members, pods: [pod('a'), pod('b'), silent('c')] }));
    expect([stage, action]).toEqual(['Recovering', undefined]);
  });

  test('a learner is promoted when it has the log, and no sooner', () => {
    const members = [member('a'), member('b', { isLearner: true })];
    const behind = pod('b', {
      answer: {
        ...pod('b').answer,
        clusterId: CLUSTER_ID,
        memberId: idOf('b'),
        leader: idOf('a'),
        version: '3.6.16',
        raftIndex: 100,
        raftAppliedIndex: 50,
      },
    });
    expect(plan(etcdCluster(), seenOf({ members, pods: [pod('a'), behind] })).action).toBeUndefined();
    expect(plan(etcdCluster(), seenOf({ members, pods: [pod('a'), pod('b')] })).action).toEqual({
      do: 'promote',
      name: 'b',
      id: idOf('b'),
    });
  });
});

describe('reduction', () => {
  test('2A-9 the leader stays, the youngest follower goes', () => {
    const young = pod('b', { createdAt: new Date('2030-01-01T00:05:00Z') });
    const seen = seenOf({ ...healthy(three), pods: [pod('a', { createdAt: NOW }), young, pod('c')] });
    expect(plan(etcdCluster({ size: 1 }), seen).action).toEqual({ do: 'remove-member', name: 'b', id: idOf('b'), why: 'ScaleIn' });
  });

  test('a member that does not answer goes first, a learner before all', () => {
    const seen = seenOf({ ...healthy(three), pods: [pod('a'), pod('b'), silent('c')] });
    expect(plan(etcdCluster({ size: 2 }), seen).action).toMatchObject({ do: 'remove-member', name: 'c' });
    const learning = seenOf({
      members: [...healthy(three).members, member('d', { isLearner: true })],
      pods: [...three, 'd'].map((name) => pod(name)),
    });
    expect(plan(etcdCluster({ size: 1 }), learning).action).toMatchObject({ do: 'remove-member', name: 'd' });
  });

  test('2A-17 the Pod and the claim of a member that was removed are deleted', () => {
    const claims = [{ name: 'd', isTerminating: false, member: idOf('d') }];
    const pods = [...healthy(three).pods, silent('d')];
    expect(plan(etcdCluster(), seenOf({ ...healthy(three), pods, claims })).action).toMatchObject({ do: 'delete-pod', name: 'd' });
    expect(plan(etcdCluster(), seenOf({ ...healthy(three), claims })).action).toEqual({ do: 'delete-claim', name: 'd' });
  });

  test('2A-9 a leader that does not answer cannot hand over: the others elect another one first', () => {
    const members = three.map((name) => member(name));
    const pods = [silent('a'), pod('b'), pod('c')];
    const { stage, action, message } = plan(etcdCluster({ size: 1 }), seenOf({ members, pods }));
    expect([stage, action, message]).toEqual(['Recovering', undefined, expect.stringContaining('a leads and does not answer')]);
  });
});

describe('members that fail', () => {
  const { members } = healthy(three);

  test('2A-11 one whose Pod is gone with its data is removed at once', () => {
    expect(plan(etcdCluster(), seenOf({ members, pods: [pod('a'), pod('b')] })).action).toEqual({
      do: 'remove-member',
      name: 'c',
      id: idOf('c'),
      why: 'Dead',
    });
  });

  test('2A-20 one that does not come back is removed when it is overdue, and not before', () => {
    const seen = (at: string) => seenOf({ members, pods: [pod('a'), pod('b'), silent('c', at)] });
    expect(plan(etcdCluster(), seen('2030-01-01T00:09:00Z')).action).toBeUndefined();
    expect(plan(etcdCluster(), seen(LONG_AGO)).action).toMatchObject({ do: 'remove-member', name: 'c' });
  });

  test('one that is ready is not given up because the operator cannot reach it', () => {
    const pods = [pod('a'), pod('b'), pod('c', { answer: undefined, unreadySince: new Date(LONG_AGO) })];
    expect(plan(etcdCluster(), seenOf({ members, pods })).action).toBeUndefined();
  });

  test('2A-24 one whose data is kept gets its Pod again, also without a quorum', () => {
    const claims = three.map((name) => ({ name, isTerminating: false, member: idOf(name) }));
    const some = plan(etcdCluster(), seenOf({ members, pods: [pod('a', { hasClaim: true }), pod('b', { hasClaim: true })], claims }));
    expect(some.action).toMatchObject({ do: 'create-pod', name: 'c', state: 'existing', member: idOf('c') });
    expect(plan(etcdCluster(), seenOf({ claims }))).toMatchObject({ stage: 'LostQuorum', action: { do: 'create-pod', name: 'a' } });
  });

  test('data of another member under the same name is not used', () => {
    const claims = [{ name: 'c', isTerminating: false, member: 'id-of-one-before' }];
    expect(plan(etcdCluster(), seenOf({ members, pods: [pod('a'), pod('b')], claims })).action).toEqual({ do: 'delete-claim', name: 'c' });
  });

  test('2A-21 a Pod that no node takes does not keep another member from being replaced', () => {
    const joining = member('d', { isStarted: false, isLearner: true });
    const pending = silent('d', LONG_AGO, {
      isScheduled: false,
      problem: '0/1 nodes are available',
      initialCluster: memberList([...members, joining]),
    });
    const pods = [pod('a'), pod('b'), pending];
    expect(plan(etcdCluster({ size: 4 }), seenOf({ members: [...members, joining], pods })).action).toMatchObject({
      do: 'remove-member',
      name: 'c',
    });
    const whole = plan(etcdCluster({ size: 4 }), seenOf({ members: [...members, joining], pods: [...pods, pod('c')] }));
    expect(whole).toEqual({ stage: 'Scaling', message: 'waits for d: 0/1 nodes are available' });
  });

  test('2A-22 without a quorum no member is changed and no Pod with data is deleted', () => {
    const pods = [
      pod('a', { answer: { ...(pod('a').answer as object), leader: undefined } as never }),
      silent('b', LONG_AGO),
      silent('c', LONG_AGO, { isFinished: true }),
    ];
    expect(plan(etcdCluster(), seenOf({ pods }))).toEqual({
      stage: 'LostQuorum',
      message: expect.stringContaining('nothing is changed') as string,
    });
  });

  test('an empty list is no list', () => {
    expect(plan(etcdCluster(), seenOf({ members: [], pods: [pod('a')] })).action).toBeUndefined();
  });

  test('members of another cluster are left alone', () => {
    expect(plan(etcdCluster({}, { clusterID: '1' }), seenOf(healthy(three)))).toMatchObject({ stage: 'ForeignMembers' });
  });

  test('2A-25 a paused cluster is left alone', () => {
    expect(plan(etcdCluster({ paused: true }), seenOf({ members, pods: [pod('a'), pod('b')] })).action).toBeUndefined();
  });
});

describe('upgrades', () => {
  const at =
    (version: string, change = {}) =>
    (name: string) =>
      pod(name, {
        version,
        answer: { clusterId: CLUSTER_ID, memberId: idOf(name), leader: idOf('a'), version, raftIndex: 100, raftAppliedIndex: 100 },
        ...change,
      });
  const { members } = healthy(three);
  const next = etcdCluster({ version: '3.6.16' });

  test('2A-26 followers go first, one at a time, and the leader last, when it leads no longer', () => {
    expect(plan(next, seenOf({ members, pods: three.map(at('3.5.35')) })).action).toEqual({
      do: 'upgrade-pod',
      name: 'b',
      version: '3.6.16',
    });
    expect(plan(next, seenOf({ members, pods: [at('3.5.35')('a'), at('3.6.16')('b'), at('3.5.35')('c')] })).action).toMatchObject({
      name: 'c',
    });
    const last = [at('3.5.35')('a'), at('3.6.16')('b'), at('3.6.16')('c')];
    expect(plan(next, seenOf({ members, pods: last })).action).toEqual({ do: 'move-leader', from: 'a', to: 'b', id: idOf('b') });
  });

  test.each([
    ['runs the old version still', at('3.6.16', { answer: at('3.5.35')('b').answer })('b')],
    ['is not ready', at('3.6.16', { isReady: false })('b')],
    ['lacks a part of the log', at('3.6.16', { answer: { ...at('3.6.16')('b').answer, raftAppliedIndex: 20 } })('b')],
  ])('2A-26 the next one waits while one %s', (_, upgraded) => {
    const { stage, action } = plan(next, seenOf({ members, pods: [at('3.5.35')('a'), upgraded, at('3.5.35')('c')] }));
    expect([stage, action]).toEqual(['Upgrading', undefined]);
  });

  test('2A-28 a path that etcd does not go is refused, and nothing is touched', () => {
    const pods = three.map(at('3.6.16'));
    for (const version of ['3.5.35', '3.8.0', '4.0.0'])
      expect(plan(etcdCluster({ version }), seenOf({ members, pods }))).toEqual({
        stage: 'UpgradeRefused',
        message: expect.stringContaining(version) as string,
      });
  });

  test('2A-27 a version that changes again is followed, from wherever the members are', () => {
    const mixed = [at('3.5.35')('a'), at('3.6.16')('b'), at('3.5.35')('c')];
    expect(plan(etcdCluster({ version: '3.5.36' }), seenOf({ members, pods: mixed })).action).toEqual({
      do: 'upgrade-pod',
      name: 'b',
      version: '3.5.36',
    });
  });

  test('one that fails with the new version stops the upgrade; it is not replaced, but put back when the spec is', () => {
    const failed = silent('b', LONG_AGO, { version: '3.6.99', problem: 'ErrImagePull' });
    const pods = [at('3.5.35')('a'), failed, at('3.5.35')('c')];
    expect(plan(etcdCluster({ version: '3.6.99' }), seenOf({ members, pods }))).toEqual({
      stage: 'Upgrading',
      message: 'b is not ready with 3.6.99, no other Pod is touched: ErrImagePull',
    });
    expect(plan(etcdCluster({ version: '3.5.35' }), seenOf({ members, pods })).action).toEqual({
      do: 'upgrade-pod',
      name: 'b',
      version: '3.5.35',
    });
  });
});
