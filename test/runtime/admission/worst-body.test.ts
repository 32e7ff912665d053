import { jsonCost } from '../../../src/runtime/admission/json-cost.js';
import { ReviewMemory } from '../../../src/runtime/admission/review-memory.js';
import { commitSeed } from '../../seed/commit-seed.js';
import { FORMS, listOf } from './bodies.js';
import { admission, heap, LIMIT, MEBIBYTE, WebhookProcess } from './webhook-process.js';

const MOST_BYTES = 6.99 * MEBIBYTE;
const LARGEST = new ReviewMemory({ heap: { statistics: () => ({ limit: 179 * MEBIBYTE, used: 0 }), collect: () => false } }).largest;
const SEED = commitSeed('KEELSON_BODIES');
const SEARCH_MS = Number(process.env['KEELSON_BODIES_MS'] ?? 10_000);
/** Smaller reviews than the largest come in such numbers that they are as much together. */
const MOST_AT_ONCE = 16;
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

/** All sorts of reviews with these items at once, each so many times, and a small one beside them. @returns the process's peak so far, in MiB */
async function peakAfter(piece: (index: number) => string, size: number, times = 1): Promise<number> {
  const items = listOf(piece, size - 400);
  const small = heap(listOf(piece, 2_000), 'a', 'v1beta1');
  const reviews = [
    [PATHS.validating, admission(heap(items, 'refused'))],
    [PATHS.mutating, admission(heap(items))],
    [PATHS.conversion, conversion([heap(items, 'a', 'v1beta1')])],
    [
      PATHS.conversion,
      conversion(Array.from({ length: Math.max(1, Math.floor((size - 400) / (Buffer.byteLength(small) + 1))) }, () => small)),
    ],
  ] as const;
  const answers = Promise.all(Array.from({ length: times }, () => reviews.map(([path, body]) => server.post(path, body))).flat());
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
    const worst = worstSize(piece);
    // Around the largest that is read, or any size below, in each order of magnitude alike.
    const size = random() < 0.5 ? worst * (0.7 + random() * 0.4) : worst * (10_000 / worst) ** random();
    const times = Math.min(MOST_AT_ONCE, Math.max(1, Math.floor(worst / size)));
    expect(await peakAfter(piece, Math.min(MOST_BYTES, size), times)).toBeLessThan(LIMIT / MEBIBYTE);
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
