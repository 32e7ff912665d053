import { type ApiObject, builtinTypes, emptyObject, type OpenApiSchema } from '../../../../../src/api-server/values/apply/index.js';
import { listIn, mapIn, mutateMap, randomMap, type Subject, withoutEmpty, withoutEmptyMeta } from './subject.js';

const KEYS = ['a', 'b', 'c', 'd', 'e.f'];
const FINALIZERS = ['example.com/a', 'example.com/b', 'example.com/c'];

export function configMapSubject(definitions: (name: string) => OpenApiSchema | undefined): Subject {
  const name = 'io.k8s.api.core.v1.ConfigMap';
  const type = builtinTypes(definitions)(name);
  return {
    kind: 'ConfigMap',
    apiVersions: ['v1'],
    subresources: [],
    collection: () => '/api/v1/namespaces/default/configmaps',
    empty: () => ({ ...(emptyObject(name, definitions) as ApiObject), apiVersion: 'v1', kind: 'ConfigMap' }),
    endpoint: (apiVersion) => ({
      apiVersion,
      kind: 'ConfigMap',
      typeAt: (version) => (version === 'v1' ? type : undefined),
      convert: (object) => object,
    }),
    configuration: (random) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        ...random.maybe('labels', () => randomMap(random, KEYS.slice(0, 3)), 0.3),
        ...random.maybe('annotations', () => randomMap(random, KEYS.slice(0, 3)), 0.3),
        ...random.maybe('finalizers', () => random.some(FINALIZERS), 0.2),
      },
      ...random.maybe('data', () => randomMap(random, KEYS), 0.9),
    }),
    mutate(random, object) {
      if (random.chance(0.8)) mutateMap(random, mapIn(object, 'data'), KEYS);
      if (random.chance(0.3)) mutateMap(random, mapIn(object, 'metadata', 'labels'), KEYS.slice(0, 3));
      const finalizers = listIn(mapIn(object, 'metadata'), 'finalizers');
      if (random.chance(0.2)) finalizers.splice(0, finalizers.length, ...random.some(FINALIZERS));
    },
    finish: (object) => {
      // An empty list is not written but read: it tells the server to forget who owns what.
      const { managedFields } = object['metadata'] as ApiObject;
      const finished = withoutEmptyMeta(withoutEmpty(object));
      return managedFields === undefined ? finished : { ...finished, metadata: { ...(finished['metadata'] as ApiObject), managedFields } };
    },
  };
}
