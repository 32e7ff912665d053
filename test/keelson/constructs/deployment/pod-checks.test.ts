import { Chart, Lazy, Testing } from 'cdk8s';
import { Operator, type OperatorProps, warningsOf } from 'keelson/constructs';
import { fullOperator } from '../models';
import { manifestsOf } from '../synthesized';

test.each<[string, Partial<OperatorProps>, RegExp]>([
  ['an empty image', { image: ' ' }, /image ' ' is not an image reference/],
  [
    'a variable of the contract',
    { env: { KEELSON_LEASE_NAME: 'x' } },
    /env\.KEELSON_LEASE_NAME is written by keelson from the other settings/,
  ],
  ['a variable of the contract that this installation does not need', { env: { KEELSON_WATCH_NAMESPACES: 'x' } }, /env\.KEELSON_WATCH_/],
  ['a variable with =', { env: { 'A=B': 'x' } }, /env: 'A=B' is not a name of a variable/],
  ['a number as a variable', { env: { N: 5 as never } }, /env\.N is a number; a variable holds text: write '5'/],
  [
    'an image that is known later',
    { image: Lazy.any({ produce: () => 'a:1' }) as never },
    /deployment: image is a Lazy, whose value is not known yet/,
  ],
  [
    'replicas that are known later',
    { replicas: Lazy.any({ produce: () => 2 }) as never },
    /replicas is a Lazy, whose value is not known yet/,
  ],
  ['a name that is known later', { name: Lazy.any({ produce: () => 'a' }) as never }, /name is a Lazy, whose value is not known yet/],
  ['no image', { image: undefined as never }, /chart\/operator\/deployment: image is missing; write registry\/name:tag/],
  ['a label that cannot be', { podMetadata: { labels: { a: 'b c' } } }, /podMetadata\.labels\.a: 'b c' must be/],
  ['a second container of our name', { containers: [{ name: 'operator' }] }, /two containers of the pod are called 'operator'/],
  ['a second volume of our name', { volumes: [{ name: 'tmp', emptyDir: {} }] }, /two volumes of the pod are called 'tmp'/],
  [
    'a mount of nothing',
    { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    /container 'operator' mounts the volume 'data', which the pod does not have \(it has tmp\)/,
  ],
  [
    'a second mount of /tmp',
    { volumes: [{ name: 't', emptyDir: {} }], volumeMounts: [{ name: 't', mountPath: '/tmp' }] },
    /mounts two volumes at \/tmp; with temporaryDirectory: false the place is yours/,
  ],
])('%s', (_name, props, message) => {
  expect(() => manifestsOf(props)).toThrow(message);
});

test.each([
  ['registry.example.com/memcached-operator:latest', true],
  ['registry.example.com:5000/memcached-operator', true],
  ['memcached-operator', true],
  ['memcached-operator:1.0.0', false],
  ['registry.example.com:5000/memcached-operator:1.0.0', false],
  [`memcached-operator@sha256:${'0'.repeat(64)}`, false],
  [`memcached-operator:latest@sha256:${'0'.repeat(64)}`, false],
  ['{{.Values.image}}', false],
])('an image that moves under its name is a warning: %s %s', (image, isMoving) => {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  new Operator(chart, 'operator', { operator: fullOperator, image, createNamespace: false });
  const warnings = warningsOf(chart).filter(({ message }) => message.includes('can be another one tomorrow'));
  expect(warnings.map(({ path }) => path)).toEqual(isMoving ? ['chart/operator/deployment'] : []);
});
