import type { Stored } from 'keelson';
import type { Deployment, Pod } from 'keelson/kinds';
import { deploymentFor } from './deployment.js';
import { selectorLabels } from './labels.js';
import type { Memcached } from './memcached.js';

/** Objects for the tests, as the API server returns them. */
const stored = (name: string) => ({ name, namespace: 'shop', uid: `uid-of-${name}`, resourceVersion: '1', generation: 1 });

export function memcached(spec: Partial<Memcached['spec']> = {}): Stored<Memcached> {
  return {
    apiVersion: 'cache.example.com/v1alpha1',
    kind: 'Memcached',
    metadata: stored('sessions'),
    spec: { size: 3, image: 'memcached:1.6', port: 11211, ...spec },
  };
}

/** The Deployment of that Memcached. */
export function deployment(status?: Deployment['status']): Stored<Deployment> {
  return { ...deploymentFor(memcached()), metadata: stored('sessions'), status };
}

/** A pod of the Memcached called `instance`. */
export function pod(
  name: string,
  { instance = 'sessions', deletionTimestamp }: { instance?: string; deletionTimestamp?: string } = {},
): Stored<Pod> {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...stored(name), labels: selectorLabels(instance), deletionTimestamp },
    spec: { containers: [{ name: 'memcached' }] },
  };
}
