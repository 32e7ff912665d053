import { mergePatch, TestCluster } from '@keelson/testing';
import { Pod } from 'keelson/kinds';
import type { EtcdApi } from '../../examples/etcd/client/api.js';
import { FakeEtcd } from '../../examples/etcd/client/fake-etcd.js';
import { EtcdCluster } from '../../examples/etcd/cluster/etcd-cluster.js';
import { FakeMembers } from '../../examples/etcd/cluster/fake-members.js';
import { operator } from '../../examples/etcd/etcd-operator.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { eventually } from '../eventually.js';
import { type Entry, MembershipJudge, MemberWatch, recorded } from './examples-etcd/membership/index.js';

/** What is asked of etcd, behind an operator: a mistake is planted here. */
type Plant = (etcd: EtcdApi) => Partial<EtcdApi>;

const another = (url: string | undefined): string => url?.replace('://', '://not-') ?? '';

const PLANTED: readonly (readonly [string, Plant, RegExp])[] = [
  [
    'starts two changes at once',
    (etcd) => ({
      addLearner: async (target, urls, options) => {
        const [answer] = await Promise.all([
          etcd.addLearner(target, urls, options),
          etcd.addLearner(target, urls.map(another), options).catch(() => undefined),
        ]);
        return answer;
      },
    }),
    /^addLearner of http:\/\/not-\S+ by the operator begins while addLearner of http:\S+ by the operator is not answered$/,
  ],
  [
    'starts the next change when the one before is answered, and does not look',
    (etcd) => ({
      addLearner: async (target, urls, options) => {
        const answer = await etcd.addLearner(target, urls, options);
        await etcd.addLearner(target, urls.map(another), options).catch(() => undefined);
        return answer;
      },
    }),
    /^addLearner of http:\/\/not-\S+ by the operator begins, and nobody has read the list since addLearner of http:\S+ by the operator$/,
  ],
  [
    'looks, and adds another member while the first has not started',
    (etcd) => ({
      addLearner: async (target, urls, options) => {
        const answer = await etcd.addLearner(target, urls, options);
        await etcd.members(target, options);
        await etcd.addLearner(target, urls.map(another), options).catch(() => undefined);
        return answer;
      },
    }),
    /^addLearner of http:\/\/not-\S+ by the operator begins while member \d+ has not started$/,
  ],
];

describe('an operator that runs, with simulated members', () => {
  /** From one member to three, and to two. @returns what the watcher says */
  async function play(plant: Plant): Promise<readonly string[]> {
    const members = new FakeMembers();
    const judge = new MembershipJudge();
    const etcd = recorded('the operator', members.etcd, judge.take);
    const planted = plant(etcd);
    await using cluster = await TestCluster.start({
      operator,
      workloads: { startAfter: 0, readyAfter: 0 },
      namespace: 'shop',
      timeout: DEADLINE_MS,
    });
    members.follow(() => cluster.list(Pod));
    const external = new Proxy(etcd, { get: (of, name: keyof EtcdApi) => planted[name] ?? of[name] });
    await cluster.startOperator({ externals: { etcd: external } });
    const target = async () => ({
      endpoints: (await cluster.list(Pod)).map(({ metadata }) => `http://${metadata.name}.ring.shop.svc:2379`),
    });
    await cluster.create(EtcdCluster({ metadata: { name: 'ring' }, spec: { size: 1 } }));
    const watch = new MemberWatch({ etcd: members.etcd, target, judge, cluster: 'ring.shop.svc' });
    try {
      await cluster.until(EtcdCluster, 'ring', { status: { size: 1 } });
      await cluster.patch(EtcdCluster, 'ring', mergePatch({ spec: { size: 3 } }));
      await cluster.until(EtcdCluster, 'ring', { status: { size: 3 } });
      // A learner would be removed without a promotion.
      await cluster.until(async () =>
        (await members.etcd.members(await target(), { timeoutMs: 2_000 })).members.every((member) => !member.isLearner),
      );
      await cluster.patch(EtcdCluster, 'ring', mergePatch({ spec: { size: 2 } }));
      await cluster.until(EtcdCluster, 'ring', { status: { size: 2 } });
    } finally {
      await watch.stop();
    }
    // Two learners, two promotions, one removal: otherwise nothing was judged.
    expect(judge.changesOf('ring.shop.svc').length).toBeGreaterThanOrEqual(5);
    return watch.problems;
  }

  test('the operator of the example is held to be right', async () => {
    expect(await play(() => ({}))).toEqual([]);
  });

  test.each(PLANTED)('one that %s is found out', async (_, plant, problem) => {
    expect(await play(plant)).toContainEqual(expect.stringMatching(problem));
  });
});

describe('rules', () => {
  const cluster = 'ring.shop.svc';
  const of = (call: number, by = 'first') => ({ by, cluster, call });
  const begins = (call: number, by?: string): Entry => ({ ...of(call, by), what: 'begins', change: 'removeMember', whom: `${call}` });
  const ends = (call: number, outcome: 'done' | 'unknown' = 'done'): Entry => ({ ...of(call), what: 'ends', outcome });
  const looks = (call: number, by?: string): Entry => ({ ...of(call, by), what: 'looks' });
  const sees = (call: number, by?: string): Entry => ({ ...of(call, by), what: 'sees', members: [] });

  test.each<[string, readonly Entry[], readonly string[]]>([
    ['one after the other', [begins(1), ends(1), looks(2), sees(2), begins(3), ends(3)], []],
    [
      'another process begins before the first one has its answer',
      [begins(1), looks(1, 'second'), sees(1, 'second'), begins(2, 'second')],
      ['removeMember of 2 by second begins while removeMember of 1 by first is not answered'],
    ],
    [
      'the look began before the answer',
      [begins(1), looks(2), ends(1), sees(2), begins(3)],
      ['removeMember of 3 by first begins, and nobody has read the list since removeMember of 1 by first'],
    ],
    [
      'the answer is lost, and nobody looks',
      [begins(1), ends(1, 'unknown'), begins(2)],
      ['removeMember of 2 by first begins, and nobody has read the list since removeMember of 1 by first'],
    ],
    [
      'a process that was killed gets no answer: the next one looks first',
      [begins(1), { what: 'was killed', by: 'first' }, looks(1, 'second'), sees(1, 'second'), begins(2, 'second')],
      [],
    ],
    [
      'a process was killed, and the next one does not look',
      [begins(1), { what: 'was killed', by: 'first' }, begins(2, 'second')],
      ['removeMember of 2 by second begins, and nobody has read the list since removeMember of 1 by first'],
    ],
    ['another cluster is another affair', [begins(1), { ...begins(2), cluster: 'star.shop.svc' } as Entry], []],
  ])('%s', (_, entries, problems) => {
    const judge = new MembershipJudge();
    for (const entry of entries) judge.take(entry);
    expect(judge.problemsOf(cluster)).toEqual(problems);
  });

  test('a list that changes while no call has asked for it is a problem', async () => {
    const etcd = new FakeEtcd();
    const url = 'http://a.ring.shop.svc';
    etcd.start([
      '--name=a',
      `--initial-advertise-peer-urls=${url}:2380`,
      `--advertise-client-urls=${url}:2379`,
      `--initial-cluster=a=${url}:2380`,
    ]);
    const target = { endpoints: [`${url}:2379`] };
    const watch = new MemberWatch({ etcd, target: async () => target, judge: new MembershipJudge(), cluster });
    try {
      await eventually(async () => watch.clusterIds.size === 1);
      const { member } = await etcd.addLearner(target, ['http://b.ring.shop.svc:2380']);
      await eventually(async () => watch.problems.length > 0);
      expect(watch.problems).toEqual([`member ${member.id} (http://b.ring.shop.svc:2380) was added, and no call has asked for it`]);
    } finally {
      await watch.stop();
    }
  });
});
