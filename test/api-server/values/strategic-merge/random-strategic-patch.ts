import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import type { Random } from '../apply/differential/random.js';

const NAMES = ['a', 'b', 'c', 'd'];
const LABELS = { app: 'a' };

/** The Deployment that the patches are made for. */
export function patchedDeployment(name: string): Json {
  const containers = ['a', 'b'].map((container) => ({ name: container, image: 'image:0', env: [{ name: 'a', value: '0' }] }));
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, finalizers: ['example.com/a', 'example.com/b'] },
    spec: { selector: { matchLabels: LABELS }, template: { metadata: { labels: LABELS }, spec: { containers } } },
  };
}

/** Patches of keyed lists in keyed lists, with every directive, in right and in wrong form. */
export function randomStrategicPatch(random: Random): Json {
  if (random.chance(0.02)) return random.one<Json>([null, [], 1, {}]);
  return {
    ...random.maybe('metadata', () => metadata(random), 0.3),
    ...random.maybe(
      'spec',
      () => ({
        ...random.maybe('replicas', () => random.one<Json>([1, 2, null]), 0.2),
        ...random.maybe('strategy', () => strategy(random), 0.25),
        template: { spec: podSpec(random) },
      }),
      0.85,
    ),
    ...random.maybe<Json>('$setElementOrder/nope', () => [], 0.02),
  };
}

function metadata(random: Random): Json {
  const finalizers = (): Json => random.some(['example.com/a', 'example.com/b', 'example.com/c']);
  return {
    ...random.maybe('labels', () => Object.fromEntries(random.some(NAMES).map((key) => [key, random.one<Json>(['x', 'y', null])])), 0.4),
    ...random.maybe<Json>(
      'annotations',
      () => random.one<Json>([{ $patch: 'delete' }, { $patch: 'replace', a: 'b' }, { a: 'c' }, null, { $patch: 'x' }]),
      0.3,
    ),
    ...(random.chance(0.5) ? { '$deleteFromPrimitiveList/finalizers': finalizers() } : random.maybe('finalizers', finalizers)),
    ...random.maybe('$setElementOrder/finalizers', finalizers, 0.3),
  };
}

function strategy(random: Random): Json {
  return random.one<Json>([
    { type: 'Recreate', $retainKeys: ['type'] },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 }, $retainKeys: ['type', 'rollingUpdate'] },
    { rollingUpdate: { maxSurge: 2 }, $retainKeys: ['type'] },
    { rollingUpdate: { maxUnavailable: null } },
    { $retainKeys: 'type' },
    { $patch: 'replace', type: 'RollingUpdate' },
  ]);
}

function podSpec(random: Random): Json {
  return {
    ...random.maybe('containers', () => items(random, container), 0.7),
    ...random.maybe('$setElementOrder/containers', () => order(random, 'name', NAMES), 0.5),
    ...random.maybe('initContainers', () => items(random, container), 0.2),
    ...random.maybe<Json>('tolerations', () => [{ key: random.one(NAMES), operator: 'Exists' }], 0.2),
    ...random.maybe('nodeSelector', () => ({ [random.one(NAMES)]: random.one<Json>(['x', null]) }), 0.2),
    ...random.maybe('securityContext', () => random.one<Json>([null, { runAsUser: 1 }, { $patch: 'replace' }]), 0.1),
  };
}

function container(random: Random): Json {
  return {
    ...random.maybe('name', () => random.one(NAMES), 0.98),
    ...random.maybe('image', () => random.one<Json>(['image:0', 'image:1', null]), 0.7),
    ...random.maybe('args', () => random.some(['x', 'y', 'z']), 0.2),
    ...random.maybe('env', () => items(random, variable), 0.5),
    ...random.maybe('$setElementOrder/env', () => order(random, 'name', NAMES), 0.3),
    ...random.maybe('ports', () => items(random, port), 0.2),
    ...random.maybe('$patch', () => random.one(['delete', 'delete', 'replace', 'merge', 'x']), 0.15),
  };
}

const variable = (random: Random): Json => ({
  name: random.one(NAMES),
  ...random.maybe('value', () => random.one<Json>(['0', '1', null])),
  ...random.maybe('$patch', () => random.one(['delete', 'replace']), 0.2),
});

const port = (random: Random): Json => ({
  ...random.maybe('containerPort', () => 80 + random.below(3), 0.95),
  ...random.maybe('protocol', () => random.one(['TCP', 'UDP']), 0.3),
  ...random.maybe('$patch', () => 'delete', 0.2),
});

function items(random: Random, item: (random: Random) => Json): Json {
  return random.chance(0.02) ? random.one<Json>([null, ['x'], 'x', {}]) : Array.from({ length: random.below(4) }, () => item(random));
}

function order(random: Random, key: string, names: readonly string[]): Json {
  return random.chance(0.03) ? random.one<Json>([[], 'x', [{}]]) : random.some(names, 0.8).map((name) => ({ [key]: name }));
}
