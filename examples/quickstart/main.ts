import { App, Chart } from 'cdk8s';
import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { Operator } from 'keelson/constructs';
import { Deployment } from 'keelson/kinds';
import { z } from 'zod';

export const Memcached = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Memcached',
  versions: {
    v1alpha1: {
      spec: z.object({
        size: k.int32().min(1).max(5).default(3).describe('Number of pods.'),
        image: z.string().min(1).default('memcached:1.6'),
      }),
      status: z.object({ ready: k.int32().optional() }),
    },
  },
});

const controller = defineController({
  name: 'memcached',
  for: Memcached,
  owns: { deployments: Deployment },
  reconcile({ object: { metadata, spec }, deployments, done }) {
    const { name } = metadata;
    const labels = { app: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'memcached', image: spec.image }] } };
    return done({
      owned: {
        deployments: [Deployment({ metadata: { name }, spec: { replicas: spec.size, selector: { matchLabels: labels }, template } })],
      },
      status: { ready: deployments.get(name)?.status?.readyReplicas ?? 0 },
    });
  },
});

export const operator = defineOperator({ name: 'memcached-operator', controllers: [controller] });

const app = new App();
const chart = new Chart(app, 'memcached-operator', { namespace: 'memcached-system' });
new Operator(chart, 'operator', { operator, image: 'registry.example.com/memcached-operator:0.1.0' });
app.synth();
