import type { Json, StructuralSchema } from '../../../src/kubernetes/apimachinery/index.js';
import type { TestObject } from '../harness/index.js';
import type { FeatureCases } from './cases/index.js';

const GROUP = 'features.example.com';

/** Schema of `spec` with one field per case. */
export function specSchemaOf(cases: FeatureCases): StructuralSchema {
  return { type: 'object', properties: Object.fromEntries(Object.entries(cases).map(([name, { schema }]) => [name, schema])) };
}

/** A CRD as a person writes it, so that the facts do not hang on our own writer. */
export function featureDefinition(kind: string, cases: FeatureCases): TestObject {
  const plural = kind.toLowerCase();
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: specSchemaOf(cases) } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind, plural, singular: plural, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

/** A custom resource that carries one value under the name of its case, or none. */
export function featureObject(
  kind: string,
  namespace: string,
  [name, value]: readonly [name: string, value: Json | undefined],
): TestObject {
  return { apiVersion: `${GROUP}/v1`, kind, metadata: { name: 'one', namespace }, spec: value === undefined ? {} : { [name]: value } };
}
