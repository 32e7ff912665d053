import { systemClock } from '../../../src/api-server/clock/index.js';
import { Faults } from '../../../src/api-server/faults/index.js';
import { ApiServer, type ServerProblem } from '../../../src/api-server/server/index.js';
import { StatusError } from '../../../src/api-server/status/index.js';
import { DEADLINE_MS, HANG_MS } from '../../deadline.cjs';
import { eventually } from '../../eventually.js';
import { MemoryCheck } from '../fuzz/campaign.js';
import { WIDGET_DEFINITION } from '../fuzz/samples.js';
import { StoreChecks } from '../fuzz/store-checks.js';
import { Random } from '../values/apply/differential/random.js';
import { Client } from './http.js';
import { RevisionLog } from './revision-log.js';
import { SUBJECTS } from './subjects.js';
import { Watcher } from './watcher.js';
import { Writer } from './writer.js';

/** Of writing, in seconds at least: it ends when all of it has happened. A longer one is for hunting: `KEELSON_CHURN_SECONDS=600`. */
const SECONDS = Number(process.env['KEELSON_CHURN_SECONDS'] ?? 15);
const SEED = Number(process.env['KEELSON_CHURN_SEED'] ?? 20_260_101);
const WRITERS = 4;
const WATCHERS = 44;
const ROUND_WRITES = 200;
/** What the log keeps: little, so that clients fall behind it. */
const MAX_EVENTS = 3000;

/** No duplicates: those would be told twice by order. */
const RATES = {
  conflict: 0.01,
  tooManyRequests: 0.01,
  serverError: 0.01,
  unavailable: 0.01,
  dropBefore: 0.01,
  dropAfter: 0.02,
  delay: 0.005,
  staleList: 0.1,
  expireWatch: 0.02,
  dropAtEvent: 0.004,
  closeAtEvent: 0.004,
  expireAtEvent: 0.002,
  silenceAtEvent: 0.002,
  delayEvent: 0.02,
};

const problems: ServerProblem[] = [];
let server: ApiServer;
let faults: Faults;
let clients: Client[];

beforeEach(async () => {
  faults = new Faults({
    clock: systemClock,
    exempt: ['admin'],
    revision: () => server.core.store.revision,
    stealLease: () => Promise.reject(new Error('nobody orders that here')),
  });
  server = await ApiServer.start({
    protocol: 'http',
    maxEvents: MAX_EVENTS,
    intercept: faults.intercept,
    onProblem: (problem) => problems.push(problem),
  });
  clients = [];
  const admin = clientOf('admin');
  await admin.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: WIDGET_DEFINITION });
  await admin.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'churn' } } });
});

afterEach(async () => {
  faults.clear();
  for (const client of clients) client.close();
  await server.close();
});

function clientOf(username: string): Client {
  const client = new Client(server.url, server.tokenFor({ username, groups: ['system:masters'] }));
  clients.push(client);
  return client;
}

/** One for each subject. */
function logs(): readonly RevisionLog[] {
  const { store, catalog } = server.core;
  return SUBJECTS.map(({ group, plural }) => {
    const resource = catalog.find(group, plural);
    if (resource === undefined) throw new Error(`${plural} are not served`);
    return new RevisionLog(store, resource.storageKey);
  });
}

test(
  'whatever breaks, clients are told each write once, in order, and memory does not grow',
  async () => {
    const { store, catalog } = server.core;
    const checks = new StoreChecks(store, catalog);
    checks.check();
    const followed = logs();
    const watchers = Array.from({ length: WATCHERS }, (_, n) => {
      const at = n % SUBJECTS.length;
      const [of, log] = [SUBJECTS[at], followed[at]];
      if (of === undefined || log === undefined) throw new Error('there are fewer logs than subjects');
      return new Watcher(clientOf(`watcher-${n}`), log, { of, seed: SEED + n });
    });
    const writers = Array.from({ length: WRITERS }, (_, n) => new Writer(clientOf(`writer-${n}`), SEED - n));
    faults.seeded(SEED, { rates: RATES, delayMs: 20, times: Number.POSITIVE_INFINITY });
    const running = Promise.all(watchers.map((watcher) => watcher.run()));
    let failure: unknown;
    running.catch((error: unknown) => {
      failure = error;
    });

    const memory = new MemoryCheck();
    const random = new Random(SEED);
    const [start, end] = [performance.now(), performance.now() + SECONDS * 1000];
    const write = async (writer: Writer): Promise<void> => {
      let writes = 0;
      do {
        await writer.write();
        writes += 1;
      } while (writes < ROUND_WRITES && performance.now() < end);
    };
    const sum = (of: (watcher: Watcher) => number): number => watchers.reduce((total, watcher) => total + of(watcher), 0);
    const figures = () => ({
      writes: followed.reduce((total, { count }) => total + count, 0),
      requests: writers.reduce((total, { requests }) => total + requests, 0),
      events: sum(({ figures: { events } }) => events),
      bookmarks: sum(({ figures: { bookmarks } }) => bookmarks),
      lists: sum(({ figures: { lists } }) => lists),
      watches: sum(({ figures: { watches } }) => watches),
      expired: sum(({ figures: { expired } }) => expired),
      faults: faults.log.length,
    });
    /** It is a churn when nothing of this is nothing: a busy machine may take longer. */
    const isChurn = (): boolean => Object.values(figures()).every((figure) => figure > 0);
    const goesOn = (): boolean => performance.now() < end || (performance.now() < end + DEADLINE_MS && !isChurn());
    while (goesOn() && failure === undefined) {
      await Promise.all(writers.map(write));
      if (random.chance(0.2)) store.compact(store.revision - random.below(500));
      forget(followed, watchers);
      checks.check();
      if (performance.now() - start > SECONDS * 400) memory.begin();
    }
    faults.clear();
    const late = (): number => watchers.filter(({ isCaughtUp }) => !isCaughtUp).length;
    await eventually(
      () => failure !== undefined || late() === 0,
      () => `all watchers have caught up; ${late()} have not`,
    );
    for (const watcher of watchers) watcher.stop();
    await running;
    forget(followed, watchers);
    memory.end('churn');
    checks.check();

    if (process.env['KEELSON_CHURN_SECONDS'] !== undefined) console.log(figures());
    expect(problems.filter(({ error }) => !StatusError.isStatusError(error))).toEqual([]);
    for (const figure of Object.values(figures())) expect(figure).toBeGreaterThan(0);
  },
  SECONDS * 1000 + HANG_MS,
);

function forget(followed: readonly RevisionLog[], watchers: readonly Watcher[]): void {
  // Who has to list may be shown the state of when the faults were ordered: as far back as the server can go.
  const oldest = Math.min(server.core.store.compactedRevision, ...watchers.map(({ position }) => position ?? Number.POSITIVE_INFINITY));
  for (const log of followed) log.forgetBefore(oldest - 1);
}
