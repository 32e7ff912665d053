import { defineOperatorPackage } from 'keelson/packaging';
import { z } from 'zod';
import { IMAGE_VARIABLE } from './image.js';
import { operator } from './memcached-operator.js';

/** The package for administrators: `npx keelson package helm examples/memcached/package.ts`. */
export const memcachedPackage = defineOperatorPackage({
  operator,
  image: 'registry.example.com/memcached-operator:0.1.0',
  version: '0.1.0',
  description: 'Groups of memcached servers',
  namespace: 'memcached-system',
  values: z.object({ memcachedImage: z.string().min(1).default('memcached:1.6').describe('Image of a Memcached that names none.') }),
  props: ({ values }) => ({ env: { [IMAGE_VARIABLE]: values.memcachedImage } }),
});
