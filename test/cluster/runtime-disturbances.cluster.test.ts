import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { describeCluster, type Relay } from './harness/index.js';
import type { Replica } from './runtime-disturbances/replica.js';
import { Scene } from './runtime-disturbances/scene.js';
import { GATE, HELD } from './runtime-disturbances/website.js';
import { createdTwice } from './runtime-disturbances/writers.js';

const SITES = ['one', 'two', 'three', 'four', 'five', 'six'];
/** The defaults of the elector: a Lease, and the shortest pause between two tries. */
const [LEASE_MS, RETRY_MS] = [15_000, 2_000];
/** The one that sees the last renewal, and those until the Lease has expired from there. */
const TRIES = 1 + Math.ceil(LEASE_MS / RETRY_MS);
/** From the last renewal: 2.4 s until a try has seen it, as long as a Lease, and 2.4 s until the next try. The rest is for requests. */
const TAKEOVER_MS = 20_000;

/** One operator lives through all of it, test after test. */
describeCluster('an operator whose control plane is disturbed', () => {
  let scene: Scene;
  let folder: string;
  let a: Replica;
  let b: Replica;
  let c: Replica;
  let d: Replica;
  let relay: Relay;
  const sites = [...SITES];
  /** Writes before this one belong to objects that were deleted since, and made again by the test. */
  let counted = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-disturbances-'));
    scene = await Scene.open();
    a = await scene.replica('a');
    await scene.leads(['a']);
    b = await scene.replica('b');
    await scene.make(sites);
    await scene.converged(sites);
  });
  afterAll(async () => {
    await scene?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Nobody has crashed, nobody has written out of his turn, and nothing was made twice. */
  function expectSound(...replicas: readonly Replica[]): void {
    expect(replicas.map(({ isRunning, words }) => [isRunning, words])).toEqual(replicas.map(() => [true, []]));
    expect(scene.strayWrites()).toEqual([]);
    expect(createdTwice(scene.writes(counted))).toEqual([]);
  }

  test.each([
    ['is killed', () => scene.cluster.apiServer.kill()],
    ['is asked to end', () => scene.cluster.apiServer.stop()],
  ])('the API server %s while objects change, and comes again', async (_, end) => {
    const load = scene.load(sites);
    await scene.eventually('changes come through', async () => load.changes > 10);
    await end();
    await scene.cluster.apiServer.start();
    const [changes, since] = [load.changes, new Date()];
    await scene.eventually('changes come through again', async () => load.changes > changes + 10);
    await load.stop();
    await scene.leads(['a', 'b'], since);
    await scene.converged(sites);
    expectSound(a, b);
  });

  test('etcd stands still for 20 seconds: who leads ceases to, and nothing is written by two', async () => {
    const leader = (await scene.leads(['a', 'b'])) === 'a' ? a : b;
    const [marked, since] = [leader.lines.length, performance.now()];
    const load = scene.load(sites);
    scene.cluster.etcd.pause();
    await eventually(async () => performance.now() - since > 20_000);
    const said = leader.lines.slice(marked).map(({ msg }) => msg);
    const { changes } = load;
    const resumed = new Date();
    scene.cluster.etcd.resume();
    await scene.eventually('changes come through again', async () => load.changes > changes + 10);
    await load.stop();
    expect(said).toContain('leadership lost');
    await scene.leads(['a', 'b'], resumed);
    await scene.converged(sites);
    expectSound(a, b);
  });

  test('connections are cut while objects come, change and go: nothing is lost, and nothing is invented', async () => {
    // From here on another replica works alone, behind a relay.
    expect([await a.end('SIGTERM'), await b.end('SIGTERM')]).toEqual([0, 0]);
    const { relay: opened, server } = await scene.relay();
    relay = opened;
    c = await scene.replica('c', { server });
    await scene.leads(['c']);
    await scene.converged(sites);
    const load = scene.load(sites.slice(0, 2));
    await scene.eventually('changes come through', async () => load.changes > 10);
    relay.cut();
    const { changes } = load;
    await scene.eventually('changes come through', async () => load.changes > changes + 10);
    await load.stop();
    await scene.converged(sites);
    await scene.quiet(c);

    relay.block();
    const [marked, written] = [c.lines.length, scene.writes().length];
    await scene.make(['seven']);
    await scene.remove('six');
    const before = await scene.remove('five');
    await scene.make(['five']);
    expect(await scene.retitle('four', 'changed unseen')).toBe(200);
    relay.unblock();
    await scene.eventually('it knows', async () => c.lookedAt(marked).some(({ name }) => name === 'five'));
    await scene.collectGarbage();
    sites.splice(sites.indexOf('six'), 1, 'seven');
    await scene.converged(sites);
    const lookedAt = c.lookedAt(marked);
    expect([...new Set(lookedAt.map(({ name, title }) => `${name} ${title}`))].sort()).toEqual([
      'five new',
      'four changed unseen',
      'seven new',
    ]);
    expect(lookedAt.map(({ uid }) => uid)).not.toContain(before);
    expect(scene.created(written).sort()).toEqual(
      ['configmaps', 'deployments', 'services'].flatMap((plural) => [`patch ${plural} shop/five`, `patch ${plural} shop/seven`]),
    );
    counted = scene.writes().length;
    expectSound(c);
  });

  test.each([
    ['before its eyes', ['again', 'more'], () => {}, () => {}],
    ['while it is cut off', ['new', 'newer'], () => relay.block(), () => relay.unblock()],
  ])(
    'the CRD is deleted %s and comes again: nothing of the old comes back, and new objects are reconciled',
    async (_, names, before, after) => {
      const marked = c.lines.length;
      before();
      await scene.removeDefinition();
      const since = new Date();
      counted = scene.writes().length;
      after();
      await scene.eventually('the operator is not ready', async () => (await c.readiness())[0] === 500);
      const why =
        'Website: the watch is interrupted: the API server does not serve websites.disturbed.example.com in version v1; ' +
        'install its CustomResourceDefinition: it is waited for';
      // Its log comes by another way than the answer of its probe.
      await scene.eventually(`the operator warns: ${why}`, async () =>
        c.lines.slice(marked).some(({ level, msg }) => level === 'warn' && msg === why),
      );
      await scene.collectGarbage();
      await scene.eventually('it has asked some times', async () => scene.readsOf('c', since) >= 2);
      // Pauses are random below bounds that double from 0.8 s: a loop without any would ask hundreds of times a second.
      expect(scene.readsOf('c', since)).toBeLessThan(6 + (3 * (Date.now() - since.getTime())) / 1000);
      await scene.installDefinition();
      sites.splice(0, sites.length, ...names);
      await scene.make(sites);
      await scene.converged(sites);
      await scene.eventually('it is ready', async () => (await c.readiness())[0] === 200);
      expect(scene.created(counted).filter((what) => !sites.some((name) => what.endsWith(`/${name}`)))).toEqual([]);
      expectSound(c);
    },
  );

  test('the leader is killed under load: another takes over within 20 seconds, and no write of the first comes after it', async () => {
    d = await scene.replica('d', { environment: { [GATE]: join(folder, 'gate') } });
    const load = scene.load(sites);
    await scene.eventually('changes come through', async () => load.changes > 10);
    await c.end('SIGKILL');
    await scene.leads(['d']);
    await scene.eventually('it works', async () => scene.writes().at(-1)?.by === 'd');
    const { tookMs, tries } = scene.takeover('c', 'd');
    expect(tries).toBeGreaterThan(0);
    expect(tries).toBeLessThanOrEqual(TRIES);
    expect(tookMs).toBeLessThan(TAKEOVER_MS);
    await load.stop();
    await scene.converged(sites);
    expectSound(d);
  });

  test('the leader is stopped in the middle of a run, and goes on when another leads: it writes nothing any more', async () => {
    const e = await scene.replica('e');
    const gate = join(folder, 'gate');
    // Its children are not there yet: what is about to be written cannot be refused for a conflict.
    await scene.make(['last'], HELD);
    sites.push('last');
    await scene.eventually('the leader is about to write', async () => existsSync(`${gate}.held`));
    d.signal('SIGSTOP');
    await scene.leads(['e']);
    await scene.converged(sites);
    expect(await scene.retitle('last', 'later')).toBe(200);
    await scene.converged(sites);
    const [marked, since] = [d.lines.length, new Date()];
    writeFileSync(`${gate}.open`, '');
    d.signal('SIGCONT');
    await scene.eventually('it knows', async () => d.lines.slice(marked).some(({ msg }) => msg === 'waiting to lead'));
    expect(d.lines.slice(marked).map(({ msg }) => msg)).toContain('leadership lost');
    expect(scene.attempts('d', since)).toEqual([]);
    await scene.converged(sites);
    expectSound(d, e);
    expect(await e.end('SIGTERM')).toBe(0);
    await scene.leads(['d']);
    expect(await scene.retitle('last', 'latest')).toBe(200);
    await scene.converged(sites);
    expectSound(d);
  });
});
