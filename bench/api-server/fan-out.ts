import { setTimeout } from 'node:timers/promises';
import { shown, table } from '../statistics.js';
import { Connection } from './connection.js';
import { CONFIG_MAP } from './objects.js';
import { type BenchServer, HostedServer } from './servers.js';
import { Audience } from './watchers.js';

export interface FanOutSize {
  readonly watchers: number;
  /** Writes that every watch sees, one every {@link PACE_MS}. */
  readonly events: number;
}

const OBJECT_BYTES = 500;
/** A server that is too slow for the pace falls behind, and its lag grows. */
const PACE_MS = 100;
/** Events before those that are measured: the first ones are slow on both servers. */
const WARM_UP = 10;
const OTHERS = '/api/v1/namespaces/kube-public/configmaps';

/** Events to many watches, and the time that a client with other business has to wait meanwhile. */
export async function benchFanOut(servers: readonly BenchServer[], size: FanOutSize): Promise<string> {
  const rows: string[][] = [];
  for (const server of servers) rows.push(await rowOf(server, size));
  return table(['server', 'lag: p50 ms', 'p99 ms', 'other writes: p50 ms', 'p99 ms', 'server CPU per event, µs'], rows);
}

async function rowOf(server: BenchServer, { watchers, events }: FanOutSize): Promise<string[]> {
  const audience = new Audience();
  await audience.open(server, watchers);
  const [writer, other] = [await Connection.open(server), await Connection.open(server)];
  const sentAt: number[] = [];
  const lags: number[] = [];
  let isOver = false;
  const all = audience
    .expect(watchers * (events + WARM_UP), (at, nth) => {
      if (nth >= WARM_UP) lags.push(at - (sentAt[nth] ?? Number.NaN));
    })
    .finally(() => {
      isOver = true;
    });
  const cpuBefore = await cpuOf(server);
  const waits = writeOthers(other, () => isOver);
  for (let n = 0; n < events + WARM_UP; n += 1) {
    sentAt.push(performance.now());
    const body = CONFIG_MAP.body(`fan-${n}`, OBJECT_BYTES);
    const { status } = await writer.request('POST', CONFIG_MAP.collection, { body });
    if (status !== 201) throw new Error(`fan-${n} was answered with ${status}`);
    await setTimeout(Math.max(0, (sentAt[0] ?? 0) + (n + 1) * PACE_MS - performance.now()));
  }
  await all;
  const cpu = (await cpuOf(server)) - cpuBefore;
  const others = await waits;
  for (const one of [writer, other, audience]) one.close();
  const perEvent = Number.isNaN(cpu) ? '' : shown((cpu / (watchers * (events + WARM_UP))) * 1000);
  return [server.title, ...percentiles(lags), ...percentiles(others), perEvent];
}

async function writeOthers(connection: Connection, isOver: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  for (let n = 0; !isOver(); n += 1) {
    const started = performance.now();
    const { status } = await connection.request('POST', OTHERS, { body: CONFIG_MAP.body(`other-${process.pid}-${n}`, OBJECT_BYTES) });
    if (status !== 201) throw new Error(`other-${n} was answered with ${status}`);
    waits.push(performance.now() - started);
  }
  return waits;
}

function cpuOf(server: BenchServer): Promise<number> | number {
  return server instanceof HostedServer ? server.ask('cpu') : Number.NaN;
}

function percentiles(values: number[]): [string, string] {
  const sorted = values.sort((a, b) => a - b);
  const at = (share: number): string => shown(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
  return [at(0.5), at(0.99)];
}
