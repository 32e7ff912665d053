import { jsonCost } from '../../../src/runtime/admission/json-cost.js';
import { ReviewMemory } from '../../../src/runtime/admission/review-memory.js';
import { FORMS, listOf } from './bodies.js';
import { admission, heap, LIMIT, MEBIBYTE, WebhookProcess } from './webhook-process.js';

jest.setTimeout(240_000);

const MOST_BYTES = 6.99 * MEBIBYTE;
const LARGEST = new ReviewMemory({ heap: { statistics: () => ({ limit: 179 * MEBIBYTE, used: 0 }), collect: () => false } }).largest;
const SEED = Number(process.env['KEELSON_BODIES'] ?? 4711);
const SEARCH_MS = Number(process.env['KEELSON_BODIES_MS'] ?? 10_000);
const PATHS = {
  validating: '/validating/heap.example.com/v1/heaps',
  mutating: '/defaulting/heap.example.com/v1/heaps',
  conversion: '/convert',
};

const conversion = (objects: readonly string[]): string =>
  `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"1","desiredAPIVersion":"heap.example.com/v1","objects":[${objects.join(',')}]}}`;

let server: WebhookProcess;
beforeAll(async () => {
  server = await WebhookProcess.start();
});
afterAll(() => server.end());

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
  await server.answersOthers();
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
