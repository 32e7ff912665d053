import { deploymentFor } from './deployment.js';
import { memcached } from './memcached-objects.js';

test('the pods carry the labels that the Deployment selects, and the version beside them', () => {
  const { metadata, spec } = deploymentFor(memcached({ image: 'memcached:1.6.38' }));
  const selector = {
    'app.kubernetes.io/name': 'memcached',
    'app.kubernetes.io/managed-by': 'memcached-operator',
    'app.kubernetes.io/instance': 'sessions',
  };
  expect(metadata).toEqual({ name: 'sessions', labels: { ...selector, 'app.kubernetes.io/version': '1.6.38' } });
  expect(spec.selector).toEqual({ matchLabels: selector });
  expect(spec.template.metadata?.labels).toEqual({ ...selector, 'app.kubernetes.io/version': '1.6.38' });
});

test('a new image rolls the pods: the selector, which cannot be changed, stays', () => {
  const [before, after] = ['memcached:1.6', 'memcached:1.7'].map((image) => deploymentFor(memcached({ image })));
  expect(after?.spec.selector).toEqual(before?.spec.selector);
  expect(after?.spec.template).not.toEqual(before?.spec.template);
});

test('memcached listens on the port that the container declares and the probe asks', () => {
  const [container] = deploymentFor(memcached({ port: 22122 })).spec.template.spec?.containers ?? [];
  expect(container?.command).toEqual(['memcached', '-m', '64', '-p', '22122']);
  expect(container?.ports).toEqual([{ name: 'memcached', containerPort: 22122 }]);
  expect(container?.readinessProbe?.tcpSocket).toEqual({ port: 'memcached' });
});

test('size and resources reach the Deployment', () => {
  const { spec } = deploymentFor(memcached({ size: 5, resources: { limits: { memory: '128Mi' } } }));
  expect(spec?.replicas).toBe(5);
  expect(spec.template.spec?.containers[0]?.resources).toEqual({ limits: { memory: '128Mi' } });
});

test('without resources the field is left out: an empty one would differ from what the API server stores', () => {
  expect(deploymentFor(memcached()).spec.template.spec?.containers[0]).not.toHaveProperty('resources');
});
