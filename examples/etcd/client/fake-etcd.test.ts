import { type EtcdRig, etcdCases } from './client-cases.js';
import { FakeEtcd } from './fake-etcd.js';
import type { FakeProcess } from './fake-process.js';

/** The fake under the cases that real members are held to in `test/cluster/examples-etcd-client.cluster.test.ts`. */
function fakeRig(): EtcdRig {
  const etcd = new FakeEtcd();
  const processes = new Map<string, FakeProcess>();
  const of = (name: string): FakeProcess => {
    const process = processes.get(name);
    if (process === undefined) throw new Error(`${name} was not started`);
    return process;
  };
  const peerUrlOf = (name: string): string => `http://${name}.ring:2380`;
  const clientUrlOf = (name: string): string => `http://${name}.ring:2379`;
  const flagsOf = (name: string) => [
    `--name=${name}`,
    '--data-dir=/var/etcd/data',
    `--initial-advertise-peer-urls=${peerUrlOf(name)}`,
    `--advertise-client-urls=${clientUrlOf(name)}`,
  ];
  return {
    etcd,
    peerUrlOf,
    clientUrlOf,
    async start(name, { cluster, state }) {
      const initial = cluster.map((member) => `${member}=${peerUrlOf(member)}`).join();
      const args = [...flagsOf(name), `--initial-cluster=${initial}`, `--initial-cluster-state=${state}`];
      processes.set(name, etcd.start(args, { volume: name }));
    },
    kill: async (name) => of(name).kill(),
    hang: (name) => of(name).hang(),
    goOn: (name) => of(name).goOn(),
    wipe: async (name) => etcd.wipe(name),
    async exitCode(name) {
      const { exitCode } = of(name);
      if (exitCode === undefined) throw new Error(`${name} still runs`);
      return exitCode;
    },
    logOf: (name) => of(name).problem ?? '',
    async restore(name, snapshot) {
      const args = [...flagsOf(name), `--initial-cluster=${name}=${peerUrlOf(name)}`, '--initial-cluster-token=restored'];
      etcd.restore(snapshot, args, { volume: name });
      processes.set(name, etcd.start(args, { volume: name }));
    },
  };
}

describe('the fake', () => {
  let rig: EtcdRig;
  beforeEach(() => {
    rig = fakeRig();
  });
  etcdCases(() => rig);
});

test('members that have just come are not connected yet, as long as the clock says so', async () => {
  let nowMs = 0;
  const etcd = new FakeEtcd({ nowMs: () => nowMs, settleMs: 5_000 });
  etcd.start([
    '--name=a',
    '--initial-advertise-peer-urls=http://a:2380',
    '--advertise-client-urls=http://a:2379',
    '--initial-cluster=a=http://a:2380',
  ]);
  const target = { endpoints: ['http://a:2379'] };
  await expect(etcd.addLearner(target, ['http://b:2380'])).rejects.toMatchObject({ code: 'Refused', reason: 'UnhealthyCluster' });
  nowMs = 5_000;
  await expect(etcd.addLearner(target, ['http://b:2380'])).resolves.toMatchObject({ member: { isLearner: true } });
});

test('a full database takes no writes until it is disarmed', async () => {
  const etcd = new FakeEtcd();
  etcd.start(['--name=a', '--advertise-client-urls=http://a:2379']);
  const target = { endpoints: ['http://a:2379'] };
  await etcd.raise(target, 'NOSPACE');
  await expect(etcd.put(target, 'a', 'b')).rejects.toMatchObject({ reason: 'NoSpace' });
  const [alarm] = await etcd.alarms(target);
  if (alarm !== undefined) await etcd.disarm(target, alarm);
  await expect(etcd.put(target, 'a', 'b')).resolves.toBe(2);
});
