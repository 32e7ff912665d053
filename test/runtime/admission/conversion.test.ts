import fc from 'fast-check';
import type { CustomResourceModel } from 'keelson';
import { Cache, cacheObject, withConversion } from './kinds.js';
import { type Answer, Served, stopAll } from './served.js';

afterEach(stopAll);

interface Converted {
  readonly uid: string;
  readonly convertedObjects: readonly Record<string, unknown>[];
  readonly result: { readonly status: string; readonly message?: string };
}

const start = (resource: CustomResourceModel = Cache): Promise<Served> => Served.of({ webhooks: [], customResources: [resource] });

const ask = (served: Served, version: string, objects: readonly unknown[]): Promise<Answer> =>
  served.post('/convert?timeout=30s', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    request: { uid: 'c-1', desiredAPIVersion: version.includes('/') ? version : `cache.example.com/${version}`, objects },
  });

const convert = async (served: Served, version: string, objects: readonly unknown[]): Promise<Converted> => {
  const answer = await ask(served, version, objects);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  expect(answer.json).toMatchObject({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: { uid: 'c-1' } });
  return (answer.json as { response: Converted }).response;
};

test('a list is converted whole, in its order, from any version over the stored one', async () => {
  const served = await start();
  const objects = [
    cacheObject('v1alpha1', { count: 1 }, { name: 'a' }),
    cacheObject('v1', { size: 2, mode: 'x' }, { name: 'b' }),
    cacheObject('v1beta1', { replicas: 3, mode: 'y' }, { name: 'c' }),
  ];
  const { convertedObjects, result } = await convert(served, 'v1beta1', objects);
  expect(result).toEqual({ status: 'Success' });
  expect(convertedObjects).toEqual([
    cacheObject('v1beta1', { replicas: 1, mode: 'fast' }, { name: 'a' }),
    cacheObject('v1beta1', { replicas: 2, mode: 'x' }, { name: 'b' }),
    cacheObject('v1beta1', { replicas: 3, mode: 'y' }, { name: 'c' }),
  ]);
  expect(await convert(served, 'v1', [])).toMatchObject({ convertedObjects: [], result: { status: 'Success' } });
});

test('annotations that a conversion returns are taken, and the rest of the metadata stays', async () => {
  const served = await start();
  const metadata = {
    generation: 3,
    finalizers: ['a/b'],
    managedFields: [{ manager: 'x' }],
    labels: { l: '1' },
    annotations: { kept: 'yes' },
  };
  const { convertedObjects } = await convert(served, 'v1alpha1', [cacheObject('v1', { size: 2, mode: 'x' }, metadata)]);
  expect(convertedObjects[0]).toEqual(cacheObject('v1alpha1', { count: 2 }, { ...metadata, annotations: { kept: 'yes', mode: 'x' } }));
});

test('W7 a conversion that throws fails the review with the object named, and the log has it', async () => {
  const served = await start();
  const objects = [cacheObject('v1', { size: 1 }), cacheObject('v1', { size: 2_000 }, { name: 'big' })];
  expect(await convert(served, 'v1alpha1', objects)).toEqual({
    uid: 'c-1',
    convertedObjects: [],
    result: {
      status: 'Failure',
      message: 'conversion of Cache team/big from v1 to v1alpha1 failed: RangeError: too large for v1alpha1',
      reason: 'InternalError',
      code: 500,
    },
  });
  expect(served.told).toEqual(['started /convert', 'panicked /convert', 'finished /convert 200']);
  expect(served.log.lines.find(({ level }) => level === 'error')?.fields).toMatchObject({
    uid: 'c-1',
    object: 'Cache team/big',
    to: 'v1alpha1',
  });
});

test('W7 every object that cannot be converted is named, a long row of them in short', async () => {
  const served = await start();
  const big = (count: number) =>
    Array.from({ length: count }, (_, index) => cacheObject('v1', { size: 2_000 }, { name: `big-${index}`, uid: `uid-${index}` }));
  const { result } = await convert(served, 'v1alpha1', [...big(2), cacheObject('v1', { size: 1 })]);
  expect(result.message).toMatch(
    /^conversion of Cache team\/big-0 .* v1alpha1; conversion of Cache team\/big-1 from v1 to v1alpha1 failed/,
  );
  const many = await convert(served, 'v1alpha1', big(30));
  expect(many.result.message).toMatch(/big-4 [^;]*; and 25 more objects$/);
  const five = await convert(served, 'v1alpha1', big(5));
  expect(five.result.message).toMatch(/big-4 from v1 to v1alpha1 failed: RangeError: too large for v1alpha1$/);
});

test('W7 an object is logged once for a cause, and again when it fails after it could be converted', async () => {
  const served = await start();
  const errors = (): unknown[] => served.log.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields?.['object']);
  const big = cacheObject('v1', { size: 2_000 }, { name: 'big' });
  const other = cacheObject('v1', { size: 3_000 }, { name: 'other', uid: 'uid-b' });
  for (let times = 0; times < 5; times += 1) await convert(served, 'v1alpha1', [big]);
  expect(errors()).toEqual(['Cache team/big']);
  await convert(served, 'v1alpha1', [big, other]);
  expect(errors()).toEqual(['Cache team/big', 'Cache team/other']);
  await convert(served, 'v1alpha1', [cacheObject('v1', { size: 1 }, { name: 'big' })]);
  expect(served.log.lines.some(({ message }) => message === 'an object can be converted again')).toBe(true);
  await convert(served, 'v1alpha1', [big]);
  expect(errors()).toEqual(['Cache team/big', 'Cache team/other', 'Cache team/big']);
  // The metric counts each.
  expect(served.told.filter((text) => text === 'panicked /convert')).toHaveLength(8);
});

test('an object without a uid is logged once, too, and for each version that it cannot have', async () => {
  const served = await start();
  const errors = (): unknown[] => served.log.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields);
  const big = (name: string): object => cacheObject('v1', { size: 2_000 }, { name, uid: undefined });
  for (let times = 0; times < 2; times += 1) await convert(served, 'v1alpha1', [big('a'), big('b')]);
  expect(errors()).toMatchObject([{ object: 'Cache team/a' }, { object: 'Cache team/b' }]);
  await convert(served, 'v9', [big('a')]);
  expect(errors()).toMatchObject([{ to: 'v1alpha1' }, { to: 'v1alpha1' }, { object: 'Cache team/a', from: 'v1', to: 'v9' }]);
  await convert(served, 'v1alpha1', [cacheObject('v1', { size: 1 }, { name: 'a', uid: undefined })]);
  expect(served.log.lines.find(({ message }) => message === 'an object can be converted again')?.fields).toEqual({
    object: 'Cache team/a',
    from: 'v1',
    to: 'v1alpha1',
  });
});

test('a conversion that returns what JSON cannot carry fails for its own object', async () => {
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  const served = await start(withConversion(({ apiVersion: _, ...object }: Record<string, unknown>) => ({ ...object, spec: loop })));
  const { result } = await convert(served, 'v1', [cacheObject('v1alpha1', { count: 1 })]);
  expect(result).toMatchObject({
    status: 'Failure',
    message: expect.stringContaining('conversion of Cache team/a from v1alpha1 to v1 failed: TypeError'),
  });
});

test('kinds of one name in two groups are told apart', async () => {
  const other = { ...withConversion((object: object) => ({ ...object, spec: { from: 'other' } })), group: 'other.example.com' };
  const served = await Served.of({ webhooks: [], customResources: [other, Cache] });
  const { convertedObjects } = await convert(served, 'v1', [cacheObject('v1alpha1', { count: 4 })]);
  expect(convertedObjects).toEqual([cacheObject('v1', { size: 4 })]);
});

test.each<[string, (object: Record<string, unknown>) => unknown, string]>([
  ['changes the name', (object) => ({ ...object, metadata: { ...(object['metadata'] as object), name: 'z' } }), 'changed metadata.name;'],
  [
    'writes into the metadata that it gets',
    (object) => {
      Object.assign(object['metadata'] as object, { finalizers: ['x/y'], ownerReferences: [] });
      return { ...object, apiVersion: 'cache.example.com/v1' };
    },
    'Cannot add property finalizers',
  ],
  [
    'returns other metadata',
    ({ metadata, ...rest }) => ({ ...rest, metadata: { ...(metadata as object), finalizers: ['x/y'], ownerReferences: [] } }),
    'changed metadata.finalizers, metadata.ownerReferences;',
  ],
  [
    'drops the uid',
    ({ metadata, ...rest }) => ({ ...rest, metadata: { name: (metadata as { name: string }).name, namespace: 'team' } }),
    'changed metadata.uid;',
  ],
  ['loses the spec', ({ spec: _, ...rest }) => rest, 'returned no spec'],
  ['is async', async (object) => object, 'returned no'],
  ['returns nothing', () => undefined, 'the conversion returned no object; return { spec } and, where there is one, { status }'],
  ['returns metadata that is a text', (object) => ({ ...object, metadata: 'a' }), 'returned no object'],
])('H62 a conversion that %s is refused', async (_, toStorage, message) => {
  const served = await start(withConversion(toStorage as never));
  const { convertedObjects, result } = await convert(served, 'v1', [cacheObject('v1alpha1', { count: 1 })]);
  expect([convertedObjects, result.status, result.message]).toEqual([[], 'Failure', expect.stringContaining(message)]);
});

test('H62 what goes to the stored version and back is what it was', async () => {
  const served = await start();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ replicas: fc.integer(), mode: fc.string() }), { maxLength: 5 }), async (specs) => {
      const objects = specs.map((spec, index) => cacheObject('v1beta1', spec, { name: `o${index}`, labels: { l: String(index) } }));
      const stored = (await convert(served, 'v1', objects)).convertedObjects;
      expect((await convert(served, 'v1beta1', stored)).convertedObjects).toEqual(objects);
    }),
    { numRuns: 50 },
  );
});

test.each<[string, string, readonly unknown[], string]>([
  ['an unknown version', 'v9', [cacheObject('v1', {})], 'Cache has no version "v9"; it has v1, v1beta1, v1alpha1'],
  ['an object in an unknown version', 'v1', [cacheObject('v0', {})], 'Cache has no version "v0"'],
  ['another group', 'other.example.com/v1', [cacheObject('v1', {})], 'Cache of cache.example.com is not converted to other.example.com'],
  [
    'an object of another group',
    'v1',
    [{ ...cacheObject('v1', {}), apiVersion: 'other.example.com/v1' }],
    'Cache of other.example.com is not converted to cache.example.com',
  ],
  ['another kind', 'v1', [{ apiVersion: 'cache.example.com/v1', kind: 'Other' }], 'Other of cache.example.com is not converted'],
  ['what is not an object', 'v1', [5], 'what has no kind of no group is not converted'],
  ['null', 'v1', [null], 'what has no kind of no group is not converted'],
])('%s fails the review', async (_, version, objects, message) => {
  const served = await start();
  const { result } = await convert(served, version, objects);
  expect([result.status, result.message]).toEqual(['Failure', expect.stringContaining(message)]);
});

test('a review that is none is refused', async () => {
  const served = await start();
  const request = { uid: 'c-1', desiredAPIVersion: 'cache.example.com/v1', objects: [] };
  const good = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request };
  const bad = [
    { ...good, apiVersion: 'apiextensions.k8s.io/v1beta1' },
    { ...good, kind: 'AdmissionReview' },
    { ...good, request: undefined },
    ...Object.keys(request).map((field) => ({ ...good, request: { ...request, [field]: undefined } })),
    { ...good, request: { ...request, desiredAPIVersion: 'v1' } },
    [],
    null,
    'text',
  ];
  for (const body of bad) expect([JSON.stringify(body), (await served.post('/convert', body)).status]).toEqual([JSON.stringify(body), 400]);
  const texts = [bad[0], bad[2], bad[3]].map(async (body) => (await served.post('/convert', body)).text);
  expect(await Promise.all(texts)).toEqual([
    'the body is not a ConversionReview of apiextensions.k8s.io/v1\n',
    'the review has no request\n',
    'the request lacks its uid, its desiredAPIVersion or its objects\n',
  ]);
});

test('a long list leaves others their turn, and is given up when its time is over', async () => {
  let done = 0;
  let gaveWay = false;
  const served = await start(
    withConversion((object: Record<string, unknown>) => {
      const endMs = performance.now() + 2;
      while (performance.now() < endMs);
      if (done++ === 0)
        setImmediate(() => {
          gaveWay = true;
          served.clock.advance(30_000);
        });
      return { ...object, apiVersion: 'cache.example.com/v1' };
    }),
  );
  const objects = Array.from({ length: 3_000 }, (_, index) => cacheObject('v1alpha1', { count: index }, { name: `o${index}` }));
  const answer = await ask(served, 'v1', objects);
  expect([answer.status, gaveWay, done < 100]).toEqual([504, true, true]);
});

test('an operator without conversions serves none', async () => {
  const { conversions: _, ...resource } = Cache as CustomResourceModel;
  const served = await start(resource);
  expect((await ask(served, 'v1', [])).status).toBe(404);
});
