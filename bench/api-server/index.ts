import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { benchCapacity } from './capacity.js';
import { benchFanOut } from './fan-out.js';
import { benchHttpVersions } from './http-versions.js';
import { type BenchServer, HostedServer, startRealServer } from './servers.js';
import { benchStart } from './start.js';
import { benchThroughput } from './throughput.js';
import { benchWatchers } from './watchers.js';

const START_ROUNDS = 9;
const REQUESTS = { count: 2000, lists: 100 };
const WATCHERS = { watchers: 1000, single: 50, burst: 200 };
const FAN_OUT = { watchers: 2000, events: 50 };
const VERSIONS = { rounds: 5, requests: 2000, lists: 60, watchers: 2000, events: 25 };
const OBJECTS = [10_000, 50_000];

/** The in-process API server, in processes of its own, beside a real one where its binaries are built. */
export async function* benchApiServer(): AsyncGenerator<string> {
  const module = testingDoor();
  yield `#### Start\n\n${await benchStart(module, START_ROUNDS)}`;
  const servers: BenchServer[] = [await HostedServer.start(module, 'http'), await HostedServer.start(module, 'https')];
  const real = await startRealServer();
  if (typeof real === 'string') yield `Without kube-apiserver: ${real}.`;
  else servers.push(real);
  try {
    yield `#### Requests\n\n${await benchThroughput(servers, REQUESTS)}`;
    yield `#### ${WATCHERS.watchers.toLocaleString('en')} watches\n\n${await benchWatchers(servers, WATCHERS)}`;
    yield `#### ${FAN_OUT.events} events to ${FAN_OUT.watchers.toLocaleString('en')} watches\n\n${await benchFanOut(servers, FAN_OUT)}`;
  } finally {
    for (const server of servers) await server.close();
  }
  yield `#### Many objects\n\n${await benchCapacity(module, OBJECTS)}`;
}

/** HTTP/2 beside HTTP/1.1, on one server: the ratio does not depend on the machine. */
export async function* benchHttp(isQuick: boolean): AsyncGenerator<string> {
  const server = await HostedServer.start(testingDoor(), 'https');
  try {
    yield await benchHttpVersions(server, isQuick ? { rounds: 2, requests: 500, lists: 10, watchers: 300, events: 10 } : VERSIONS);
  } finally {
    await server.close();
  }
}

/** What users import. */
function testingDoor(): string {
  const path = join(process.cwd(), 'lib/testing/esm/index.js');
  if (!existsSync(path)) throw new Error('@keelson/testing is not built: run npm run build');
  return path;
}
