import { seriesOf, shown, table } from '../statistics.js';
import { Connection, type Wire } from './connection.js';
import { Http2Connection } from './http2-connection.js';
import { type Request, sendOver } from './load.js';
import { CONFIG_MAP } from './objects.js';
import type { HostedServer } from './servers.js';
import { Audience } from './watchers.js';

export interface VersionsSize {
  /** Rounds of either version, in turn: the cheapest one counts. */
  readonly rounds: number;
  readonly requests: number;
  readonly lists: number;
  readonly watchers: number;
  /** Events that every watch gets. */
  readonly events: number;
}

/** Requests at once: over HTTP/1.1 each has a connection, over HTTP/2 they share one. */
const AT_ONCE = 16;
const VERSIONS = ['HTTP/1.1', 'HTTP/2'] as const;
type Version = (typeof VERSIONS)[number];

interface Measured {
  /** Of the server. The client is Node's for HTTP/2 and one of our own for HTTP/1.1, so the time until an answer compares clients. */
  readonly cpuMs: number;
  readonly wallMs: number;
}
type Case = { readonly title: string; readonly unit: number; readonly run: (version: Version, round: number) => Promise<Measured> };

/** What the same requests and watches cost one server over either version of HTTP. */
export async function benchHttpVersions(server: HostedServer, size: VersionsSize): Promise<string> {
  const rows: string[][] = [];
  for (const one of [...requestCases(server, size), ...watchCases(server, size)]) rows.push(await rowOf(one, size.rounds));
  const columns = VERSIONS.flatMap((version) => [`${version}: server CPU, µs each`, 'wall, µs each']);
  return table(['', ...columns, 'CPU: HTTP/2 ÷ HTTP/1.1'], rows);
}

async function rowOf({ title, unit, run }: Case, rounds: number): Promise<string[]> {
  const measured: Record<Version, Measured[]> = { 'HTTP/1.1': [], 'HTTP/2': [] };
  // The round before the first is for the compiler.
  for (let round = -1; round < rounds; round += 1) {
    for (const version of VERSIONS) {
      const figures = await run(version, round);
      if (round >= 0) measured[version].push(figures);
    }
  }
  const least = (version: Version, of: keyof Measured): number => (seriesOf(measured[version].map((one) => one[of])).min / unit) * 1000;
  const cells = VERSIONS.flatMap((version) => [shown(least(version, 'cpuMs')), shown(least(version, 'wallMs'))]);
  return [title, ...cells, (least('HTTP/2', 'cpuMs') / least('HTTP/1.1', 'cpuMs')).toFixed(2)];
}

function requestCases(server: HostedServer, { requests, lists }: VersionsSize): Case[] {
  const named = (n: number): string => `${CONFIG_MAP.collection}/versions-${n}`;
  const kinds: readonly (readonly [title: string, count: number, requestOf: (n: number, salt: string) => Request])[] = [
    [
      'create ConfigMap, 1 KB',
      requests,
      (n, salt) => ({ method: 'POST', path: CONFIG_MAP.collection, body: CONFIG_MAP.body(`versions-${salt}${n}`, 1000) }),
    ],
    ['get ConfigMap, 1 KB', requests, (n) => ({ method: 'GET', path: named(n) })],
    ['list of 500 ConfigMaps', lists, () => ({ method: 'GET', path: `${CONFIG_MAP.collection}?limit=500` })],
  ];
  return kinds.map(([title, count, requestOf]) => ({
    title: `${title}, ${AT_ONCE} at once`,
    unit: count,
    run: async (version, round) => {
      // Names of the first round are those that are read afterwards.
      const salt = version === 'HTTP/1.1' && round === 0 ? '' : `${version === 'HTTP/2' ? 'b' : 'a'}${round + 1}-`;
      const wires = await wiresOf(server, version);
      const figures = await measure(server, () => sendOver(wires, { count, requestOf: (n) => requestOf(n, salt) }));
      for (const wire of new Set(wires)) wire.close();
      return figures;
    },
  }));
}

async function wiresOf(server: HostedServer, version: Version): Promise<readonly Wire[]> {
  if (version === 'HTTP/1.1') return Promise.all(Array.from({ length: AT_ONCE }, () => Connection.open(server)));
  const shared = await Http2Connection.open(server);
  return Array.from({ length: AT_ONCE }, () => shared);
}

function watchCases(server: HostedServer, { watchers, events }: VersionsSize): Case[] {
  const opened = `open ${watchers.toLocaleString('en')} watches`;
  const told = `${events} events to ${watchers.toLocaleString('en')} watches`;
  return [
    {
      title: opened,
      unit: watchers,
      run: async (version) => {
        const audience = new Audience();
        const figures = await measure(server, () => audience.open(server, watchers, version === 'HTTP/2'));
        await close(audience, server);
        return figures;
      },
    },
    {
      title: told,
      unit: watchers * events,
      run: async (version, round) => {
        const audience = new Audience();
        await audience.open(server, watchers, version === 'HTTP/2');
        const writer = await Connection.open(server);
        const figures = await measure(server, async () => {
          const all = audience.expect(watchers * events);
          for (let n = 0; n < events; n += 1) {
            const body = CONFIG_MAP.body(`told-${version === 'HTTP/2' ? 'b' : 'a'}${round + 1}-${n}`, 500);
            const { status } = await writer.request('POST', CONFIG_MAP.collection, { body });
            if (status !== 201) throw new Error(`an event's object was answered with ${status}`);
          }
          await all;
        });
        writer.close();
        await close(audience, server);
        return figures;
      },
    },
  ];
}

/** The server notices that its clients have gone before something else is measured. */
async function close(audience: Audience, server: HostedServer): Promise<void> {
  audience.close();
  await server.ask('memory');
}

async function measure(server: HostedServer, work: () => Promise<unknown>): Promise<Measured> {
  const [cpu, start] = [await server.ask('cpu'), performance.now()];
  await work();
  const wallMs = performance.now() - start;
  return { cpuMs: (await server.ask('cpu')) - cpu, wallMs };
}
