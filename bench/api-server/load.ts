import { Connection, type Endpoint, type Wire } from './connection.js';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

export interface LoadFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Load {
  readonly connections: number;
  readonly count: number;
  /** The request with this number. `versionOf`: the resource version that a get of a path has brought. */
  readonly requestOf: (n: number, versionOf: (path: string) => string) => Request;
}

/** Resource versions by path, of one server: updates of custom resources must tell them. */
export type KnownVersions = Map<string, string>;

/** Sends `count` requests over some connections, each of which always has one under way. @throws Error for any answer but a 2xx */
export async function applyLoad(
  endpoint: Endpoint,
  { connections, count, requestOf }: Load,
  versions: KnownVersions = new Map(),
): Promise<LoadFigures> {
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(endpoint)));
  try {
    return await sendOver(opened, { count, requestOf }, versions);
  } finally {
    for (const connection of opened) connection.close();
  }
}

/** The same over connections that are open. A connection that stands there several times has as many requests under way. */
export async function sendOver(
  opened: readonly Wire[],
  { count, requestOf }: Omit<Load, 'connections'>,
  versions: KnownVersions = new Map(),
): Promise<LoadFigures> {
  const latencies: number[] = [];
  let next = 0;
  const work = async (connection: Wire): Promise<void> => {
    while (next < count) {
      const { method, path, ...content } = requestOf(next, (known) => versions.get(known) ?? '');
      next += 1;
      const started = performance.now();
      const { status, body } = await connection.request(method, path, content);
      latencies.push(performance.now() - started);
      if (method === 'GET') versions.set(path, versionIn(body));
      if (status < 200 || status > 299) throw new Error(`${method} ${path} was answered with ${status}: ${body.toString('utf8', 0, 500)}`);
    }
  };
  const started = performance.now();
  await Promise.all(opened.map(work));
  const seconds = (performance.now() - started) / 1000;
  const sorted = latencies.sort((a, b) => a - b);
  const percentile = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { perSecond: count / seconds, p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}

const VERSION = '"resourceVersion":"';

function versionIn(body: Buffer): string {
  const at = body.indexOf(VERSION);
  return at < 0 ? '' : body.toString('latin1', at + VERSION.length, body.indexOf('"', at + VERSION.length));
}
