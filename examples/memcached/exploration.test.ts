import { Deployment } from 'keelson/kinds';
import { explore } from 'keelson/testing';
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
    workloads: true,
    // A few, and others in each build (KEELSON_EXPLORE_FROM); thousands now and then (KEELSON_EXPLORE_SEEDS).
    seeds: 2,
  });
});
// #endregion
