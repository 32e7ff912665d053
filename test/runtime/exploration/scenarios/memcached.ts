import { Deployment, Pod } from 'keelson/kinds';
import { mergePatch } from 'keelson/testing';
import { selectorLabels } from '../../../../examples/memcached/labels.js';
import { Memcached } from '../../../../examples/memcached/memcached.js';
import { operator } from '../../../../examples/memcached/memcached-operator.js';
import type { Scenario } from '../scenario.js';
import { exists } from './exists.js';

const pod = (namespace: string, name: string, instance: string) => ({
  metadata: { namespace, name, labels: selectorLabels(instance) },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'memcached', image: 'memcached:1' }] },
});

/** The example: a Deployment each, Pods that come and go, a rollout, a child that is deleted, and a finalizer. */
export const memcached: Scenario = {
  name: 'memcached',
  kinds: [Memcached, Deployment, Pod],
  perform: () => ({
    operator,
    mortal: ['b'],
    steps: [
      ({ client, namespace }) =>
        client.create(Memcached, { metadata: { namespace, name: 'a' }, spec: { size: 1, image: 'memcached:1.6' } }),
      ({ client, namespace }) =>
        client.create(Memcached, {
          metadata: { namespace, name: 'b' },
          spec: { size: 3, image: 'memcached:1.6', resources: { limits: { cpu: '1000m' } } },
        }),
      ({ client, namespace }) => client.create(Pod, pod(namespace, 'a-1', 'a')),
      ({ client, namespace }) => client.patch(Memcached, { namespace, name: 'a' }, mergePatch({ spec: { size: 3 } })),
      ({ client, namespace }) => client.create(Pod, pod(namespace, 'a-2', 'a')),
      async (stage) => {
        await exists(stage, Deployment, 'a');
        await stage.client.delete(Deployment, { namespace: stage.namespace, name: 'a' });
      },
      ({ client, namespace }) => client.delete(Pod, { namespace, name: 'a-1' }, { gracePeriodSeconds: 0 }),
      ({ client, namespace }) => client.delete(Memcached, { namespace, name: 'b' }),
    ],
  }),
};
