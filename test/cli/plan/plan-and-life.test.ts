import { operator as memcachedOperator } from '../../../examples/memcached/memcached-operator.js';
import { operator as prometheusOperator } from '../../../examples/prometheus/prometheus-operator.js';
import type { FoundManifest } from '../../../src/cli/manifests/index.js';
import { type KilnRelease, kiln, kilnOperator } from '../rehearsal/kiln-operator.js';
import { type Next, planAndLife } from './life.js';

const first = [kiln('a', { replicas: 2 }), kiln('b')];
const release = (change: KilnRelease): Next => ({ operator: kilnOperator(change) });

/** Releases of an operator and changes of users, with what they do to the children and whether Pods restart. */
const KILNS: readonly (readonly [string, Next, readonly string[], boolean])[] = [
  ['nothing', release({}), [], false],
  ['another image', release({ image: 'kiln:2' }), ['change Deployment shop a', 'change Deployment shop b'], true],
  ['another port', release({ port: 8080 }), ['change Deployment shop a', 'change Deployment shop b'], true],
  ['another label of the Pods', release({ label: 'oven' }), ['change Deployment shop a', 'change Deployment shop b'], true],
  ['another variable', release({ env: 'b' }), ['change Deployment shop a', 'change Deployment shop b'], true],
  ['another number of replicas', release({ replicas: 3 }), ['change Deployment shop a', 'change Deployment shop b'], false],
  ['an annotation of the Deployment alone', release({ annotation: 'x' }), ['change Deployment shop a', 'change Deployment shop b'], false],
  ['a child less', release({ hasConfig: false }), ['delete ConfigMap shop a-settings', 'delete ConfigMap shop b-settings'], false],
  [
    'a child of another name',
    release({ configName: 'values' }),
    [
      'create ConfigMap shop a-values',
      'create ConfigMap shop b-values',
      'delete ConfigMap shop a-settings',
      'delete ConfigMap shop b-settings',
    ],
    false,
  ],
  ['an object more', { manifests: [kiln('c')] }, ['create ConfigMap shop c-settings', 'create Deployment shop c'], false],
  ['more replicas of one object', { manifests: [kiln('a', { replicas: 3 })] }, ['change Deployment shop a'], false],
  ['another image of one object', { manifests: [kiln('a', { replicas: 2, image: 'kiln:3' })] }, ['change Deployment shop a'], true],
  ['a Secret more', { manifests: [kiln('b', { mode: 'secret' })] }, ['create Secret shop b-key'], false],
];

test.each(KILNS)('%s: the plan is what then happens', async (_what, next, changes, hasRestarts) => {
  const { plan, life } = await planAndLife(kilnOperator(), first, next);
  expect(life).toMatchObject({ changes: [...changes].sort(), hasRestarts });
  expect(plan).toEqual(life);
});

describe('the operator of Memcached', () => {
  const memcached = (spec: object) => ({
    place: 'memcached.yaml',
    object: {
      apiVersion: 'cache.example.com/v1alpha1',
      kind: 'Memcached',
      metadata: { name: 'a', namespace: 'shop' },
      spec: { image: 'memcached:1.6', ...spec },
    } as never,
    strictProblems: [],
  });

  test.each([
    ['its size', { size: 5 }, ['change Deployment shop a'], false],
    ['its image', { size: 3, image: 'memcached:1.7' }, ['change Deployment shop a'], true],
    ['its port', { size: 3, port: 11_212 }, ['change Deployment shop a'], true],
    ['its resources', { size: 3, resources: { requests: { memory: '64Mi' } } }, ['change Deployment shop a'], true],
    ['nothing', { size: 3 }, [], false],
  ])('a change of %s: the plan is what then happens', async (_what, spec, changes, hasRestarts) => {
    const { plan, life } = await planAndLife(memcachedOperator, [memcached({ size: 3 })], { manifests: [memcached(spec)] });
    expect(life).toMatchObject({ changes, hasRestarts });
    expect(plan).toEqual(life);
  });
});

describe('the operator of Prometheus', () => {
  const found = (kind: string, name: string, spec: object): FoundManifest => ({
    place: `${name}.yaml`,
    object: { apiVersion: 'monitoring.coreos.com/v1', kind, metadata: { name, namespace: 'shop' }, spec } as never,
    strictProblems: [],
  });
  const main = (spec: object = {}) => found('Prometheus', 'main', { serviceMonitorSelector: {}, ...spec });
  const monitor = found('ServiceMonitor', 'web', { selector: { matchLabels: { app: 'web' } }, endpoints: [{ port: 'web' }] });

  test.each<readonly [string, readonly FoundManifest[], readonly string[], boolean]>([
    ['nothing', [main()], [], false],
    ['another version', [main({ version: 'v3.13.0' })], ['change StatefulSet shop prometheus-main'], true],
    ['a retention', [main({ retention: '48h' })], ['change StatefulSet shop prometheus-main'], true],
    ['more replicas', [main({ replicas: 2 })], ['change StatefulSet shop prometheus-main'], false],
    ['a monitor more', [monitor], ['change Secret shop prometheus-main'], false],
    [
      'a field that cannot be changed',
      [main({ podManagementPolicy: 'OrderedReady' })],
      ['recreate StatefulSet shop prometheus-main'],
      true,
    ],
  ])('%s: the plan is what then happens', async (_what, manifests, changes, hasRestarts) => {
    const { plan, life } = await planAndLife(prometheusOperator, [main()], { manifests });
    expect(life).toMatchObject({ changes, hasRestarts });
    expect(plan).toEqual(life);
  });
});
