import { FakeEtcd } from '../../examples/etcd/client/fake-etcd.js';
import { messageOf } from '../../src/kubernetes/apimachinery/index.js';
import { draws } from '../../src/testing/explore/draws.js';
import { eventually } from '../eventually.js';
import { expectLinearizable, History, judge, linearizabilityChecker, RegisterClients } from './linearizability/index.js';

const reason = linearizabilityChecker.found ? '' : ` [skipped: ${linearizabilityChecker.reason}]`;

(linearizabilityChecker.found ? describe : describe.skip)(`the checker of histories${reason}`, () => {
  let now: number;
  let history: History;
  beforeEach(() => {
    now = 0;
    history = new History(() => (now += 1));
  });
  const put = (client: number, value: string) => history.begin(client, 'a', { do: 'put', value });
  const get = (client: number, value: string) => history.begin(client, 'a', { do: 'get' }).answered({ value });
  const cas = (client: number, expected: string, value: string) => history.begin(client, 'a', { do: 'cas', expected, value });
  const verdict = async () => (await judge(history.operations)).verdict;

  test('a read of what was written last is right, an older value is a violation, of that key alone', async () => {
    put(0, '1').answered();
    get(1, '1');
    put(0, '2').answered();
    history.begin(1, 'b', { do: 'get' }).answered({ value: '' });
    expect(await verdict()).toBe('ok');
    get(1, '1');
    expect(await judge(history.operations)).toEqual({ verdict: 'violation', operations: 5, keys: ['a'] });
    const said = await expectLinearizable(history.operations).catch(messageOf);
    expect(said).toMatch(/^5 operations: violation; those on a:\n/);
    expect(said?.split('\n')).toHaveLength(1 + 4);
  });

  test('an acknowledged write that is lost is a violation', async () => {
    put(0, '1').answered();
    get(1, '');
    expect(await verdict()).toBe('violation');
  });

  test('while a write is under way both values may be read, but not the new one and then the old', async () => {
    put(0, '1').answered();
    const writing = put(0, '2');
    get(1, '1');
    get(2, '2');
    writing.answered();
    expect(await verdict()).toBe('ok');
    history = new History(() => (now += 1));
    put(0, '1').answered();
    const second = put(0, '2');
    get(1, '2');
    get(2, '1');
    second.answered();
    expect(await verdict()).toBe('violation');
  });

  test('a write without an answer may be done late, or never, but not undone', async () => {
    put(0, '1').answered();
    put(0, '2').lost();
    get(1, '1');
    get(1, '1');
    expect(await verdict()).toBe('ok');
    get(1, '2');
    expect(await verdict()).toBe('ok');
    get(1, '1');
    expect(await verdict()).toBe('violation');
  });

  test('a write that was refused cannot be seen', async () => {
    put(0, '1').refused();
    get(1, '1');
    expect(await verdict()).toBe('violation');
  });

  test('of two compare-and-swaps from one value one succeeds', async () => {
    cas(0, '', '1').answered({ succeeded: true, found: '' });
    cas(1, '', '2').answered({ succeeded: false, found: '1' });
    expect(await verdict()).toBe('ok');
    cas(1, '', '3').answered({ succeeded: true, found: '' });
    expect(await verdict()).toBe('violation');
  });

  test('a compare-and-swap without an answer was done if its value is seen, and then its condition held', async () => {
    put(0, '1').answered();
    put(0, '2').lost();
    cas(1, '2', '3').lost();
    get(2, '3');
    expect(await verdict()).toBe('ok');
    get(2, '1');
    expect(await verdict()).toBe('violation');
  });

  test('a history whose values are not unique is refused', async () => {
    put(0, '1').answered();
    put(1, '1').answered();
    await expect(judge(history.operations)).rejects.toThrow('code 2: key a: the value "1" is written twice');
  });

  test('clients of a register that works are right, and those of one that forgets find a violation', async () => {
    for (const [forgets, wanted] of [
      [false, 'ok'],
      [true, 'violation'],
    ] as const) {
      const etcd = new FakeEtcd();
      etcd.start([
        '--name=m0',
        '--initial-cluster=m0=http://m0:2380',
        '--initial-cluster-state=new',
        '--data-dir=/d',
        '--advertise-client-urls=http://m0:2379',
        '--initial-advertise-peer-urls=http://m0:2380',
      ]);
      let puts = 0;
      const forgetful = new Proxy(etcd, {
        get: (fake, name: keyof FakeEtcd) => {
          const value = fake[name];
          if (typeof value !== 'function') return value;
          if (name === 'put' && forgets && ++puts % 20 === 0) return async () => 1;
          return value.bind(fake);
        },
      });
      const clients = new RegisterClients({ etcd: forgetful, target: async () => ({ endpoints: ['http://m0:2379'] }), random: draws(1) });
      await eventually(async () => clients.history.operations.length >= 400);
      await clients.stop();
      expect(await judge(clients.history.operations)).toMatchObject({ verdict: wanted });
    }
  });
});
