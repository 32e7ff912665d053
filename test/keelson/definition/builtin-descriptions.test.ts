import { customResourceDefinitionManifest, defineCustomResource, k, type OpenApiDocument } from 'keelson';
import { z } from 'zod';

const reference = (name: string) => `#/components/schemas/${name}`;
const field = (description: string, name?: string) =>
  name === undefined ? { description } : { description, allOf: [{ $ref: reference(name) }] };

/** In the form of an API server's document; the texts are ours. */
const v3: OpenApiDocument = {
  components: {
    schemas: {
      'io.k8s.api.core.v1.PodTemplateSpec': {
        description: 'A template.',
        properties: { spec: field('The pod.', 'io.k8s.api.core.v1.PodSpec'), unknown: field('Of a newer version.') },
      },
      'io.k8s.api.core.v1.PodSpec': {
        description: 'A pod.',
        properties: {
          containers: { description: 'Its containers.', items: { allOf: [{ $ref: reference('io.k8s.api.core.v1.Container') }] } },
          nodeSelector: { description: 'Its nodes.', additionalProperties: { description: 'A value.' } },
          hostNetwork: {},
        },
      },
      'io.k8s.api.core.v1.Container': { description: 'A container.', properties: { name: field('Its name.'), image: field('Its image.') } },
      'io.k8s.api.core.v1.ResourceClaim': { description: 'Of a container.', properties: { name: field('Of the claim.'), request: {} } },
      'io.k8s.api.resource.v1.ResourceClaim': { description: 'Of a device.', properties: { spec: field('Of the claim.') } },
      'io.k8s.api.core.v1.LocalObjectReference': { properties: { name: {} } },
    },
  },
};

interface Node {
  readonly description?: string;
  readonly properties: Readonly<Record<string, Node>>;
  readonly items: Node;
  readonly additionalProperties: Node;
}

const Web = defineCustomResource({
  group: 'example.com',
  kind: 'Web',
  versions: {
    v1: {
      spec: z.object({
        template: k.builtin('PodTemplateSpec'),
        mine: k.builtin('PodTemplateSpec').describe('My own words.').optional(),
        several: z.array(k.builtin('Container', { open: true })).optional(),
        byName: z.record(z.string(), k.builtin('Container')).optional(),
        'a.b': k.builtin('Container').optional(),
        plain: z.string().optional(),
      }),
      fields: z.object({ extra: k.builtin('Container').optional() }),
    },
  },
});

function rootOf(
  definition: typeof Web | Parameters<typeof customResourceDefinitionManifest>[0],
  documents?: readonly OpenApiDocument[],
): Node {
  const manifest = customResourceDefinitionManifest('customResource' in definition ? definition.customResource : definition, {
    builtinDescriptions: documents,
  });
  return (manifest as unknown as { spec: { versions: { schema: { openAPIV3Schema: Node } }[] } }).spec.versions[0]?.schema
    .openAPIV3Schema as Node;
}
const at = (node: Node, path: string): Node =>
  path
    .split('/')
    .reduce(
      (found, step) => (step === '[]' ? found.items : step === '{}' ? found.additionalProperties : (found.properties[step] as Node)),
      node,
    );

test('fields of built-in types are described wherever the types stand; what the author says stays', () => {
  const root = rootOf(Web, [v3]);
  const texts = (paths: readonly string[]) => paths.map((path) => at(root, path).description);
  expect(
    texts([
      'spec/template',
      'spec/template/spec',
      'spec/template/spec/containers',
      'spec/template/spec/containers/[]',
      'spec/template/spec/containers/[]/image',
      'spec/template/spec/nodeSelector/{}',
      'spec/template/spec/hostNetwork',
      'spec/mine',
      'spec/mine/spec',
      'spec/several/[]/name',
      'spec/byName/{}/name',
      'spec/a.b/image',
      'extra/image',
      'spec/plain',
    ]),
  ).toEqual([
    'A template.',
    'The pod.',
    'Its containers.',
    'A container.',
    'Its image.',
    'A value.',
    undefined,
    'My own words.',
    'The pod.',
    'Its name.',
    'Its name.',
    'Its image.',
    'Its image.',
    undefined,
  ]);
});

test('a type is found by the last words of its key, however many stand before', () => {
  const document = {
    components: {
      schemas: {
        'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector': { description: 'Chooses.', properties: { matchLabels: field('By labels.') } },
      },
    },
  };
  const Chooser = defineCustomResource({
    group: 'example.com',
    kind: 'Chooser',
    versions: { v1: { spec: z.object({ select: k.builtin('LabelSelector') }) } },
  });
  expect(at(rootOf(Chooser, [document]), 'spec/select').description).toBe('Chooses.');
  expect(at(rootOf(Chooser, [document]), 'spec/select/matchLabels').description).toBe('By labels.');
});

test('nothing but descriptions is taken, and none without the option', () => {
  const withoutDescriptions = (text: string) => text.replace(/"description":"(?:[^"\\]|\\.)*",?/g, '').replaceAll(',}', '}');
  const plain = JSON.stringify(rootOf(Web));
  expect(withoutDescriptions(JSON.stringify(rootOf(Web, [v3])))).toBe(withoutDescriptions(plain));
  expect(plain.match(/"description":/g)).toHaveLength(1);
});

test('the document of version 2 says the same', () => {
  const { schemas } = (v3 as { readonly components: { readonly schemas: object } }).components;
  const definitions = JSON.parse(JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/definitions/')) as object;
  expect(rootOf(Web, [{ definitions }])).toEqual(rootOf(Web, [v3]));
});

test('of several types of one name the one with the fields of the schema is meant', () => {
  const kindOf = (type: 'CoreV1ResourceClaim' | 'ResourceClaim') =>
    rootOf(
      defineCustomResource({ group: 'example.com', kind: 'A', versions: { v1: { spec: z.object({ claim: k.builtin(type) }) } } })
        .customResource,
      [v3],
    );
  expect(at(kindOf('CoreV1ResourceClaim'), 'spec/claim').description).toBe('Of a container.');
  expect(at(kindOf('ResourceClaim'), 'spec/claim').description).toBe('Of a device.');
});

test.each<[string, unknown, string]>([
  ['what is not OpenAPI', { paths: {} }, 'neither components.schemas nor definitions; take it from an API server: kubectl get --raw'],
  ['a text', 'openapi.json', 'neither components.schemas nor definitions'],
  ['a document without the type', { components: { schemas: {} } }, 'no document has the type Container'],
  [
    'a document without prose, as that of the server in the process',
    { components: { schemas: { 'io.k8s.api.core.v1.Container': { properties: { name: {} } } } } },
    'has the type Container without any description',
  ],
])('%s is refused', (_, document, message) => {
  expect(() => rootOf(Web, [document as never])).toThrow(message);
});

test('descriptions that are dropped and added at once are refused', () => {
  expect(() => customResourceDefinitionManifest(Web.customResource, { descriptions: 'drop', builtinDescriptions: [v3] })).toThrow(
    "builtinDescriptions are given, and descriptions is 'drop'",
  );
});

test('the model says where the types stand', () => {
  const [version] = Web.customResource.versionList;
  expect(version?.builtinTypes).toEqual([
    { path: ['properties', 'extra'], type: 'Container' },
    { path: ['properties', 'spec', 'properties', 'template'], type: 'PodTemplateSpec' },
    { path: ['properties', 'spec', 'properties', 'mine'], type: 'PodTemplateSpec' },
    { path: ['properties', 'spec', 'properties', 'several', 'items'], type: 'Container' },
    { path: ['properties', 'spec', 'properties', 'byName', 'additionalProperties'], type: 'Container' },
    { path: ['properties', 'spec', 'properties', 'a.b'], type: 'Container' },
  ]);
});
