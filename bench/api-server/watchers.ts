import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { shown, table } from '../statistics.js';
import { Connection, type Endpoint } from './connection.js';
import { Http2Connection, STREAMS } from './http2-connection.js';
import { CONFIG_MAP } from './objects.js';
import type { BenchServer } from './servers.js';

export interface WatchersSize {
  readonly watchers: number;
  /** Writes one by one: each is seen by all before the next. */
  readonly single: number;
  /** Writes as fast as four connections can. */
  readonly burst: number;
}

const OBJECT_BYTES = 1000;
const WRITERS = 4;
/** Events that do not come end the bench instead of holding it up. */
const DEADLINE_MS = 120_000;

/** Many watches of one collection, all of which get every event. */
export async function benchWatchers(servers: readonly BenchServer[], size: WatchersSize): Promise<string> {
  const rows: string[][] = [];
  for (const server of servers) rows.push(await rowOf(server, size));
  return table(['server', 'watches open after s', 'one write: p50 ms', 'p99 ms', 'burst: events/s', 'writes/s'], rows);
}

async function rowOf(server: BenchServer, { watchers, single, burst }: WatchersSize): Promise<string[]> {
  const audience = new Audience();
  const opening = performance.now();
  await audience.open(server, watchers);
  const opened = performance.now() - opening;
  const writer = await Connection.open(server);
  const latencies: number[] = [];
  for (let n = 0; n < single; n += 1) {
    const started = performance.now();
    const seen = audience.expect(watchers, (at) => latencies.push(at - started));
    await create(writer, `single-${n}`);
    await seen;
  }
  const started = performance.now();
  const all = audience.expect(watchers * burst);
  const writtenMs = await writeMany(server, burst);
  await all;
  const burstMs = performance.now() - started;
  writer.close();
  audience.close();
  const sorted = latencies.sort((a, b) => a - b);
  const percentile = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
  const perSecond = (count: number, ms: number): string => Math.round((count / ms) * 1000).toLocaleString('en');
  return [
    server.title,
    shown(opened / 1000),
    percentile(0.5),
    percentile(0.99),
    perSecond(watchers * burst, burstMs),
    perSecond(burst, writtenMs),
  ];
}

async function create(connection: Connection, name: string): Promise<void> {
  const { status } = await connection.request('POST', CONFIG_MAP.collection, { body: CONFIG_MAP.body(name, OBJECT_BYTES) });
  if (status !== 201) throw new Error(`${name} was answered with ${status}`);
}

async function writeMany(server: Endpoint, count: number): Promise<number> {
  const writers = await Promise.all(Array.from({ length: WRITERS }, () => Connection.open(server)));
  const started = performance.now();
  let next = 0;
  const work = async (writer: Connection): Promise<void> => {
    while (next < count) {
      next += 1;
      await create(writer, `burst-${next}`);
    }
  };
  await Promise.all(writers.map(work));
  const ms = performance.now() - started;
  for (const writer of writers) writer.close();
  return ms;
}

const EVENT = '{"type":"ADDED"';

/** @param nth of its watch, from 0 */
type OnEvent = (at: number, nth: number) => void;

/** The clients of a bench: they count events, and read nothing of them, so that the server is measured. */
export class Audience {
  readonly #sockets: Socket[] = [];
  readonly #sessions: Http2Connection[] = [];
  #awaited: { count: number; readonly onEvent: OnEvent; readonly done: () => void } | undefined;

  /** @param isHttp2 as many watches on a connection as the server lets a client have, in place of one */
  async open(endpoint: Endpoint, count: number, isHttp2 = false): Promise<void> {
    const connection = await Connection.open(endpoint);
    const list = await connection.request('GET', `${CONFIG_MAP.collection}?limit=1`);
    connection.close();
    const { metadata } = JSON.parse(list.body.toString('utf8')) as { metadata: { resourceVersion: string } };
    const path = `${CONFIG_MAP.collection}?watch=1&resourceVersion=${metadata.resourceVersion}`;
    if (isHttp2) {
      for (let opened = 0; opened < count; opened += STREAMS) await this.#openShared(endpoint, path, Math.min(STREAMS, count - opened));
      return;
    }
    // Some at a time: a listening socket's queue is short.
    for (let opened = 0; opened < count; opened += 50) {
      await Promise.all(Array.from({ length: Math.min(50, count - opened) }, () => this.#openOne(endpoint, path)));
    }
  }

  /** Settles when so many events have come, counted over all watches. */
  expect(count: number, onEvent: OnEvent = () => undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.#awaited?.count} of ${count} events have not come`)), DEADLINE_MS);
      const done = (): void => {
        clearTimeout(timer);
        this.#awaited = undefined;
        resolve();
      };
      this.#awaited = { count, onEvent, done };
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const session of this.#sessions) session.close();
  }

  async #openShared(endpoint: Endpoint, path: string, count: number): Promise<void> {
    const session = await Http2Connection.open(endpoint);
    this.#sessions.push(session);
    await Promise.all(Array.from({ length: count }, () => session.watch(path, this.#counter())));
  }

  /** Counts the events of one watch. */
  #counter(): (chunk: Buffer) => void {
    let tail = '';
    let events = 0;
    return (chunk) => {
      const text = tail + chunk.toString('latin1');
      let at = text.indexOf(EVENT);
      let end = 0;
      for (; at >= 0; at = text.indexOf(EVENT, end)) {
        end = at + EVENT.length;
        this.#count(events);
        events += 1;
      }
      tail = text.slice(Math.max(end, text.length - EVENT.length + 1));
    };
  }

  #openOne({ url, ca, token }: Endpoint, path: string): Promise<void> {
    const { protocol, hostname, port } = new URL(url);
    const to = { host: hostname, port: Number(port) };
    return new Promise((resolve, reject) => {
      const opened = (): void => {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      };
      const socket = protocol === 'https:' ? connectSecure({ ...to, ca, ALPNProtocols: ['http/1.1'] }, opened) : connectPlain(to, opened);
      this.#sockets.push(socket);
      socket.once('error', reject);
      const count = this.#counter();
      socket.on('data', (chunk: Buffer) => {
        count(chunk);
        resolve();
      });
    });
  }

  #count(nth: number): void {
    const awaited = this.#awaited;
    if (awaited === undefined) return;
    awaited.onEvent(performance.now(), nth);
    awaited.count -= 1;
    if (awaited.count === 0) awaited.done();
  }
}
