import { App, Chart } from 'cdk8s';
import { CustomResource, Operator } from 'keelson/constructs';
import { IMAGE_VARIABLE } from './image.js';
import { Memcached } from './memcached.js';
import { operator } from './memcached-operator.js';

export const app = new App();

const system = new Chart(app, 'memcached-operator', { namespace: 'memcached-system' });
new Operator(system, 'operator', {
  operator,
  image: 'registry.example.com/memcached-operator:0.1.0',
  env: { [IMAGE_VARIABLE]: 'memcached:1.6' },
  createNamespace: true,
});

// A file of its own: the API server takes a Memcached only when it serves the kind and the webhooks answer.
const samples = new Chart(app, 'memcached-samples', { namespace: 'default' });
new CustomResource(samples, 'sample', {
  definition: Memcached,
  metadata: { name: 'memcached-sample' },
  spec: { size: 3, image: 'memcached:1.6' },
});

app.synth();
