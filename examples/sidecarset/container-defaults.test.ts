import { withContainerDefaults } from './container-defaults.js';

test.each([
  ['proxy', 'Always'],
  ['proxy:latest', 'Always'],
  ['host:5000/proxy', 'Always'],
  ['proxy:1', 'IfNotPresent'],
  ['proxy@sha256:abc', 'IfNotPresent'],
])('the image %s is pulled %s', (image, policy) => {
  expect(withContainerDefaults({ name: 'a', image }).imagePullPolicy).toBe(policy);
});

test('all that the API server would fill in is filled in, and what is said stays', () => {
  expect(
    withContainerDefaults({
      name: 'a',
      image: 'a:1',
      terminationMessagePolicy: 'FallbackToLogsOnError',
      ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }],
      readinessProbe: { httpGet: { port: 80 }, periodSeconds: 2 },
      env: [
        { name: 'A', value: '1' },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
    }),
  ).toEqual({
    name: 'a',
    image: 'a:1',
    imagePullPolicy: 'IfNotPresent',
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'FallbackToLogsOnError',
    ports: [
      { containerPort: 80, protocol: 'TCP' },
      { containerPort: 53, protocol: 'UDP' },
    ],
    readinessProbe: {
      httpGet: { port: 80, path: '/', scheme: 'HTTP' },
      periodSeconds: 2,
      timeoutSeconds: 1,
      successThreshold: 1,
      failureThreshold: 3,
    },
    env: [
      { name: 'A', value: '1' },
      { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name', apiVersion: 'v1' } } },
    ],
  });
});

test('to fill in what is filled in changes nothing', () => {
  const once = withContainerDefaults({ name: 'a', image: 'a', startupProbe: { exec: { command: ['true'] } } });
  expect(withContainerDefaults(once)).toEqual(once);
});

test('a new tag does not change the pull policy that was filled in before', () => {
  const before = withContainerDefaults({ name: 'a', image: 'a:1' });
  expect(withContainerDefaults({ name: 'a', image: 'a:latest' }, before).imagePullPolicy).toBe('IfNotPresent');
  expect(withContainerDefaults({ name: 'a', image: 'a:latest', imagePullPolicy: 'Always' }, before).imagePullPolicy).toBe('Always');
});
