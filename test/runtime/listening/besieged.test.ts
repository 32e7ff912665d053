import { connect, type Socket } from 'node:net';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { HttpListener } from '../../../src/runtime/telemetry/http-listener.js';
import { MetricsServer, ProbeServer } from '../../../src/runtime/telemetry/index.js';
import { fetched, keptLog } from '../telemetry/fetching.js';

jest.setTimeout(120_000);

/** What a connection sends, and then holds. */
const BEHAVIOURS = {
  silent: '',
  'half-headed': 'GET /healthz HTTP/1.1\r\nhost: a\r\n',
  'answered and idle': 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n',
} as const;

/** Holds connections, and opens another for each that is closed. */
class Siege {
  readonly #sockets = new Set<Socket>();
  readonly #port: number;
  readonly #sends: readonly string[];
  #isOver = false;

  private constructor(port: number, sends: readonly string[]) {
    this.#port = port;
    this.#sends = sends;
  }

  static async of(port: number, count: number, sends: readonly string[]): Promise<Siege> {
    const siege = new Siege(port, sends);
    await Promise.all(Array.from({ length: count }, (_, index) => siege.#open(index)));
    return siege;
  }

  #open(index: number): Promise<void> {
    const socket = connect(this.#port, '127.0.0.1');
    this.#sockets.add(socket);
    socket.on('error', () => undefined).resume();
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (!this.#isOver) void this.#open(index);
    });
    return new Promise((resolve) => {
      socket.once('connect', () => {
        socket.write(this.#sends[index % this.#sends.length] ?? '');
        resolve();
      });
      socket.once('close', () => resolve());
    });
  }

  end(): void {
    this.#isOver = true;
    for (const socket of this.#sockets) socket.destroy();
  }
}

async function slowest(ask: () => Promise<number>): Promise<number> {
  let slowestMs = 0;
  for (let turn = 0; turn < 10; turn += 1) {
    const startedMs = performance.now();
    expect(await ask()).toBe(200);
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
  }
  return slowestMs;
}

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ...Object.entries(BEHAVIOURS).map(([name, sends]) => [name, [sends]] as const),
  ['mixed', Object.values(BEHAVIOURS)],
];

test.each(CASES)('probes are answered within a second under 1,000 %s connections that come again', async (_, sends) => {
  const server = new ProbeServer({ port: 0, host: '127.0.0.1', clock: systemClock, log: keptLog().log, eventLoopBoundMs: 60_000 });
  const { port } = await server.start();
  const siege = await Siege.of(port, 1_000, sends);
  expect(await slowest(async () => (await fetched(`http://127.0.0.1:${port}/healthz`)).status)).toBeLessThan(1_000);
  siege.end();
  await server.stop();
});

test('and under 1,500, more than it keeps', async () => {
  const server = new ProbeServer({ port: 0, host: '127.0.0.1', clock: systemClock, log: keptLog().log, eventLoopBoundMs: 60_000 });
  const { port } = await server.start();
  const siege = await Siege.of(port, 1_500, Object.values(BEHAVIOURS));
  await slowest(async () => (await fetched(`http://127.0.0.1:${port}/healthz`)).status);
  siege.end();
  await server.stop();
});

test('metrics are answered under 1,000 connections without a handshake', async () => {
  const client = { create: async () => ({ status: { authenticated: true, user: { username: 'prometheus' }, allowed: true } }) };
  const metrics = { text: async () => ({ contentType: 'text/plain', body: 'up 1\n' }) };
  const parts = { port: 0, host: '127.0.0.1', clock: systemClock, log: keptLog().log, metrics, secure: { client: client as never } };
  const server = new MetricsServer(parts);
  const { port } = await server.start();
  const siege = await Siege.of(port, 1_000, ['', '\u0016\u0003\u0001']);
  const options = { rejectUnauthorized: false, headers: { authorization: 'Bearer made-up' } };
  expect(await slowest(async () => (await fetched(`https://127.0.0.1:${port}/metrics`, options)).status)).toBeLessThan(2_000);
  siege.end();
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
  siege.end();
  await listener.stop();
});
