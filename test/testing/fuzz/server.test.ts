import { ApiServer, type ServerProblem } from '../../../src/testing/api-server/index.js';
import { FakeClock } from '../../../src/testing/clock/index.js';
import { parseYaml } from '../../../src/testing/codec/index.js';
import { GoTypes } from '../../../src/testing/go-types/index.js';
import { StatusError } from '../../../src/testing/status/index.js';
import { inputsOf, MemoryCheck, randomOf, SEED, shownInput } from './campaign.js';
import { FuzzRequests } from './fuzz-request.js';
import { rawInput } from './raw-bytes.js';
import { type RawAnswer, RawClient, type RawRequest, sendBytes } from './raw-client.js';
import { SAMPLES, WIDGET_DEFINITION } from './samples.js';
import { StoreChecks } from './store-checks.js';

/** Requests that are under way at the same time. */
const LANES = 4;
const BATCH = 1000;
const TIME_LIMIT_MS = 3_600_000;

let server: ApiServer;
let clock: FakeClock;
let problems: ServerProblem[];
let checks: StoreChecks;
let token: string;
let port: number;
let client: RawClient;

beforeEach(async () => {
  problems = [];
  clock = new FakeClock();
  server = await ApiServer.start({
    protocol: 'http',
    // What holds old revisions is bounded: all growth beyond that is a leak.
    maxEvents: 2000,
    maxBytes: 8 * 1024 * 1024,
    clock,
    onProblem: (problem) => problems.push(problem),
  });
  token = server.tokenFor();
  port = Number(new URL(server.url).port);
  client = new RawClient(port, token);
  checks = new StoreChecks(server.core.store, server.core.catalog);
  checks.check();
  await prepare();
});

afterEach(async () => {
  client.close();
  await server.close();
});

async function ask(method: string, path: string, body: unknown = ''): Promise<RawAnswer> {
  const bytes = Buffer.from(body === '' ? '' : JSON.stringify(body));
  const answer = await client.send({ method, path, headers: { 'Content-Type': 'application/json' }, body: bytes }, false);
  if (answer === 'closed') throw new Error(`${method} ${path}: the connection was cut`);
  return answer;
}

async function prepare(): Promise<void> {
  await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fuzz' } });
  await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', WIDGET_DEFINITION);
}

/** Takes away what a batch has left, so that the next finds room, and what hinders writes (policies, webhooks that nobody answers). */
async function clear(): Promise<void> {
  const KEPT = new Set(['namespaces', 'nodes', 'priorityclasses', 'clusterroles', 'clusterrolebindings']);
  const all = SAMPLES.filter(({ plural, group }) => !KEPT.has(plural) && !group.startsWith('auth'));
  const first = all.filter(({ group }) => group === 'admissionregistration.k8s.io');
  for (const { group, version, plural, isNamespaced } of [...first, ...all]) {
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    for (const namespace of isNamespaced ? ['/namespaces/default', '/namespaces/fuzz'] : [''])
      await ask('DELETE', `${root}${namespace}/${plural}?gracePeriodSeconds=0`);
  }
  await prepare();
}

/** Every list of every version: what is stored can be shown, as it is and as a table. */
async function listAll(): Promise<void> {
  for (const { group, plural, versions } of server.core.catalog.resources) {
    for (const { version, verbs } of versions) {
      if (!verbs.includes('list')) continue;
      const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}/${plural}`;
      for (const accept of ['application/json', 'application/json;as=Table;v=v1;g=meta.k8s.io']) {
        const answer = await client.send({ method: 'GET', path, headers: { Accept: accept }, body: Buffer.alloc(0) }, false);
        // What the server does not have says so.
        if (answer !== 'closed' && answer.status === 501) continue;
        if (answer === 'closed' || answer.status !== 200) throw new Error(`${path} as ${accept} is answered with ${shownInput(answer)}`);
        JSON.parse(answer.body);
      }
    }
  }
}

/** Where a real API server answers 500 too. What is no answer but a bug of this server is told to `onProblem`, and never passes. */
const DOCUMENTED_500 = [
  // A path that ends before it names a resource.
  /failed to create RequestInfo/,
  // A resource version that it looks at too late.
  /strconv\.ParseUint: parsing /,
  // A custom object that one version takes and another cannot read.
  /must be a string|cannot unmarshal .* into Go value of type v1\.ObjectMeta/,
  // A single custom object, asked for as a list.
  /content is not a list/,
  // A webhook that nobody answers.
  /failed calling webhook/,
];

/**
 * Strategic merge, apply, and the options of deletions have many problems that the real server has no class for: it answers them with 500 and no reason, which a
 * failure of its own always has.
 */
const REASONLESS: ReadonlySet<string> = new Set(['PATCH', 'DELETE']);

function isDocumented(method: string, body: string): boolean {
  const hasReason = /^\s*"?reason"?:|,"reason":/m.test(body);
  return (REASONLESS.has(method) && !hasReason) || DOCUMENTED_500.some((text) => text.test(body));
}

/** A Status, or one of the plain texts that the real server has too. @throws Error for what no client could make sense of */
function checkAnswer({ method }: RawRequest, { status, headers, body }: RawAnswer): void {
  if (!(status >= 200 && status < 600)) throw new Error(`the status is ${status}`);
  if (status === 500 && !isDocumented(method, body)) throw new Error(`500: ${body}`);
  if (method === 'HEAD' || body === '' || headers['content-encoding'] !== undefined) return;
  const type = headers['content-type'] ?? '';
  const value: unknown = type.startsWith('application/json')
    ? JSON.parse(body)
    : type.startsWith('application/yaml')
      ? parseYaml(Buffer.from(body)).value
      : undefined;
  if (value === undefined && !type.startsWith('text/plain') && status !== 200) throw new Error(`an error of type ${type}`);
  if (status < 400 || value === undefined) return;
  const { kind, code, status: said } = value as { kind?: unknown; code?: unknown; status?: unknown };
  if (kind !== 'Status' || code !== status || said !== 'Failure') throw new Error(`${status} without its Status: ${body.slice(0, 500)}`);
}

/** A controller may be refused (its role has been deleted); all else is a bug. */
function checkProblems(): void {
  const bug = problems.splice(0).find(({ error }) => !StatusError.isStatusError(error));
  if (bug !== undefined) throw new Error('the server has found a bug in itself', { cause: bug });
}

const isStream = ({ path }: RawRequest): boolean => path.includes('watch') || path.includes('follow');

async function expectAnswer(request: RawRequest, lane: RawClient): Promise<number> {
  // A HEAD's answer has a length and no body: the client could not tell where it ends.
  const sent = request.method === 'HEAD' ? { ...request, method: 'GET' } : request;
  const answer = await lane.send(sent, isStream(sent));
  if (answer === 'closed') throw new Error('the connection was cut');
  checkAnswer(sent, answer);
  checkProblems();
  return answer.status;
}

test(
  'whatever is asked is answered with an object or a Status, and the store stays whole',
  async () => {
    const requests = new FuzzRequests(new GoTypes());
    const count = inputsOf('requests');
    const tally = new Map<number, number>();
    const memory = new MemoryCheck();
    let index = 0;
    const lane = async (): Promise<void> => {
      const own = new RawClient(port, token);
      for (const end = Math.min(count, (Math.floor(index / BATCH) + 1) * BATCH); index < end; ) {
        const at = index;
        index += 1;
        const request = requests.next(randomOf('requests', at));
        try {
          const status = await expectAnswer(request, own);
          tally.set(status, (tally.get(status) ?? 0) + 1);
        } catch (error) {
          throw new Error(
            `requests, input ${at} of seed ${SEED}: ${shownInput({ error, request: { ...request, body: request.body.toString() } })}`,
          );
        }
      }
      own.close();
    };
    while (index < count) {
      await Promise.all(Array.from({ length: LANES }, lane));
      checks.check();
      await listAll();
      await clear();
      clock.advance('1h');
      checks.check();
      if (index >= count / 4) memory.begin();
    }
    memory.end('requests');
    if (process.env['KEELSON_FUZZ_TALLY']) console.log(tally);
    expect([...tally.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 404, 405, 409, 415, 422]));
  },
  TIME_LIMIT_MS,
);

test(
  'whatever bytes come, the connection ends, and others are answered',
  async () => {
    const count = inputsOf('raw bytes');
    const memory = new MemoryCheck();
    for (let index = 0; index < count; index += 1) {
      const input = rawInput(randomOf('raw bytes', index), token);
      const where = (): string =>
        `raw bytes, input ${index} of seed ${SEED}: ${shownInput(input.pieces.map((piece) => piece.toString('latin1')))}`;
      const said = await sendBytes(port, input).catch((error: unknown) => {
        throw new Error(where(), { cause: error });
      });
      if (said !== '' && !/^HTTP\/1\.1 [1-5]\d\d /.test(said)) throw new Error(`${where()} is answered with ${said}`);
      checkProblems();
      if (index % 100 === 0) {
        expect((await ask('GET', '/api/v1/namespaces/default')).status).toBe(200);
        checks.check();
      }
      if (index >= count / 4) memory.begin();
    }
    memory.end('raw bytes');
    await listAll();
  },
  TIME_LIMIT_MS,
);
