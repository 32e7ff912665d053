import { connect, type Socket } from 'node:net';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { HttpListener } from '../../../src/runtime/telemetry/http-listener.js';
import { MetricsServer, ProbeServer } from '../../../src/runtime/telemetry/index.js';
import { fetched, keptLog } from '../telemetry/fetching.js';
import { ownTimeMs } from './own-time.js';

jest.setTimeout(120_000);

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

const sieges = new Set<Siege>();
// Also after a test that has failed: connections that come again would keep the process alive.
afterEach(() => Promise.all([...sieges].map((siege) => siege.end())));

/** Holds connections, and opens another for each that is closed. */
class Siege {
  /** The oldest first. */
  readonly #sockets = new Set<Socket>();
  readonly #port: number;
  readonly #sends: readonly string[];
  readonly #chains: Promise<void>[] = [];
  #opened = 0;
  #isOver = false;

  private constructor(port: number, sends: readonly string[]) {
    this.#port = port;
    this.#sends = sends;
  }

  static async of(port: number, count: number, sends: readonly string[], { reconnects = false }: SiegeOptions = {}): Promise<Siege> {
    const siege = new Siege(port, sends);
    sieges.add(siege);
    await Promise.all(Array.from({ length: count }, () => siege.#open()));
    if (reconnects) for (let chain = 0; chain < CHAINS; chain += 1) siege.#chains.push(siege.#reconnect());
    return siege;
  }

  /** Connections that were opened so far. */
  get opened(): number {
    return this.#opened;
  }

  async #reconnect(): Promise<void> {
    while (!this.#isOver) {
      const [oldest] = this.#sockets;
      if (oldest === undefined) return;
      this.#sockets.delete(oldest);
      oldest.destroy();
      await this.#open();
    }
  }

  #open(): Promise<void> {
    const socket = connect(this.#port, '127.0.0.1');
    const sent = this.#sends[this.#opened % this.#sends.length] ?? '';
    this.#opened += 1;
    this.#sockets.add(socket);
    socket.on('error', () => undefined).resume();
    return new Promise((resolve) => {
      socket.once('connect', () => {
        socket.write(sent);
        resolve();
      });
      socket.once('close', () => {
        // One that its chain has closed is not among them any more: the chain opens another.
        if (this.#sockets.delete(socket) && !this.#isOver) void this.#open();
        resolve();
      });
    });
  }

  async end(): Promise<void> {
    this.#isOver = true;
    sieges.delete(this);
    await Promise.all(this.#chains);
    for (const socket of this.#sockets) socket.destroy();
  }
}

const DEADLINE_MS = 60_000;

interface Asking {
  readonly ask: () => Promise<number>;
  /** Asked ten times at least, and until this is true. */
  readonly until?: () => boolean;
}

async function slowest({ ask, until = () => true }: Asking): Promise<number> {
  let slowestMs = 0;
  const deadline = Date.now() + DEADLINE_MS;
  for (let turn = 0; turn < 10 || !until(); turn += 1) {
    if (Date.now() > deadline) throw new Error('the connections do not come again');
    const startedMs = ownTimeMs();
    expect(await ask()).toBe(200);
    slowestMs = Math.max(slowestMs, ownTimeMs() - startedMs);
  }
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
    expect(await slowest({ ask })).toBeLessThan(1_000);
    await siege.end();
  });

  test.each(CASES)('1,000 %s connections whose clients close and open them without end', async (_, sends) => {
    const siege = await Siege.of(port, 1_000, sends, { reconnects: true });
    expect(await slowest({ ask, until: () => siege.opened > 3_000 })).toBeLessThan(1_000);
    await siege.end();
  });

  test('1,500, more than the server keeps, each of which comes again when it is closed', async () => {
    const siege = await Siege.of(port, 1_500, Object.values(BEHAVIOURS));
    expect(await slowest({ ask, until: () => siege.opened > 4_500 })).toBeLessThan(1_000);
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
  expect(await slowest({ ask, until: () => siege.opened > 3_000 })).toBeLessThan(1_000);
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
