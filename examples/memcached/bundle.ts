import { olmBundle } from 'keelson/packaging';
import { memcachedPackage } from './package.js';

const icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#3b7"/></svg>';

/** The version that the Operator Lifecycle Manager installs: `npx keelson package olm examples/memcached/bundle.ts`. */
export const memcachedBundle = olmBundle(memcachedPackage, {
  displayName: 'Memcached Operator',
  description: 'Runs groups of memcached servers. Create a Memcached, and the operator keeps as many servers as its size says.',
  provider: { name: 'Example Inc.', url: 'https://example.com' },
  maintainers: [{ name: 'Platform team', email: 'platform@example.com' }],
  icon: { base64data: btoa(icon), mediatype: 'image/svg+xml' },
  minKubeVersion: '1.30.0',
  categories: ['Database'],
  skipRange: '<0.1.0',
  samples: [{ apiVersion: 'cache.example.com/v1alpha1', kind: 'Memcached', metadata: { name: 'sample' }, spec: { size: 3 } }],
  kinds: { 'memcacheds.cache.example.com': { description: 'A group of memcached servers.' } },
  relatedImages: [{ name: 'memcached', image: 'memcached:1.6' }],
});
