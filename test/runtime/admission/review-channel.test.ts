import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mutating } from 'keelson';
import { type AnsweredReview, REVIEW_CHANNEL } from '../../../src/runtime/admission/review-channel.js';
import { Cache, cacheObject } from './kinds.js';
import { review, Served, stopAll } from './served.js';

const heard: AnsweredReview[] = [];
const hear = (message: unknown): void => void heard.push(message as AnsweredReview);

beforeEach(() => {
  heard.splice(0);
  subscribe(REVIEW_CHANNEL, hear);
});
afterEach(async () => {
  unsubscribe(REVIEW_CHANNEL, hear);
  await stopAll();
});

const asked = {
  webhook: 'mutating.caches.cache.example.com',
  objects: ['Cache team/a'],
  operation: 'CREATE',
  user: 'jane',
  isDryRun: false,
  message: undefined,
  warnings: [],
  tookMs: expect.any(Number),
};
const converted = { webhook: 'conversion', user: undefined, isDryRun: false, message: undefined, warnings: [], tookMs: expect.any(Number) };

describe('a tool in the process hears of a webhook', () => {
  type Handler = (object: { spec: { size: number } }, context: { warn(text: string): void }) => unknown;

  test.each<[string, Handler, object]>([
    ['that allows', () => undefined, { result: 'allowed' }],
    [
      'that changes',
      ({ spec }) => {
        spec.size = 5;
      },
      { result: 'changed' },
    ],
    ['that refuses', () => 'not on fridays', { result: 'refused', message: 'not on fridays' }],
    [
      'that throws',
      () => {
        throw new RangeError('boom');
      },
      { result: 'failed', message: 'RangeError: boom' },
    ],
    [
      'that warns',
      (_, { warn }) => {
        for (const text of ['old', 'password=hunter2']) warn(text);
      },
      { result: 'allowed', warnings: ['old', 'password=[hidden]'] },
    ],
    ['with its credentials masked', () => 'password=hunter2', { result: 'refused', message: 'password=[hidden]' }],
    ['with at most 1000 characters', () => 'x'.repeat(1_001), { result: 'refused', message: 'x'.repeat(1_000) }],
  ])('%s', async (_, apply, said) => {
    const served = await Served.start([mutating(Cache, { apply: apply as never })]);
    await served.post('/mutating/cache.example.com/v1/caches', review({ object: cacheObject('v1', { size: 1 }) }));
    expect(heard).toEqual([{ ...asked, ...said }]);
  });

  test('with the object that is there, if it is alone, and of a dry run as one', async () => {
    const served = await Served.start([mutating(Cache, { apply: () => undefined })]);
    const request = { operation: 'UPDATE', oldObject: cacheObject('v1', {}, { name: 'old' }), dryRun: true };
    await served.post('/mutating/cache.example.com/v1/caches', review(request));
    expect(heard).toEqual([
      {
        ...asked,
        objects: ['Cache team/old'],
        operation: 'UPDATE',
        isDryRun: true,
        result: 'failed',
        message: 'NoReview: the request of operation UPDATE has no object to change',
      },
    ]);
  });
});

describe('a tool in the process hears of a conversion', () => {
  const ask = async (objects: readonly object[], version: string): Promise<void> => {
    const served = await Served.of({ webhooks: [], customResources: [Cache] });
    const request = { uid: 'c-1', desiredAPIVersion: `cache.example.com/${version}`, objects };
    await served.post('/convert', { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request });
  };

  test('with the first hundred of its objects', async () => {
    const objects = Array.from({ length: 101 }, (_, index) => cacheObject('v1', { size: 1 }, { name: `o${index}` }));
    await ask(objects, 'v1beta1');
    expect(heard).toEqual([
      {
        ...converted,
        objects: Array.from({ length: 100 }, (_, index) => `Cache team/o${index}`),
        operation: 'v1 → v1beta1',
        result: 'converted',
      },
    ]);
  });

  test('that failed, with the reason', async () => {
    await ask([cacheObject('v1', { size: 2_000 })], 'v1alpha1');
    expect(heard).toEqual([
      {
        ...converted,
        objects: ['Cache team/a'],
        operation: 'v1 → v1alpha1',
        result: 'failed',
        message: 'conversion of Cache team/a from v1 to v1alpha1 failed: RangeError: too large for v1alpha1',
      },
    ]);
  });
});

test('nothing is said of a request that is not a review', async () => {
  const served = await Served.start([mutating(Cache, { apply: () => undefined })]);
  expect((await served.post('/mutating/cache.example.com/v1/caches', '{}')).status).toBe(400);
  expect(heard).toEqual([]);
});
