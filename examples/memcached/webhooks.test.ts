import type { Refusal, Webhook } from 'keelson';
import type { Memcached } from './memcached.js';
import { memcached } from './memcached-objects.js';
import { memoryRequest, oddSize } from './webhooks.js';

type Check = (object: Memcached, context: { old: Memcached | undefined }) => readonly Refusal[];

function judge(webhook: Webhook, object: Memcached, old?: Memcached): readonly Refusal[] {
  const { create, update } = webhook.handle as { create: Check; update: Check };
  return old === undefined ? create(object, { old }) : update(object, { old });
}

test('an odd size is allowed, an even one refused at its field', () => {
  expect(judge(oddSize, memcached({ size: 3 }))).toEqual([]);
  expect(judge(oddSize, memcached({ size: 2 }))).toEqual([{ path: 'spec.size', message: 'must be odd' }]);
});

test('an update to an even size is refused, an even size that was there before stays', () => {
  expect(judge(oddSize, memcached({ size: 4 }), memcached({ size: 3 }))).toHaveLength(1);
  expect(judge(oddSize, memcached({ size: 4, port: 22122 }), memcached({ size: 4 }))).toEqual([]);
});

test('both are asked on create and update, and only then', () => {
  expect([memoryRequest, oddSize].map(({ operations }) => operations)).toEqual([
    ['CREATE', 'UPDATE'],
    ['CREATE', 'UPDATE'],
  ]);
});

type Resources = NonNullable<Memcached['spec']['resources']>;

test.each<[string, Resources | undefined, Resources]>([
  ['nothing is said', undefined, { requests: { memory: '96Mi' } }],
  ['only cpu is asked for', { requests: { cpu: '1' } }, { requests: { cpu: '1', memory: '96Mi' } }],
  ['memory is asked for', { requests: { memory: '1Gi' } }, { requests: { memory: '1Gi' } }],
  [
    'there is a limit, which a request may not exceed',
    { limits: { memory: '80Mi' } },
    { limits: { memory: '80Mi' }, requests: { memory: '80Mi' } },
  ],
])('memory is requested when %s', (_, given, expected) => {
  const object = memcached(given === undefined ? {} : { resources: given });
  (memoryRequest.handle as (object: Memcached) => void)(object);
  expect(object.spec.resources).toEqual(expected);
});
