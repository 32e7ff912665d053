import {
  type ApiObject,
  builtinTypes,
  emptyObject,
  fieldPath,
  type OpenApiSchema,
} from '../../../../../src/api-server/values/apply/index.js';
import type { Json } from '../../../../../src/kubernetes/apimachinery/index.js';
import type { Random } from './random.js';
import { type JsonObject, listIn, mapIn, mutateMap, randomMap, type Subject } from './subject.js';

const LABELS = { app: 'a' };
const NAMES = ['a', 'b', 'c', 'd'];

/** Keyed lists inside keyed lists, with keys that have defaults. */
export function deploymentSubject(definitions: (name: string) => OpenApiSchema | undefined): Subject {
  const name = 'io.k8s.api.apps.v1.Deployment';
  const type = builtinTypes(definitions)(name);
  return {
    kind: 'Deployment',
    apiVersions: ['apps/v1'],
    subresources: [],
    collection: () => '/apis/apps/v1/namespaces/default/deployments',
    empty: () => ({ ...(emptyObject(name, definitions) as ApiObject), apiVersion: 'apps/v1', kind: 'Deployment' }),
    endpoint: (apiVersion) => ({
      apiVersion,
      kind: 'Deployment',
      typeAt: (version) => (version === 'apps/v1' ? type : undefined),
      convert: (object) => object,
      resetFields: { 'apps/v1': [fieldPath('status')] },
    }),
    configuration,
    mutate,
  };
}

function configuration(random: Random): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...random.maybe('labels', () => randomMap(random, NAMES), 0.3) },
    spec: {
      ...random.maybe('replicas', () => random.below(3), 0.4),
      ...random.maybe('minReadySeconds', () => random.below(3), 0.3),
      ...random.maybe('strategy', () => strategy(random), 0.2),
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: { ...LABELS, ...random.maybe('x', () => random.one(['0', '1']), 0.3) } },
        spec: {
          containers: ['a', ...random.some(NAMES.slice(1))].map((name) => container(random, name)),
          ...random.maybe('tolerations', () => [{ key: random.one(NAMES), operator: 'Exists' }], 0.2),
          ...random.maybe('terminationGracePeriodSeconds', () => 10 + random.below(3), 0.2),
        },
      },
    },
  };
}

function strategy(random: Random): Json {
  return random.one<Json>([
    { rollingUpdate: { maxSurge: random.one<Json>([1, 2, '50%']) } },
    { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: random.one<Json>([1, '30%']) } },
  ]);
}

function container(random: Random, name: string): Json {
  return {
    name,
    image: `image:${random.below(3)}`,
    ...random.maybe('args', () => random.some(['x', 'y', 'z']), 0.3),
    ...random.maybe('env', () => random.some(NAMES).map((key) => ({ name: key, value: random.one(['0', '1']) })), 0.6),
    ...random.maybe('ports', () => random.some(ports()), 0.5),
    ...random.maybe('resources', () => ({ limits: { cpu: random.one(['1', '500m']) } }), 0.3),
    ...random.maybe('imagePullPolicy', () => random.one(['Always', 'IfNotPresent']), 0.2),
  };
}

function ports(): JsonObject[] {
  return [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP', name: 'dns' }, { containerPort: 81, protocol: 'TCP' }];
}

function mutate(random: Random, object: JsonObject): void {
  const spec = mapIn(object, 'spec');
  const containers = listIn(mapIn(spec, 'template', 'spec'), 'containers') as JsonObject[];
  if (random.chance(0.3)) spec['replicas'] = random.below(3);
  if (random.chance(0.3)) mutateMap(random, mapIn(object, 'metadata', 'labels'), NAMES);
  if (random.chance(0.2)) containers.reverse();
  if (random.chance(0.2) && containers.length > 1) containers.splice(random.below(containers.length), 1);
  for (const one of random.some(containers, 0.5)) mutateContainer(random, one);
  const missing = NAMES.filter((name) => !containers.some((one) => one['name'] === name));
  if (random.chance(0.2) && missing.length > 0) containers.push(container(random, random.one(missing)) as JsonObject);
}

function mutateContainer(random: Random, one: JsonObject): void {
  if (random.chance(0.4)) one['image'] = `image:${random.below(3)}`;
  if (random.chance(0.2)) delete one['resources'];
  if (random.chance(0.2)) one['ports'] = random.some(ports());
  if (random.chance(0.4)) {
    // A name twice: the server takes it, with a warning.
    one['env'] = random.some([...NAMES, 'a', 'b']).map((name) => ({ name, value: random.one(['0', '1']) }));
  }
}
