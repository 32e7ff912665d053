import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { heapMegabytes, nodeOptions } from '../../../src/constructs/deployment/memory-limit.js';
import { jsonCost } from '../../../src/runtime/admission/json-cost.js';
import { ReviewMemory } from '../../../src/runtime/admission/review-memory.js';
import { FORMS, listOf } from './bodies.js';

jest.setTimeout(240_000);

const MEBIBYTE = 1024 * 1024;
/** The default limit of the Deployment's container. */
const LIMIT = 256 * MEBIBYTE;
const MOST_BYTES = 6.99 * MEBIBYTE;
const HEAP_OPTIONS = nodeOptions(heapMegabytes(undefined as never, '256Mi') as number).split(' ');
const LARGEST = new ReviewMemory({ heap: { statistics: () => ({ limit: 179 * MEBIBYTE, used: 0 }), collect: () => false } }).largest;
const SEED = Number(process.env['KEELSON_BODIES'] ?? 4711);
const SEARCH_MS = Number(process.env['KEELSON_BODIES_MS'] ?? 10_000);
const PATHS = {
  validating: '/validating/heap.example.com/v1/heaps',
  mutating: '/defaulting/heap.example.com/v1/heaps',
  conversion: '/convert',
};

/** The operator's process, with the heap that the Deployment gives it. */
class WebhookProcess {
  readonly #child: ChildProcess;
  readonly #agent = new Agent({ keepAlive: true });
  #ca = '';
  #port = 0;
  text = '';

  constructor(bundle: string) {
    this.#child = spawn(process.execPath, [...HEAP_OPTIONS, bundle], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
  }

  async ready(): Promise<void> {
    const said = (await Promise.race([once(this.#child, 'message'), once(this.#child, 'exit')])) as [{ port: number; ca: string } | number];
    if (typeof said[0] !== 'object') throw new Error(`the process ended before it served:\n${this.text}`);
    const [{ port, ca }] = said;
    [this.#port, this.#ca] = [port, ca];
  }

  async memory(): Promise<{ readonly peakBytes: number; readonly heapBytes: number }> {
    const answered = once(this.#child, 'message');
    this.#child.send('memory');
    const [memory] = (await answered) as [{ peakBytes: number; heapBytes: number }];
    return memory;
  }

  post(path: string, body: string): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const where = { host: '127.0.0.1', port: this.#port, ca: this.#ca, servername: 'heap.test.svc', agent: this.#agent };
      const call = request({ ...where, path: `${path}?timeout=30s`, method: 'POST', headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      call.on('error', (error) =>
        reject(new Error(`${error.message}; exit code ${this.#child.exitCode}, ${this.#child.signalCode}\n${this.text}`)),
      );
      call.end(body);
    });
  }

  async end(): Promise<void> {
    this.#agent.destroy();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'close');
  }
}

const heap = (items: string, name = 'a', version = 'v1'): string =>
  `{"apiVersion":"heap.example.com/${version}","kind":"Heap","metadata":{"name":"${name}"},"spec":{"items":${items}}}`;
const admission = (object: string): string =>
  `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","operation":"CREATE","object":${object}}}`;
const conversion = (objects: readonly string[]): string =>
  `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"1","desiredAPIVersion":"heap.example.com/v1","objects":[${objects.join(',')}]}}`;

let server: WebhookProcess;
let directory: string;
beforeAll(async () => {
  // As an image has it: what compiles the sources would count as memory of the operator.
  directory = mkdtempSync(join(process.cwd(), 'node_modules', '.worst-body-'));
  const input = join(__dirname, 'fixtures', 'webhook-process.ts');
  execFileSync(process.execPath, [
    join('node_modules', 'rolldown', 'bin', 'cli.mjs'),
    input,
    '--format',
    'esm',
    '--platform',
    'node',
    '--dir',
    directory,
  ]);
  server = new WebhookProcess(join(directory, 'webhook-process.js'));
  await server.ready();
});
afterAll(async () => {
  await server.end();
  rmSync(directory, { recursive: true });
});

async function answersOthers(): Promise<void> {
  const startedMs = performance.now();
  const { status, text } = await server.post(PATHS.validating, admission(heap('[]')));
  expect([status, text]).toEqual([200, expect.stringContaining('"allowed":true')]);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
}

/** All sorts of reviews with these items at once, and a small one beside them. @returns the process's peak so far, in MiB */
async function peakAfter(piece: (index: number) => string, size: number): Promise<number> {
  const items = listOf(piece, size - 400);
  const small = heap(listOf(piece, 2_000), 'a', 'v1beta1');
  const answers = Promise.all([
    server.post(PATHS.validating, admission(heap(items, 'refused'))),
    server.post(PATHS.mutating, admission(heap(items))),
    server.post(PATHS.conversion, conversion([heap(items, 'a', 'v1beta1')])),
    server.post(
      PATHS.conversion,
      conversion(Array.from({ length: Math.floor((size - 400) / (Buffer.byteLength(small) + 1)) }, () => small)),
    ),
  ]);
  await answersOthers();
  for (const { status } of await answers) expect([200, 413, 503]).toContain(status);
  return Math.round((await server.memory()).peakBytes / MEBIBYTE);
}

/** The largest list of these pieces that is still read: what is worse is refused before it is parsed. */
function worstSize(piece: (index: number) => string): number {
  const sample = jsonCost(Buffer.from(listOf(piece, 200_000)), Number.POSITIVE_INFINITY).bytes / 200_000;
  return Math.min(MOST_BYTES, Math.floor((0.9 * LARGEST) / sample));
}

test.each(Object.entries(FORMS))('no review of %s ends the process, or keeps others out', async (_, piece) => {
  for (const size of new Set([worstSize(piece), MOST_BYTES])) expect(await peakAfter(piece, size)).toBeLessThan(LIMIT / MEBIBYTE);
});

test(`no mixture of them does (seed ${SEED}, for ${SEARCH_MS / 1000} s)`, async () => {
  const random = seeded(SEED);
  const forms = Object.values(FORMS);
  for (const endMs = performance.now() + SEARCH_MS; performance.now() < endMs; ) {
    const chosen = Array.from(
      { length: 1 + Math.floor(random() * 4) },
      () => forms[Math.floor(random() * forms.length)] as (typeof forms)[0],
    );
    const piece = (index: number): string => (chosen[index % chosen.length] as (typeof forms)[0])(index);
    expect(await peakAfter(piece, Math.min(MOST_BYTES, worstSize(piece) * (0.7 + random() * 0.4)))).toBeLessThan(LIMIT / MEBIBYTE);
  }
});

/** Numbers in [0, 1) that a seed decides. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
