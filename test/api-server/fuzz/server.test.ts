import { FakeClock } from '../../../src/api-server/clock/index.js';
import { ApiServer, type ServerProblem } from '../../../src/api-server/server/index.js';
import { StatusError } from '../../../src/api-server/status/index.js';
import { parseYaml } from '../../../src/api-server/values/codec/index.js';
import { GoTypes } from '../../../src/api-server/values/go-types/index.js';
import { inputsOf, MemoryCheck, randomOf, SEED, shownInput } from './campaign.js';
import { FuzzRequests } from './fuzz-request.js';
import { rawInput } from './raw-bytes.js';
import { type RawAnswer, RawClient, type RawRequest, sendBytes } from './raw-client.js';
import { SAMPLES, WIDGET_DEFINITION } from './samples.js';
import { StoreChecks } from './store-checks.js';

/** Requests that are under way at the same time. */
const LANES = 4;
const BATCH = 1000;

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

/** Where a real API server answers 500 too. What is not an answer but a bug of this server is told to `onProblem`, and never passes. */
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

/** What the real server has no class for, and answers with 500 and no reason, by the methods that it is told to: whole messages, in its words. */
const WITHOUT_A_REASON: Readonly<Record<string, readonly RegExp[]>> = {
  PATCH: [
    // Apply. Source: apimachinery `pkg/util/managedfields/internal/structuredmerge.go`.
    /^failed to create typed (?:patch|live) object \([^\n]*?; \S*, Kind=\S+\): \S/,
    /^failed to convert new object: \S/,
    /^failed to (?:convert|create) \S+ object \([^\n]*; \S*, Kind=\S+\) to proper version: \S/,
    /^failed to create manager for existing fields: failed to convert live object \(/,
    /^failed to prune fields: \S/,
    // Strategic merge. Source: apimachinery `pkg/util/strategicpatch/{patch,meta}.go`.
    /^expected a \S.*, but received a \S.*$/,
    /^map: map\[.*\] does not contain declared merge key: \S+$/s,
    /^unknown patch type: .+ in map: map\[.*\]$/s,
    /^unable to find api field in struct \S+ for the json field "/,
    /^unable to resolve \S+ in OpenAPI V3$/,
    /^unexpected patch strategy: \[.+\]$/,
    /^cannot merge lists without merge key for \S+$/,
    /^merging an object in json but data type is not struct, instead is: \S+$/,
    /^merging lists cannot yet be specified in the patch$/,
    /^list element types are not identical: \[.*\]$/s,
    /^no elements in any of the given slices$/,
    /^value for key \d+ is not a map$/,
    /^The order in patch list:\n.*\n doesn't match \$setElementOrder list:\n.*\n$/s,
    // A patch that makes the real server panic. Source: apiserver `pkg/server/filters/wrap.go`.
    /^This request caused apiserver to panic\. Look in the logs for details\.$/,
  ],
  // The options of a deletion. Source: apimachinery `pkg/runtime/serializer`, apiserver `pkg/endpoints/handlers/delete.go`.
  DELETE: [
    /^couldn't get version\/kind; json parse error: \S/,
    /^json: cannot unmarshal \S+(?: \S+)? into Go struct field \S+ of type \S+$/,
    /^no kind ".*" is registered for version ".*" in scheme "pkg\/runtime\/scheme\.go:110"$/s,
    /^error converting YAML to JSON: yaml: \S/,
    /^(?:proto: \S|unexpected EOF$)/,
  ],
};

function isDocumented(request: RawRequest, body: string, value: unknown): boolean {
  const { method } = request;
  if (DOCUMENTED_500.some((text) => text.test(body))) return true;
  const { message, reason } = (value ?? {}) as { message?: unknown; reason?: unknown };
  return reason === undefined && typeof message === 'string' && (WITHOUT_A_REASON[method] ?? []).some((text) => text.test(message));
}

/** A Status, or one of the plain texts that the real server has too. @throws Error for what no client could make sense of */
function checkAnswer(request: RawRequest, { status, headers, body }: RawAnswer): void {
  if (!(status >= 200 && status < 600)) throw new Error(`the status is ${status}`);
  if (status === 500 && (body === '' || headers['content-encoding'] !== undefined)) throw new Error('500 without a text');
  if (request.method === 'HEAD' || body === '' || headers['content-encoding'] !== undefined) return;
  const type = headers['content-type'] ?? '';
  const value: unknown = type.startsWith('application/json')
    ? JSON.parse(body)
    : type.startsWith('application/yaml')
      ? parseYaml(Buffer.from(body)).value
      : undefined;
  if (status === 500 && !isDocumented(request, body, value)) throw new Error(`500: ${body}`);
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

test('whatever is asked is answered with an object or a Status, and the store stays whole', async () => {
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
});

test('whatever bytes come, the connection ends, and others are answered', async () => {
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
});
