import { explore } from '@keelson/testing';
import { Deployment } from 'keelson/kinds';
import { Memcached } from './memcached.js';
import { operator } from './memcached-operator.js';

// #region explore
test('whatever goes wrong, it ends as if nothing had', async () => {
  await explore(operator, {
    story: ({ apply, change, remove }) => [
      apply(Memcached({ metadata: { name: 'a' }, spec: { size: 1, image: 'memcached:1.6' } })),
      change(Memcached, 'a', { spec: { size: 3 } }),
      remove(Deployment, 'a'),
      apply(Memcached({ metadata: { name: 'b' }, spec: { size: 3, image: 'memcached:1.6' } })),
      remove(Memcached, 'b'),
    ],
    // Always true. A comparison of two runs does not find a mistake that both have.
    async invariant({ cluster }) {
      for (const { spec } of await cluster.list(Deployment)) expect(spec?.replicas).toBeLessThanOrEqual(3);
    },
    workloads: true,
    // A few, and others in each build (KEELSON_EXPLORE_FROM); thousands now and then (KEELSON_EXPLORE_SEEDS).
    seeds: 2,
  });
});
// #endregion

// #region exhaustive
test('whichever single fault comes, it ends as if nothing had', async () => {
  const { proves = 'nothing: a part was played' } = await explore(operator, {
    name: 'memcached-singles',
    story: ({ apply }) => [apply(Memcached({ metadata: { name: 'a' }, spec: { size: 1, image: 'memcached:1.6' } }))],
    exhaustive: 'singles',
    // Without this line all of them are played.
    seeds: 3,
  });
  // `from every single fault at each of its 3 writes and at each of the 4 changes of objects it comes to the same end`
  expect(proves).toMatch(/^from every single fault|^nothing/);
});
// #endregion
