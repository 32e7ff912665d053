import { shown, table } from '../statistics.js';
import { Connection } from './connection.js';
import { applyLoad } from './load.js';
import { CONFIG_MAP, DEPLOYMENT, type Subject, WIDGET } from './objects.js';
import { HostedServer } from './servers.js';
import { prepare } from './throughput.js';

const BYTES = 1000;
const CONNECTIONS = 16;
const LISTS = 5;
const KIB = 1024;

/** Many objects in one server: what each costs, and what lists of them take. */
export async function benchCapacity(module: string, counts: readonly number[]): Promise<string> {
  const rows: string[][] = [];
  for (const subject of [CONFIG_MAP, DEPLOYMENT, WIDGET]) {
    const server = await HostedServer.start(module, 'http');
    await prepare(server);
    try {
      rows.push(...(await fill(server, subject, counts)));
    } finally {
      await server.close();
    }
  }
  const head = [
    'objects of 1 KB',
    'create 1/s',
    'heap per object, KiB',
    'RSS MiB',
    'list ms',
    'list MiB',
    'pages of 500 ms',
    'event loop blocked ms',
  ];
  return table(head, rows);
}

async function fill(server: HostedServer, subject: Subject, counts: readonly number[]): Promise<string[][]> {
  const rows: string[][] = [];
  const empty = await server.ask('memory');
  let made = 0;
  for (const count of counts) {
    const from = made;
    const load = await applyLoad(server, {
      connections: CONNECTIONS,
      count: count - made,
      requestOf: (n) => ({ method: 'POST', path: subject.collection, body: subject.body(`n-${from + n}`, BYTES) }),
    });
    made = count;
    const memory = await server.ask('memory');
    await server.ask('delay');
    const list = await listing(server, subject, count);
    const { max } = await server.ask('delay');
    rows.push([
      `${count.toLocaleString('en')} × ${subject.title}`,
      Math.round(load.perSecond).toLocaleString('en'),
      shown((memory.heapUsed - empty.heapUsed) / count / KIB),
      shown(memory.rss / KIB / KIB),
      shown(list.wholeMs),
      shown(list.bytes / KIB / KIB),
      shown(list.pagedMs),
      shown(max),
    ]);
  }
  return rows;
}

/** The shortest of some, whole and in pages. */
async function listing(
  server: HostedServer,
  { collection }: Subject,
  count: number,
): Promise<{ readonly wholeMs: number; readonly pagedMs: number; readonly bytes: number }> {
  const connection = await Connection.open(server);
  const best = { wholeMs: Number.POSITIVE_INFINITY, pagedMs: Number.POSITIVE_INFINITY, bytes: 0 };
  for (let round = 0; round < LISTS; round += 1) {
    const started = performance.now();
    const { body } = await connection.request('GET', collection);
    best.wholeMs = Math.min(best.wholeMs, performance.now() - started);
    best.bytes = body.length;
    const paging = performance.now();
    const seen = await pages(connection, collection);
    best.pagedMs = Math.min(best.pagedMs, performance.now() - paging);
    if (seen < Math.ceil(count / 500)) throw new Error(`${seen} pages of ${count} objects`);
  }
  connection.close();
  return best;
}

async function pages(connection: Connection, collection: string): Promise<number> {
  let token = '';
  for (let seen = 1; ; seen += 1) {
    const { body } = await connection.request('GET', `${collection}?limit=500&continue=${token}`);
    // At the head of a list, or (of custom resources) at its end: nothing else has to be parsed.
    const ends = `${body.toString('latin1', 0, 500)}${body.toString('latin1', Math.max(500, body.length - 500))}`;
    token = /"continue":"([^"]*)"/.exec(ends)?.[1] ?? '';
    if (token === '') return seen;
  }
}
