import { BuiltinSchemaError, type BuiltinTypeName, builtinSchema, builtinTypeNames } from 'keelson/kinds';
import { stringify } from 'yaml';
import type { StructuralSchema } from '../../../src/kubernetes/apimachinery/index.js';
import { structuralProblems } from './structural-problems.js';

function at(schema: StructuralSchema | undefined, ...steps: string[]): StructuralSchema | undefined {
  const [step, ...rest] = steps;
  if (step === undefined || schema === undefined) return schema;
  return at(step === '[]' ? schema.items : schema.properties?.[step], ...rest);
}

test('every type of the stable API that does not contain itself has a schema', () => {
  const names = builtinTypeNames();
  expect(names).toHaveLength(537);
  expect([...names].sort()).toEqual(names);
  expect(names).toEqual(
    expect.arrayContaining([
      'Affinity',
      'Container',
      'EnvVar',
      'IngressSpec',
      'JobTemplateSpec',
      'LabelSelector',
      'LocalObjectReference',
      'ObjectReference',
      'PersistentVolumeClaimSpec',
      'PodSpec',
      'PodTemplateSpec',
      'ResourceRequirements',
      'SecretKeySelector',
      'SecurityContext',
      'ServiceSpec',
      'Toleration',
      'TopologySpreadConstraint',
      'Volume',
    ]),
  );
});

test.each(builtinTypeNames())('%s is structural', (name) => {
  const schema = builtinSchema(name);
  expect(structuralProblems(schema)).toEqual([]);
  expect(JSON.stringify(schema)).not.toContain('"$');
});

test('the check of the rules is awake', () => {
  const list = { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } } as const;
  const wrong = {
    type: 'object',
    properties: { a: {}, b: { ...list, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] } },
  } as const;
  expect(structuralProblems(wrong)).toEqual(['.a: no type', '.b: the list key name is neither required nor defaulted']);
});

test.each([
  'Affinity',
  'Container',
  'Toleration',
  'ResourceRequirements',
  'ServiceSpec',
  'LabelSelector',
  'RawExtension',
  'Condition',
] as const)('%s', (name) => {
  expect(builtinSchema(name)).toMatchSnapshot();
});

test('list keys that may be left out have the default of the API server', () => {
  const template = builtinSchema('PodTemplateSpec');
  expect(at(template, 'spec', 'containers', '[]', 'ports', '[]', 'protocol')).toMatchObject({ type: 'string', default: 'TCP' });
  expect(at(template, 'spec', 'imagePullSecrets', '[]', 'name')).toEqual({ type: 'string', default: '' });
  // ObjectReference has a name without a default; as the key of this list it needs one, elsewhere it must not get one.
  expect(at(builtinSchema('ServiceAccount'), 'secrets', '[]', 'name')).toEqual({ type: 'string', default: '' });
  expect(at(builtinSchema('ObjectReference'), 'name')).toEqual({ type: 'string' });
});

test('a required field has no default: it would never be missed', () => {
  const container = builtinSchema('Container');
  expect(container.required).toEqual(['name']);
  expect(at(container, 'name')).toEqual({ type: 'string' });
});

test('labels of a template are kept, what the server alone may write is not', () => {
  const metadata = at(builtinSchema('PodTemplateSpec'), 'metadata');
  expect(Object.keys(metadata?.properties ?? {})).toEqual(['annotations', 'finalizers', 'labels', 'name', 'namespace']);
  expect(metadata?.properties?.['labels']).toEqual({ type: 'object', additionalProperties: { type: 'string' } });
});

test('each call gives a new tree without shared nodes: YAML writers would turn them into anchors', () => {
  const schema = builtinSchema('PodTemplateSpec');
  expect(builtinSchema('PodTemplateSpec')).not.toBe(schema);
  expect(stringify(schema)).not.toMatch(/[&*]a1/);
});

test.each([
  [
    'JSONSchemaProps',
    /^JSONSchemaProps contains itself \(JSONSchemaProps → .*JSONSchemaProps\), and a structural schema cannot be recursive: use k\.json\(\)/,
  ],
  ['CustomResourceDefinition', /^CustomResourceDefinition contains itself/],
  ['Event', /^"Event" is not a built-in type .*; did you mean CoreV1Event or EventsV1Event\?$/],
  ['podTemplateSpec', /did you mean PodTemplateSpec\?$/],
  ['toString', /is not a built-in type .*; the names are those of the types in keelson\/kinds$/],
])('%s is refused', (name, message) => {
  const ask = () => builtinSchema(name as BuiltinTypeName);
  expect(ask).toThrow(BuiltinSchemaError);
  expect(ask).toThrow(message);
});
