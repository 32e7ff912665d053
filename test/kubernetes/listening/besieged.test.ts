import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { HttpListener } from '../../../src/runtime/telemetry/http-listener.js';
import { MetricsServer, ProbeServer } from '../../../src/runtime/telemetry/index.js';
import { eventually } from '../../eventually.js';
import { fetched, keptLog } from '../../runtime/telemetry/fetching.js';
import { ownTimeMs } from '../../work/own-time.js';

/** What a connection sends, and then holds. */
const BEHAVIOURS = {
  silent: '',
  'half-headed': 'GET /healthz HTTP/1.1\r\nhost: a\r\n',
  'answered and idle': 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n',
} as const;

/** Chains of clients, each of which closes its oldest connection and opens another, one after another. */
const CHAINS = 10;

interface SiegeOptions {
  /** Whether connections are closed and opened again without end; those that the server closes always come again. @defaultValue false */
  readonly reconnects?: boolean;
}

const [OPENED, ACCEPTED] = [0, 1];

const sieges = new Set<Siege>();
// Also after a test that has failed: connections that come again would keep the process alive.
afterEach(() => Promise.all([...sieges].map((siege) => siege.end())));

/** Clients in a thread of their own, which hold connections and open another for each that is closed. */
class Siege {
  readonly #thread: Worker;
  /** Connections that the clients opened, and those of them that a server accepted. */
  readonly #counters = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));

  private constructor(port: number, count: number, { sends, chains }: { readonly sends: readonly string[]; readonly chains: number }) {
    subscribe('net.server.socket', this.#onAccepted);
    this.#thread = new Worker(join(__dirname, 'siege.mjs'), { workerData: { port, count, sends, chains, counters: this.#counters } });
  }

  static async of(port: number, count: number, sends: readonly string[], { reconnects = false }: SiegeOptions = {}): Promise<Siege> {
    const siege = new Siege(port, count, { sends, chains: reconnects ? CHAINS : 0 });
    sieges.add(siege);
    await once(siege.#thread, 'message');
    return siege;
  }

  /** Connections that were opened so far. */
  get opened(): number {
    return Atomics.load(this.#counters, OPENED);
  }

  /** A connection that the server accepted was another client's. */
  leaveOutOne(): void {
    Atomics.sub(this.#counters, ACCEPTED, 1);
  }

  readonly #onAccepted = (): void => {
    Atomics.add(this.#counters, ACCEPTED, 1);
    Atomics.notify(this.#counters, ACCEPTED);
  };

  async end(): Promise<void> {
    sieges.delete(this);
    unsubscribe('net.server.socket', this.#onAccepted);
    await this.#thread.terminate();
  }
}

interface Asking {
  readonly siege: Siege;
  readonly ask: () => Promise<number>;
  /** Asked ten times at least, and until clients have opened more connections than these. @defaultValue 0 */
  readonly opened?: number;
}

async function slowest({ siege, ask, opened = 0 }: Asking): Promise<number> {
  let slowestMs = 0;
  let turn = 0;
  const isEnough = async (): Promise<boolean> => {
    const startedMs = ownTimeMs();
    expect(await ask()).toBe(200);
    siege.leaveOutOne();
    slowestMs = Math.max(slowestMs, ownTimeMs() - startedMs);
    turn += 1;
    return turn >= 10 && siege.opened > opened;
  };
  await eventually(isEnough, 'the connections come again');
  return slowestMs;
}

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ...Object.entries(BEHAVIOURS).map(([name, sends]) => [name, [sends]] as const),
  ['mixed', Object.values(BEHAVIOURS)],
];

describe('probes are answered within a second under', () => {
  let server: ProbeServer;
  let port: number;
  beforeEach(async () => {
    server = new ProbeServer({ port: 0, host: '127.0.0.1', clock: systemClock, log: keptLog().log, eventLoopBoundMs: 60_000 });
    ({ port } = await server.start());
  });
  afterEach(() => server.stop());

  const ask = async (): Promise<number> => (await fetched(`http://127.0.0.1:${port}/healthz`)).status;

  test.each(CASES)('1,000 %s connections that stay', async (_, sends) => {
    const siege = await Siege.of(port, 1_000, sends);
    expect(await slowest({ siege, ask })).toBeLessThan(1_000);
    await siege.end();
  });

  test.each(CASES)('1,000 %s connections whose clients close and open them without end', async (_, sends) => {
    const siege = await Siege.of(port, 1_000, sends, { reconnects: true });
    expect(await slowest({ siege, ask, opened: 3_000 })).toBeLessThan(1_000);
    await siege.end();
  });

  test('1,500, more than the server keeps, each of which comes again when it is closed', async () => {
    const siege = await Siege.of(port, 1_500, Object.values(BEHAVIOURS));
    expect(await slowest({ siege, ask, opened: 4_500 })).toBeLessThan(1_000);
    await siege.end();
  });
});

test('metrics are answered within a second under 1,000 connections without a handshake', async () => {
  const client = { create: async () => ({ status: { authenticated: true, user: { username: 'prometheus' }, allowed: true } }) };
  const metrics = { text: async () => ({ contentType: 'text/plain', body: 'up 1\n' }) };
  const parts = { port: 0, host: '127.0.0.1', clock: systemClock, log: keptLog().log, metrics, secure: { client: client as never } };
  const server = new MetricsServer(parts);
  const { port } = await server.start();
  const siege = await Siege.of(port, 1_000, ['', '\u0016\u0003\u0001'], { reconnects: true });
  const options = { rejectUnauthorized: false, headers: { authorization: 'Bearer made-up' } };
  const ask = async (): Promise<number> => (await fetched(`https://127.0.0.1:${port}/metrics`, options)).status;
  expect(await slowest({ siege, ask, opened: 3_000 })).toBeLessThan(1_000);
  await siege.end();
  await server.stop();
});

test('a request under way outlives connections that come', async () => {
  let answerNow: () => void = () => undefined;
  const entered = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const handle: ConstructorParameters<typeof HttpListener>[0]['handle'] = async (_, response) => {
    answerNow();
    await gate;
    response.end('late');
  };
  const listener = new HttpListener({ what: 'tests', port: 0, host: '127.0.0.1', clock: systemClock, log: keptLog().log, handle });
  const { port } = await listener.start();
  const answer = fetched(`http://127.0.0.1:${port}/`);
  await entered;
  const siege = await Siege.of(port, 1_200, ['']);
  open();
  expect((await answer).text).toBe('late');
  await siege.end();
  await listener.stop();
});
