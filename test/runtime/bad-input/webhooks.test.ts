import { defaulting, validating } from 'keelson';
import { eventually } from '../../eventually.js';
import { Cache, cacheObject } from '../admission/kinds.js';
import { responseOf, review, Served, stopAll } from '../admission/served.js';

afterEach(stopAll);

const VALIDATING = '/validating/cache.example.com/v1/caches';
const MUTATING = '/defaulting/cache.example.com/v1/caches';
const of = (name: string) => review({ object: cacheObject('v1', {}, { name }) });

class Unreadable extends Error {
  override get message(): string {
    throw new Error('the message cannot be read');
  }
}

const THROWN: readonly (readonly [string, () => unknown])[] = [
  ['nothing', () => undefined],
  ['an error of 10 MiB', () => new Error('x'.repeat(10 * 1024 * 1024))],
  ['a text of 10 MiB', () => 'x'.repeat(10 * 1024 * 1024)],
  ['an object without a prototype', () => Object.create(null)],
  ['an error that cannot be read', () => new Unreadable()],
  [
    'a revoked proxy',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
  ],
];

describe.each([
  ['check', VALIDATING, validating],
  ['mutation', MUTATING, defaulting],
] as const)('a %s', (_, path, webhook) => {
  test.each(THROWN)(
    'that throws %s: the request fails, told once with the object; others go on, and it recovers',
    async (...[, thrown]) => {
      let isBroken = true;
      const handler = ({ metadata }: { metadata: { name?: string } }): void => {
        if (isBroken && metadata.name === 'bad') throw thrown();
      };
      const served = await Served.start([(webhook as typeof validating)(Cache, handler as never)]);
      const [bad, good] = await Promise.all([served.post(path, of('bad')), served.post(path, of('good'))]);
      expect([bad.status, responseOf(good).allowed]).toEqual([500, true]);
      expect(bad.text.length).toBeLessThan(3_000);
      const errors = served.log.lines.filter(({ level }) => level === 'error');
      expect(errors).toMatchObject([{ message: 'a webhook failed', fields: { path, object: 'Cache team/bad' } }]);
      expect(errors[0]?.fields['error']).toBeInstanceOf(Error);
      isBroken = false;
      expect(responseOf(await served.post(path, of('bad'))).allowed).toBe(true);
    },
  );
});

test('a conversion whose result not JSON can carry is named; others are converted', async () => {
  const [storage] = [Cache.customResource];
  const conversions = {
    ...storage.conversions,
    v1beta1: {
      ...storage.conversions?.['v1beta1'],
      fromStorage: ({ spec }: { spec: { size: number } }) => ({ spec: { replicas: BigInt(spec.size) } }),
    },
  };
  const served = await Served.of({ webhooks: [], customResources: [{ ...storage, conversions } as never] });
  const convert = (version: string, from: string, spec: object) =>
    served.post('/convert', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { uid: 'c', desiredAPIVersion: `cache.example.com/${version}`, objects: [cacheObject(from, spec, { name: 'odd' })] },
    });
  const answer = await convert('v1beta1', 'v1', { size: 1 });
  expect([answer.status, answer.text]).toEqual([
    200,
    expect.stringContaining('conversion of Cache team/odd from v1 to v1beta1 failed: TypeError'),
  ]);
  expect(served.log.lines.filter(({ level }) => level === 'error')).toMatchObject([
    { fields: { object: 'Cache team/odd', to: 'v1beta1' } },
  ]);
  expect((await convert('v1', 'v1alpha1', { count: 1 })).text).toContain('"Success"');
});

test('whoever sends what is not a review cannot fill the log: twenty lines a minute, and how many more there were', async () => {
  const served = await Served.start([validating(Cache, () => [])]);
  const told = () => served.log.texts.filter((text) => text === 'warn a request got no review').length;
  for (let index = 0; index < 50; index += 1) expect((await served.post(VALIDATING, '{')).status).toBe(400);
  expect(told()).toBe(20);
  expect(responseOf(await served.post(VALIDATING, of('good'))).allowed).toBe(true);
  // The server knows a moment after the client that the answer is out: until then it counts the time of its reader.
  await eventually(() => served.clock.pending === 0);
  served.clock.advance(60_000);
  await served.post(VALIDATING, '{');
  expect(told()).toBe(21);
  expect(served.log.lines).toContainEqual({
    level: 'warn',
    message: 'more of the same was logged at debug level only',
    fields: { lines: 30 },
  });
  const [line] = served.log.lines.filter(({ level }) => level === 'warn');
  expect(line?.fields).toMatchObject({ path: VALIDATING, status: 400, why: expect.stringContaining('not JSON'), client: '127.0.0.1' });
});
