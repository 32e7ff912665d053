import fc from 'fast-check';
import { defaulting, defineOperator, validating } from 'keelson';
import { eventually } from '../../eventually.js';
import { Cache, cacheObject } from './kinds.js';
import { review, Served, stopAll } from './served.js';

afterEach(stopAll);

const PATHS = ['/defaulting/cache.example.com/v1/caches', '/validating/cache.example.com/v1/caches', '/convert'];
const REVIEWS = [
  review({ object: cacheObject('v1beta1', { replicas: 1 }) }),
  review({ operation: 'UPDATE', object: cacheObject('v1', { size: 1 }), oldObject: cacheObject('v1alpha1', { count: 1 }) }),
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    request: {
      uid: 'c',
      desiredAPIVersion: 'cache.example.com/v1',
      objects: [cacheObject('v1beta1', { replicas: 1 }), cacheObject('v1', {})],
    },
  },
];
const ODD = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1e308,
    [],
    {},
    '__proto__',
    'v1',
    'cache.example.com/v9',
    JSON.parse('{"__proto__":{"a":1},"constructor":null}'),
  ),
);

/** Puts a value at a random place of a document, or takes away what is there. */
function damaged(document: unknown, [steps, value, isRemoved]: readonly [readonly number[], unknown, boolean]): unknown {
  const copy = structuredClone(document);
  let at = copy as Record<string, unknown>;
  for (const [index, step] of steps.entries()) {
    const keys = Object.keys(at);
    const key = keys[step % Math.max(keys.length, 1)];
    if (key === undefined) break;
    const below = at[key];
    if (index < steps.length - 1 && typeof below === 'object' && below !== null) at = below as Record<string, unknown>;
    else {
      if (isRemoved) delete at[key];
      else at[key] = value;
      break;
    }
  }
  return copy;
}

async function start(): Promise<Served> {
  const webhooks = [
    defaulting(Cache, (cache) => {
      cache.metadata.labels = { a: 'b' };
    }),
    validating(Cache, () => [{ path: 'spec.size', message: 'no' }]),
  ];
  return Served.of(defineOperator({ name: 'test', controllers: [], webhooks }));
}

test('damaged reviews are answered, each with one of the answers that there are, and the server goes on', async () => {
  const served = await start();
  const place = fc.tuple(fc.array(fc.nat(7), { minLength: 1, maxLength: 6 }), ODD, fc.boolean());
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PATHS),
      fc.constantFrom(...REVIEWS),
      fc.array(place, { minLength: 1, maxLength: 3 }),
      async (path, document, places) => {
        const answer = await served.post(path, places.reduce<unknown>(damaged, document));
        expect([200, 400, 500]).toContain(answer.status);
        if (answer.status === 200) expect(answer.json).toHaveProperty('response.uid');
      },
    ),
    { numRuns: 1_500 },
  );
  await eventually(() => served.clock.pending === 0);
  for (const path of PATHS.slice(0, 2)) expect((await served.post(path, REVIEWS[0])).status).toBe(200);
});

test('bodies of any bytes are refused, and never take the server down', async () => {
  const served = await start();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PATHS), fc.oneof(fc.string({ unit: 'binary' }), fc.json()), async (path, body) => {
      expect((await served.post(path, body)).status).toBe(400);
    }),
    { numRuns: 500 },
  );
  expect(served.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
