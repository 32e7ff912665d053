import { LeaderElector, type LeaderElectorOptions, LeaderSettingsError } from '../../../src/runtime/leader/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { LeaseStore } from './lease-store.js';

/** Lets everything run that waits for nothing but its turn. */
async function settle(): Promise<void> {
  for (let index = 0; index < 5; index += 1) await new Promise((resolve) => setImmediate(resolve));
}

interface Replica {
  readonly identity: string;
  readonly elector: LeaderElector;
  readonly clock: SkewedClock;
  readonly logged: string[];
  readonly terms: AbortSignal[];
  /** Ends the candidacy; who leads stops its work first. */
  stop(): Promise<void>;
  readonly ended: Promise<void>;
}

class Election {
  readonly store = new LeaseStore();
  readonly replicas: Replica[] = [];
  readonly #killed = new Set<string>();

  add(identity: string, options: Partial<LeaderElectorOptions> & { skewMs?: number } = {}): Replica {
    const clock = new SkewedClock(options.skewMs ?? 0);
    const logged: string[] = [];
    const log = (level: string) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
      logged.push(`${level} ${message}`);
      expect(fields).toMatchObject({ lease: 'a' });
    };
    const elector = new LeaderElector({
      client: this.store.clientOf(identity),
      clock,
      log: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
      namespace: 'b',
      name: 'a',
      identity,
      random: () => 0,
      ...options,
    });
    const terms: AbortSignal[] = [];
    const stopping = new AbortController();
    const ended = elector.run(stopping.signal, (term) => {
      terms.push(term);
      return new Promise((resolve) => {
        term.addEventListener('abort', () => resolve(), { once: true });
        stopping.signal.addEventListener('abort', () => resolve(), { once: true });
      });
    });
    const stop = (): Promise<void> => {
      stopping.abort();
      return ended;
    };
    const replica = { identity, elector, clock, logged, terms, stop, ended };
    this.replicas.push(replica);
    return replica;
  }

  /** As `kill -9`: no time passes for it any more, and the Lease stays as it is. */
  kill(identity: string): void {
    this.#killed.add(identity);
  }

  async pass(ms: number, stepMs = 500): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      for (const { clock, identity } of this.replicas) if (!this.#killed.has(identity)) clock.advance(stepMs);
      await settle();
      expect(this.leaders.length).toBeLessThanOrEqual(1);
    }
  }

  get leaders(): string[] {
    return this.replicas
      .filter(({ elector, identity }) => elector.isLeader && !this.#killed.has(identity))
      .map(({ terms }) => String(terms.length));
  }
}

class SkewedClock extends FakeClock {
  /** How far the wall clock is off. */
  skewMs: number;

  constructor(skewMs: number) {
    super();
    this.skewMs = skewMs;
  }

  override wallMs(): number {
    return super.wallMs() + this.skewMs;
  }
}

let election: Election;
beforeEach(() => {
  election = new Election();
});
afterEach(async () => {
  election.store.broken.clear();
  await Promise.all(election.replicas.map(({ stop }) => stop()));
  for (const { clock } of election.replicas) expect(clock.pending).toBe(0);
});

test('H57: of two replicas that start together exactly one leads', async () => {
  const [one, two] = [election.add('one'), election.add('two')];
  await settle();
  expect([one.elector.isLeader, two.elector.isLeader].filter(Boolean)).toHaveLength(1);
  await election.pass(60_000);
  expect(one.terms.length + two.terms.length).toBe(1);
  expect(two.elector.leader).toBe('one');
});

test('the lease is renewed at every try and keeps its time of acquisition', async () => {
  election.add('one');
  await settle();
  await election.pass(10_000);
  const { writes } = election.store;
  expect(writes).toHaveLength(6);
  expect(new Set(writes.map(({ spec }) => spec.acquireTime)).size).toBe(1);
  expect(new Set(writes.map(({ spec }) => spec.renewTime)).size).toBe(6);
  expect(writes.at(-1)?.spec).toMatchObject({ holderIdentity: 'one', leaseDurationSeconds: 15, leaseTransitions: 0 });
});

test('H56: who stops lets go of the lease after its work, and another leads at its next try', async () => {
  const one = election.add('one');
  await settle();
  const two = election.add('two');
  await settle();
  await one.stop();
  expect(election.store.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
  await election.pass(2_000);
  expect(two.elector.isLeader).toBe(true);
  expect(election.store.spec?.leaseTransitions).toBe(1);
});

test.each([0, 0.999])('2C-22: 20 seconds after the leader was killed another leads, with the jitter %d of its tries', async (jitter) => {
  election.add('one');
  await settle();
  const two = election.add('two', { random: () => jitter });
  await settle();
  // Any moment between two renewals, and a moment after which the standby has just looked.
  await election.pass(7_500);
  election.kill('one');
  await election.pass(20_000);
  expect(two.elector.isLeader).toBe(true);
  expect(election.store.spec).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
});

test('H56: while the leader drains its work the lease is still renewed', async () => {
  let drained: () => void = () => undefined;
  const stopping = new AbortController();
  const clock = new FakeClock();
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const elector = new LeaderElector({
    client: election.store.clientOf('one'),
    clock,
    log,
    namespace: 'b',
    name: 'a',
    identity: 'one',
    random: () => 0,
  });
  const ended = elector.run(stopping.signal, () => new Promise((resolve) => (drained = resolve)));
  await settle();
  const two = election.add('two');
  stopping.abort();
  for (let ms = 0; ms < 24_000; ms += 500) {
    clock.advance(500);
    await election.pass(500);
    expect(elector.isLeader).toBe(true);
  }
  drained();
  await ended;
  expect(two.terms).toHaveLength(0);
  await election.pass(2_000);
  expect(two.elector.isLeader).toBe(true);
});

test('H52: who cannot renew stops before anybody else can lead', async () => {
  const one = election.add('one');
  await settle();
  const two = election.add('two');
  await settle();
  election.store.broken.set('one', 'hangs');
  await election.pass(9_500);
  expect(one.terms[0]?.aborted).toBe(false);
  await election.pass(3_000);
  expect(one.terms[0]?.aborted).toBe(true);
  expect(one.elector.isLeader).toBe(false);
  expect(two.terms).toHaveLength(0);
  await election.pass(6_000);
  expect(two.elector.isLeader).toBe(true);
  expect(one.logged).toContain('error leadership lost');
});

test('H52: a renewal whose answer is lost counts from when it was sent, not from when it was given up', async () => {
  const one = election.add('one');
  await settle();
  election.store.broken.set('one', 'loses answers');
  await election.pass(12_500);
  expect(one.terms[0]?.aborted).toBe(true);
});

test('H52: somebody else holds the lease: the term is over at once', async () => {
  const one = election.add('one');
  await settle();
  const thief = election.store.clientOf('thief');
  const lease = (await thief.get({} as never, {} as never)) as unknown as { spec: object };
  await thief.update({} as never, { ...lease, spec: { ...lease.spec, holderIdentity: 'thief' } } as never);
  await election.pass(2_000);
  expect(one.terms[0]?.aborted).toBe(true);
  expect(one.elector.leader).toBe('thief');
});

test.each([3_600_000, -3_600_000])('H55: a clock that is off by %i ms steals nothing, and takes over in time', async (skewMs) => {
  const one = election.add('one');
  await settle();
  const two = election.add('two', { skewMs });
  await election.pass(60_000);
  expect(two.terms).toHaveLength(0);
  election.store.broken.set('one', 'fails');
  await election.pass(20_000);
  expect(one.elector.isLeader).toBe(false);
  expect(two.elector.isLeader).toBe(true);
});

test.each([3_600_000, -3_600_000])('H55: a wall clock that jumps by %i ms during a term neither ends nor prolongs it', async (jumpMs) => {
  const one = election.add('one');
  await settle();
  const two = election.add('two');
  await election.pass(5_000);
  for (const { clock } of [one, two]) clock.skewMs += jumpMs;
  await election.pass(30_000);
  expect([one.elector.isLeader, one.terms.length, two.terms.length]).toEqual([true, 1, 0]);
  election.store.broken.set('one', 'hangs');
  for (const { clock } of [one, two]) clock.skewMs += jumpMs;
  one.elector.endTermIfOver();
  expect(one.terms[0]?.aborted).toBe(false);
  await election.pass(12_000);
  expect([one.terms[0]?.aborted, one.elector.isLeader, two.terms.length]).toEqual([true, false, 0]);
  await election.pass(6_000);
  expect(two.elector.isLeader).toBe(true);
});

test('H52: a renewal counts from when it was sent, not from its late answer', async () => {
  const one = election.add('one');
  await settle();
  election.store.late.set('one', { clock: one.clock, ms: 4_000 });
  await election.pass(6_000); // sent at 2,000, answered at 6,000
  expect(election.store.writes).toHaveLength(2);
  election.store.late.clear();
  election.store.broken.set('one', 'hangs');
  await election.pass(5_500);
  expect(one.terms[0]?.aborted).toBe(false);
  await election.pass(500);
  expect(one.terms[0]?.aborted).toBe(true);
});

test.each<[string, () => void]>([
  ['created', () => election.store.remove()],
  ['taken over', () => election.store.overwrite({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 })],
])('H52: a Lease that is %s counts from when that was sent, not from its late answer', async (_, arrange) => {
  arrange();
  election.store.broken.set('one', 'fails');
  const one = election.add('one');
  await settle();
  election.store.broken.clear();
  election.store.late.set('one', { clock: one.clock, ms: 4_000 });
  await election.pass(10_000); // read from 2,000 to 6,000, written from 6,000 to 10,000
  expect([election.store.writes.length, one.terms.length]).toEqual([1, 1]);
  election.store.late.clear();
  election.store.broken.set('one', 'hangs');
  await election.pass(5_500);
  expect(one.terms[0]?.aborted).toBe(false);
  await election.pass(500);
  expect(one.terms[0]?.aborted).toBe(true);
});

test('H52: whoever works on after the end of its term is not a candidate before the work has ended', async () => {
  const works: (() => void)[] = [];
  const stopping = new AbortController();
  const clock = new FakeClock();
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const client = election.store.clientOf('one');
  const elector = new LeaderElector({ client, clock, log, namespace: 'b', name: 'a', identity: 'one', random: () => 0 });
  const ended = elector.run(stopping.signal, () => new Promise((resolve) => void works.push(resolve)));
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500);
      await settle();
    }
  };
  await settle();
  election.store.broken.set('one', 'fails');
  await pass(12_000);
  election.store.broken.clear();
  const { length } = election.store.writes;
  await pass(60_000);
  expect([elector.isLeader, works.length, election.store.writes.length]).toEqual([false, 1, length]);
  works[0]?.();
  await pass(2_500);
  expect([elector.isLeader, works.length]).toEqual([true, 2]);
  stopping.abort();
  works[1]?.();
  await ended;
});

test('H53: ten minutes of failures, and somebody leads again', async () => {
  const one = election.add('one');
  await settle();
  election.store.broken.set('one', 'fails');
  await election.pass(600_000, 1_000);
  expect(one.elector.isLeader).toBe(false);
  expect(one.logged.filter((line) => line.startsWith('warn'))).toHaveLength(1);
  election.store.broken.clear();
  await election.pass(4_000);
  expect(one.elector.isLeader).toBe(true);
  expect(one.terms).toHaveLength(2);
  expect(one.logged).toContain('info the lease can be read and written again');
});

test('H58: an event loop that was blocked for too long finds itself without the lead, before any timer fires', async () => {
  const one = election.add('one');
  await settle();
  let sawLead = true;
  one.clock.schedule(9_999, () => {
    // All timers are late: this one comes first after the block.
    one.clock.block(20_000);
    sawLead = one.elector.isLeader;
  });
  one.clock.advance(10_000);
  expect(sawLead).toBe(false);
  await settle();
  expect(one.terms[0]?.aborted).toBe(true);
});

test('H58: who asks before a write ends a term that is over, before any timer fires; and none that is not', async () => {
  const one = election.add('one');
  await settle();
  one.elector.endTermIfOver();
  expect(one.terms[0]?.aborted).toBe(false);
  one.clock.block(9_999);
  one.elector.endTermIfOver();
  expect(one.terms[0]?.aborted).toBe(false);
  one.clock.block(1);
  one.elector.endTermIfOver();
  expect(one.terms[0]?.aborted).toBe(true);
  one.elector.endTermIfOver();
  await settle();
  expect(one.logged.filter((text) => text === 'error leadership lost')).toHaveLength(1);
  await election.pass(2_500);
  expect([one.elector.isLeader, one.terms.length]).toEqual([true, 2]);
});

test('a lease that was deleted is made again by its holder', async () => {
  const one = election.add('one');
  await settle();
  election.store.remove();
  await election.pass(2_500);
  expect(election.store.spec?.holderIdentity).toBe('one');
  expect(one.terms).toHaveLength(1);
});

test('H54: work that throws ends the run with its error, and the lease is let go of', async () => {
  const clock = new FakeClock();
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const elector = new LeaderElector({ client: election.store.clientOf('one'), clock, log, namespace: 'b', name: 'a', identity: 'one' });
  await expect(elector.run(new AbortController().signal, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(election.store.spec?.holderIdentity).toBe('');
  expect(clock.pending).toBe(0);
});

test('times that leave no room are refused with the reason', () => {
  const make = (): unknown => election.add('x', { leaseMs: 10_000, renewMs: 10_000 });
  expect(make).toThrow(LeaderSettingsError);
  expect(make).toThrow('a lease of 10000 ms, 10000 ms to renew it and 2000 ms between tries leave no room');
});

test('the pause between two tries is longer by its jitter, and there is room for it', () => {
  for (const times of [{ retryMs: 0 }, { renewMs: 2_400 }, { leaseMs: 9_000, renewMs: 9_000 }, { retryMs: -1 }])
    expect(() => election.add('x', times)).toThrow('longer than 1.2 tries');
  expect(() => election.add('y', { renewMs: 2_401 })).not.toThrow();
});

test('who waits says once for whom, and who cannot read the lease says that once', async () => {
  const one = election.add('one');
  await settle();
  const two = election.add('two');
  await election.pass(10_000);
  expect(one.logged).toEqual(['info leading']);
  expect(two.logged).toEqual(['info waiting to lead']);
  expect(two.elector.leader).toBe('one');
  election.store.broken.set('two', 'fails');
  await election.pass(6_000);
  const failed = 'the lease could not be taken or renewed';
  expect(two.logged.slice(1, 4)).toEqual([`warn ${failed}; trying again`, `debug ${failed}`, `debug ${failed}`]);
  election.store.broken.delete('two');
  await election.pass(6_000);
  expect(two.logged.filter((text) => text === 'info the lease can be read and written again')).toHaveLength(1);
  expect(two.logged.at(-1)).toBe('info the lease can be read and written again');
  await one.stop();
  expect(one.logged.at(-1)).toBe('info leadership released');
});

test('the metrics hear of each term once, and of a Lease that was not as it was left', async () => {
  const heard: string[] = [];
  const observer = { leading: (is: boolean) => void heard.push(`leading ${is}`), slowPath: () => void heard.push('slow') };
  const one = election.add('one', { observer });
  await election.pass(5_000);
  expect(heard).toEqual(['leading true']);
  election.store.remove();
  await election.pass(2_500);
  expect(heard).toEqual(['leading true', 'slow']);
  await one.stop();
  expect(heard).toEqual(['leading true', 'slow', 'leading false']);
  expect(one.elector.leader).toBeUndefined();
});

test('without a term there is none to end', () => {
  const elector = new LeaderElector({
    client: election.store.clientOf('one'),
    clock: new FakeClock(),
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    namespace: 'b',
    name: 'a',
    identity: 'one',
  });
  elector.endTermIfOver();
  expect([elector.isLeader, elector.leader]).toEqual([false, undefined]);
});

test('H56: a lease whose last renewal was cut off is let go of all the same; that of somebody else is not', async () => {
  const [one] = [election.add('one')];
  await settle();
  // Renewed by this process, which has not heard of it.
  election.store.overwrite({});
  await one.stop();
  expect(election.store.spec?.holderIdentity).toBe('');
  const two = election.add('two');
  await settle();
  election.store.overwrite({ holderIdentity: 'three' });
  await two.stop();
  expect(election.store.spec?.holderIdentity).toBe('three');
  expect(two.logged.at(-1)).toBe('warn leadership could not be released; others wait until the lease has expired');
});

test('H53: a renewal that fails does not end the term before its time', async () => {
  const one = election.add('one');
  await settle();
  election.store.broken.set('one', 'fails');
  await election.pass(6_000);
  expect([one.elector.isLeader, one.terms[0]?.aborted]).toEqual([true, false]);
  election.store.broken.delete('one');
  await election.pass(20_000);
  expect([one.elector.isLeader, one.terms.length, one.terms[0]?.aborted]).toEqual([true, 1, false]);
});

test('settings that are wrong are for the author to mend', () => {
  expect(new LeaderSettingsError('x')).toMatchObject({ actor: 'author', code: 'KEELSON_LEADER_SETTINGS', message: 'x' });
});
