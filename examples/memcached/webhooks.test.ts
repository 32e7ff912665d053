import { admit } from '@keelson/testing';
import type { Memcached } from './memcached.js';
import { memcached } from './memcached-objects.js';
import { memoryRequest, oddSize } from './webhooks.js';

// #region admit
test('an odd size is allowed, an even one refused at its field', async () => {
  expect(await admit(oddSize, { object: memcached({ size: 3 }) })).toMatchObject({ allowed: true });
  const { allowed, causes } = await admit(oddSize, { object: memcached({ size: 2 }) });
  expect([allowed, causes[0]?.field]).toEqual([false, 'spec.size']);
});

test('an update to an even size is refused, an even size that was there before stays', async () => {
  expect((await admit(oddSize, { object: memcached({ size: 4 }), old: memcached({ size: 3 }) })).allowed).toBe(false);
  expect((await admit(oddSize, { object: memcached({ size: 4, port: 22122 }), old: memcached({ size: 4 }) })).allowed).toBe(true);
});
// #endregion

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
])('memory is requested when %s', async (_, given, expected) => {
  const object = memcached(given === undefined ? {} : { resources: given });
  const admitted = await admit(memoryRequest, { object });
  expect(admitted.object?.spec.resources).toEqual(expected);
});
