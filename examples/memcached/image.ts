import type { Memcached } from './memcached.js';

/** Where a platform says which image it mirrors; it is set beside the operator's own image, see main.ts. */
export const IMAGE_VARIABLE = 'MEMCACHED_IMAGE';

/** The image that a Memcached runs: its own, else that of the platform. @throws Error when neither is given: the status reports it, and the run is repeated */
export function imageOf({ image = process.env[IMAGE_VARIABLE] }: Memcached['spec']): string {
  if (image === undefined || image === '') throw new Error(`no image: set spec.image, or ${IMAGE_VARIABLE} where the operator runs`);
  return image;
}
