import { defaulting, validating } from 'keelson';
import { Memcached } from './memcached.js';

/** Memory of a server that caches 64 MB. */
const MEMORY_REQUEST = '96Mi';

// #region webhooks
/** Asks for memory where the user did not: a schema can default a whole map, but not one key of it. */
export const memoryRequest = defaulting(Memcached, ({ spec }) => {
  const { limits, requests } = spec.resources ?? {};
  spec.resources = { ...spec.resources, requests: { memory: limits?.['memory'] ?? MEMORY_REQUEST, ...requests } };
});

/** An even size that is there already stays: else users could not label or delete a Memcached from before this rule. */
export const oddSize = validating(Memcached, ({ spec }, { old }) =>
  spec.size % 2 === 1 || spec.size === old?.spec.size ? [] : [{ path: 'spec.size', message: 'must be odd' }],
);
// #endregion
