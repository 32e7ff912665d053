import { keelson } from '../scaffolded.js';
import { TestFolder } from '../test-folder.js';
import { gadgetCrd } from './gadget-crd.js';

const folder = new TestFolder('from');

test('Go types without bounds are read as such, and it is said', async () => {
  folder.put(
    'crd.yaml',
    gadgetCrd({
      spec: {
        replicas: { type: 'integer', format: 'int32' },
        bytes: { type: 'integer' },
        port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      },
    }),
  );
  const { status, out } = await keelson('init gadgets --from crd.yaml', folder.path);
  expect(status).toBe(0);
  const text = folder.read('gadgets/src/gadget.ts');
  for (const line of ['replicas: k.int32().optional(),', 'bytes: k.int64().optional(),', 'port: k.intOrString().optional(),'])
    expect(text).toContain(line);
  expect(out).toContain(
    'bounded as the Go type is: values beyond were lost before, and are refused now: `v1.spec.replicas`, `v1.spec.bytes`, `v1.spec.port`',
  );
});

test('what no form of zod says stays word for word, and is listed', async () => {
  const source = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  };
  folder.put('crd.yaml', gadgetCrd({ spec: { source, pattern: { type: 'string', pattern: '^(?i)abc.$' } } }));
  const { out } = await keelson('init gadgets --from crd.yaml', folder.path);
  expect(folder.read('gadgets/src/gadget.ts')).toContain("oneOf: [{ required: ['a'] }, { required: ['b'] }]");
  expect(out).toContain('  - `v1.spec.source`: oneOf\n');
  expect(out).toContain('  - `v1.spec.pattern`: pattern\n');
});

test('a condition on the whole spec is kept, and so are the types below it', async () => {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }] } },
  };
  folder.put('crd.yaml', gadgetCrd({ version: { schema: { openAPIV3Schema: schema } } }));
  const { out } = await keelson('init gadgets --from crd.yaml', folder.path);
  expect(folder.read('gadgets/src/gadget.ts')).toContain('a: z.string().optional(),');
  expect(folder.read('gadgets/src/gadget.ts')).toContain("structural: { properties: { spec: { anyOf: [{ required: ['a'] }] } } }");
  expect(out).not.toContain('Beside the CRDs');
});

test('conditions and types of Kubernetes are known by their fields', async () => {
  const selector = {
    type: 'object',
    properties: {
      name: { type: 'string', default: '', description: 'of the Secret' },
      key: { type: 'string' },
      optional: { type: 'boolean' },
    },
    required: ['key'],
    'x-kubernetes-map-type': 'atomic',
  };
  folder.put('crd.yaml', gadgetCrd({ spec: { password: selector } }));
  const { out } = await keelson('init gadgets --from crd.yaml', folder.path);
  expect(folder.read('gadgets/src/gadget.ts')).toMatch(/password: k\.builtin\('(SecretKeySelector|ConfigMapKeySelector)'\)\.optional\(\),/);
  expect(out).toContain('without its description: kubectl explain shows less: `v1.spec.password`');
});

test('columns, names, deprecation and subresources are kept', async () => {
  const version = {
    additionalPrinterColumns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 0 }],
    deprecated: true,
    deprecationWarning: 'use v2',
  };
  folder.put('crd.yaml', gadgetCrd({ version, annotations: { 'controller-gen.kubebuilder.io/version': 'v0.19.0', owner: 'shop' } }));
  const { out } = await keelson('init gadgets --from crd.yaml', folder.path);
  const text = folder.read('gadgets/src/gadget.ts');
  for (const part of [
    "{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }",
    "deprecated: 'use v2',",
    "annotations: { owner: 'shop' },",
  ])
    expect(text).toContain(part);
  expect(out).toContain('  - `metadata.annotations.controller-gen.kubebuilder.io/version`: a tool wrote it\n');
});
