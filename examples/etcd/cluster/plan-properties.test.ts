import fc from 'fast-check';
import { CLUSTER_ID, etcdCluster, idOf, NOW, urlOf } from './cluster-objects.js';
import { type Action, planOf, quorumOf } from './plan.js';
import { memberList, type Seen, type SeenMember, type SeenPod } from './seen.js';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const LIMITS = { deadAfterMs: 300_000 };
const time = fc.constantFrom('2030-01-01T00:01:00Z', '2030-01-01T00:09:00Z').map((text) => new Date(text));
const version = fc.constantFrom('3.5.35', '3.6.16');

const member = (name: string): fc.Arbitrary<SeenMember> =>
  fc.record({ isStarted: often(true), isLearner: often(false) }).map((flags) => ({ id: idOf(name), name, peerUrl: urlOf(name), ...flags }));

function often(value: boolean): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 4 }).map((drawn) => (drawn === 0 ? !value : value));
}

const answer = (name: string, leader: string | undefined) =>
  fc
    .record({
      version,
      raftAppliedIndex: fc.constantFrom(100, 100, 100, 10),
      leads: often(true),
      memberId: fc.constantFrom(idOf(name), idOf(name), idOf(name), 'another'),
    })
    .map(({ leads, ...fields }) => ({
      clusterId: CLUSTER_ID,
      raftIndex: 100,
      leader: leads ? leader : undefined,
      ...fields,
    }));

const podOf = (name: string, leader: string | undefined): fc.Arbitrary<SeenPod> =>
  fc.record({
    name: fc.constant(name),
    createdAt: time,
    terminatingSince: fc.option(time, { nil: undefined, freq: 6 }),
    isFinished: often(false),
    isScheduled: often(true),
    isReady: often(true),
    unreadySince: time,
    hasClaim: fc.boolean(),
    version,
    initialCluster: fc.constantFrom('', memberList([{ name: 'a', peerUrl: urlOf('a') }])),
    policy: fc.constant(''),
    answer: fc.option(answer(name, leader), { nil: undefined, freq: 5 }),
  });

/** Anything that could be seen, the impossible included. */
const anything: fc.Arbitrary<Seen> = fc
  .record({
    members: fc.subarray([...NAMES]),
    pods: fc.subarray([...NAMES]),
    claims: fc.subarray([...NAMES]),
    leader: fc.constantFrom(...NAMES),
    isListed: often(true),
  })
  .chain(({ members, pods, claims, leader, isListed }) =>
    fc.record({
      pods: fc.tuple(...pods.map((name) => podOf(name, idOf(leader)))),
      claims: fc.tuple(
        ...claims.map((name) =>
          fc.record({
            name: fc.constant(name),
            isTerminating: often(false),
            member: fc.constantFrom(idOf(name), idOf(name), 'another', 'seed'),
          }),
        ),
      ),
      list: isListed
        ? fc.record({
            clusterId: fc.constantFrom(CLUSTER_ID, CLUSTER_ID, CLUSTER_ID, 'foreign'),
            members: fc.tuple(...members.map(member)),
          })
        : fc.constant(undefined),
    }),
  );

const cluster = fc
  .record({
    size: fc.integer({ min: 1, max: 7 }),
    version: fc.constantFrom('3.5.35', '3.6.16', '3.7.0', '3.8.0'),
    paused: often(false),
    isKnown: often(true),
  })
  .map(({ isKnown, ...spec }) => etcdCluster(spec, isKnown ? {} : { clusterID: undefined }));

interface Case {
  readonly action: Action | undefined;
  readonly members: readonly SeenMember[];
  readonly healthy: readonly SeenMember[];
  readonly seen: Seen;
  readonly object: ReturnType<typeof etcdCluster>;
}

/** Asked about many states at once, most of which lead to some action. */
function always(property: (state: Case) => void): void {
  fc.assert(
    fc.property(cluster, anything, (object, seen) => {
      const { action } = planOf(object, seen, NOW, LIMITS);
      const members = seen.list?.members ?? [];
      const healthy = members.filter(({ name, id }) =>
        seen.pods.some((pod) => pod.name === name && pod.answer?.memberId === id && pod.answer.leader !== undefined),
      );
      property({ action, members, healthy, seen, object });
    }),
    { numRuns: 4_000 },
  );
}

const votersOf = (members: readonly SeenMember[]): readonly SeenMember[] => members.filter(({ isLearner }) => !isLearner);

test('the list is changed only with a quorum, and to one whose quorum holds', () => {
  always(({ action, members, healthy, seen, object }) => {
    if (action?.do !== 'remove-member' && action?.do !== 'add-learner' && action?.do !== 'promote') return;
    expect([undefined, seen.list?.clusterId]).toContain(object.status?.clusterID);
    const after =
      action.do === 'remove-member'
        ? votersOf(members).filter(({ id }) => id !== action.id)
        : action.do === 'promote'
          ? members.filter(({ id, isLearner }) => !isLearner || id === action.id)
          : votersOf(members);
    expect(after.length).toBeGreaterThan(0);
    const removed = members.find(({ id }) => action.do === 'remove-member' && id === action.id);
    if (removed?.isLearner === true) return;
    expect(after.filter((one) => healthy.includes(one)).length).toBeGreaterThanOrEqual(quorumOf(after.length));
  });
});

test('a member is added only when every other one is a healthy voter, and there are fewer than asked for', () => {
  always(({ action, members, healthy, seen, object }) => {
    if (action?.do !== 'add-learner') return;
    expect(members.every((one) => healthy.includes(one) && one.isStarted && !one.isLearner)).toBe(true);
    expect(members.length).toBeLessThan(object.spec.size);
    expect([...seen.pods, ...seen.claims, ...members].map(({ name }) => name)).not.toContain(action.name);
  });
});

test('the leader is removed only when it does not answer', () => {
  always(({ action, healthy, seen }) => {
    if (action?.do !== 'remove-member') return;
    const removed = healthy.find(({ id }) => id === action.id);
    if (removed === undefined || removed.isLearner) return;
    const leader = seen.pods.find(({ name, answer: one }) => one?.leader !== undefined && healthy.some((other) => other.name === name))
      ?.answer?.leader;
    const others = healthy.filter(({ id, isLearner }) => id !== action.id && !isLearner);
    expect(action.id === leader && others.length > 0).toBe(false);
  });
});

test('no Pod is deleted whose data is in it and belongs to a member that has started', () => {
  always(({ action, members, seen }) => {
    if (action?.do !== 'delete-pod') return;
    const pod = seen.pods.find(({ name }) => name === action.name);
    const owner = members.find(({ name }) => name === action.name);
    if (seen.list === undefined) expect(pod?.isFinished).toBe(true);
    else if (owner?.isStarted === true) expect([pod?.isFinished, pod?.hasClaim]).toEqual([true, true]);
  });
});

test('no claim is deleted that holds the data of a member', () => {
  always(({ action, members, seen }) => {
    if (action?.do !== 'delete-claim') return;
    const claim = seen.claims.find(({ name }) => name === action.name);
    expect(members.some(({ name, id }) => name === action.name && (claim?.member === id || claim?.member === 'seed'))).toBe(false);
    expect(seen.pods.some(({ name }) => name === action.name)).toBe(false);
  });
});

test('a cluster is founded only where nothing of it was ever known', () => {
  always(({ action, seen, object }) => {
    if (action?.do !== 'create-pod' || action.state !== 'new') return;
    expect(object.status?.clusterID).toBeUndefined();
    expect(seen.pods.some(({ name }) => name === action.name)).toBe(false);
    expect(seen.list?.members ?? []).toEqual([]);
  });
});

test('2A-27 a Pod is restarted with another version only when the others have a quorum without it, and the way there is one that etcd goes', () => {
  always(({ action, members, healthy, object }) => {
    if (action?.do !== 'upgrade-pod') return;
    expect(object.spec.version).not.toBe('3.8.0');
    const others = votersOf(members).filter(({ name }) => name !== action.name);
    // Of one or two members none can be spared.
    if (votersOf(members).length > 2)
      expect(others.filter((one) => healthy.includes(one)).length).toBeGreaterThanOrEqual(quorumOf(votersOf(members).length));
  });
});

test('leadership goes to a voter that is healthy, from one that can be asked', () => {
  always(({ action, healthy }) => {
    if (action?.do !== 'move-leader') return;
    expect(healthy.find(({ id }) => id === action.id)).toMatchObject({ isLearner: false, name: action.to });
    expect(action.from).not.toBe(action.to);
    expect(healthy.map(({ name }) => name)).toContain(action.from);
  });
});

test('2A-25 nothing is done to a paused cluster', () => {
  always(({ action, object }) => expect(object.spec.paused && action !== undefined).toBe(false));
});

test('the order in which things are listed does not matter', () => {
  fc.assert(
    fc.property(cluster, anything, (object, seen) => {
      const turned: Seen = {
        pods: seen.pods.toReversed(),
        claims: seen.claims.toReversed(),
        list: seen.list === undefined ? undefined : { ...seen.list, members: seen.list.members.toReversed() },
      };
      expect(planOf(object, turned, NOW, LIMITS)).toEqual(planOf(object, seen, NOW, LIMITS));
    }),
    { numRuns: 2_000 },
  );
});
