import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { defineOperator, validating } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { MetricsServer, ProbeServer } from '../../../src/runtime/telemetry/index.js';
import { eventually } from '../../eventually.js';
import { Served, stopAll } from '../../runtime/admission/served.js';
import { keptLog } from '../../runtime/telemetry/fetching.js';

const MOST = 1_024;
const BEYOND = 40;
/** Fewer than the kernel keeps waiting to be accepted. */
const AT_ONCE = 100;

interface Server {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

const BASICS = { port: 0, host: '127.0.0.1', clock: systemClock, log: keptLog().log };

/** Each server of an operator's process that others can reach. */
const SERVERS: Readonly<Record<string, () => Promise<Server>>> = {
  probes: async () => {
    const server = new ProbeServer({ ...BASICS, eventLoopBoundMs: 60_000 });
    return { port: (await server.start()).port, stop: () => server.stop() };
  },
  metrics: async () => {
    const server = new MetricsServer({ ...BASICS, metrics: { text: async () => ({ contentType: 'text/plain', body: '' }) } });
    return { port: (await server.start()).port, stop: () => server.stop() };
  },
  'secured metrics': async () => {
    const client = { create: () => Promise.reject(new Error('no token is asked about')) };
    const metrics = { text: async () => ({ contentType: 'text/plain', body: '' }) };
    const server = new MetricsServer({ ...BASICS, metrics, secure: { client } });
    return { port: (await server.start()).port, stop: () => server.stop() };
  },
  webhooks: async () => {
    const { webhooks, customResources } = defineOperator({ name: 'test', webhooks: [validating(ConfigMap, () => [])] });
    const { port } = await Served.of({ webhooks, customResources });
    return { port, stop: stopAll };
  },
};

/** Silent connections, in the order in which they were opened; `closed` are those that the server has ended. */
class Silent {
  readonly sockets: Socket[] = [];
  readonly closed = new Set<number>();
  readonly #port: number;
  #accepted = 0;
  readonly #onAccepted = (): void => {
    this.#accepted += 1;
  };

  constructor(port: number) {
    this.#port = port;
    subscribe('net.server.socket', this.#onAccepted);
  }

  /** Resolves when the server has accepted them: the kernel connects a client before, and one for which it has no room tries again after a second. */
  async open(count: number): Promise<void> {
    for (let left = count; left > 0; left -= AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => this.#open()));
      while (this.#accepted < this.sockets.length) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #open(): Promise<void> {
    const socket = connect(this.#port, '127.0.0.1');
    const index = this.sockets.push(socket) - 1;
    socket.on('error', () => undefined).resume();
    socket.once('close', () => this.closed.add(index));
    return new Promise((resolve) => void socket.once('connect', resolve));
  }

  end(): void {
    unsubscribe('net.server.socket', this.#onAccepted);
    for (const socket of this.sockets) socket.destroy();
  }
}

test.each(Object.keys(SERVERS))('the server of %s keeps 1,024 connections, and closes the oldest silent ones for more', async (name) => {
  const server = await SERVERS[name]?.();
  const silent = new Silent(server?.port ?? 0);
  await silent.open(MOST);
  expect(silent.closed.size).toBe(0);
  await silent.open(BEYOND);
  await eventually(() => silent.closed.size >= BEYOND);
  expect([...silent.closed].sort((a, b) => a - b)).toEqual(Array.from({ length: BEYOND }, (_, index) => index));
  silent.end();
  await server?.stop();
});
