import { importKinds } from '../../src/cli/index.js';

const source = (text: string, name = 'crd.yaml') => ({ name, text });

/** A CRD with one version, whose schema has these properties under `spec`. */
function crd(properties: string, { kind = 'Widget', extra = '' } = {}): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${kind.toLowerCase()}s.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: ${kind}, plural: ${kind.toLowerCase()}s }
  versions:
    - name: v1
      served: true
      storage: true
      ${extra}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [size, defaulted]
              properties: ${properties.replaceAll('\n', ' ')}
`;
}

/** Each list holds the one before it so many times. */
function bomb(times: number, lists = 6): string {
  const lines = Array.from(
    { length: lists },
    (_, index) => `l${index + 1}: &l${index + 1} [${Array(times).fill(`*l${index}`).join(', ')}]`,
  );
  return [`l0: &l0 [${Array(times).fill('x').join(', ')}]`, ...lines].join('\n');
}

const typesOf = (properties: string, options = {}) => importKinds([source(crd(properties))], options).modules[0]?.text ?? '';

test('a CRD becomes interfaces and a kind', () => {
  const text = typesOf(
    `{ size: { type: integer, description: How many. }, defaulted: { type: string, default: a },
       mode: { type: string, enum: [Fast, 'Slow"''', ''] }, level: { type: integer, enum: [1, 2], nullable: true },
       port: { x-kubernetes-int-or-string: true }, cpu: { x-kubernetes-int-or-string: true, pattern: '^[0-9]*([numkMGTPE])?$' },
       labels: { type: object, additionalProperties: { type: string } }, free: { type: object, x-kubernetes-preserve-unknown-fields: true },
       json: { x-kubernetes-preserve-unknown-fields: true }, since: { type: string, format: date-time, nullable: true },
       items: { type: array, items: { type: object, required: [x-y], properties: { x-y: { type: boolean }, 2nd: { type: number } } } },
       open: { type: object, x-kubernetes-preserve-unknown-fields: true, properties: { known: { type: string } } },
       modes: { type: array, items: { type: string, enum: [a, b] } },
       child: { type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true } }`,
  );
  expect(text).toMatchSnapshot();
});

test('descriptions are left out unless asked for, and cannot end the comment that carries them', () => {
  const properties = "{ size: { type: integer, description: 'Ends here: */ alert()' }, defaulted: { type: string } }";
  expect(typesOf(properties)).not.toContain('Ends here');
  expect(typesOf(properties, { descriptions: true })).toContain('/** Ends here: *\\/ alert() */');
});

test('the same files give the same bytes, whatever their order', () => {
  const sources = ['Widget', 'Gadget'].map((kind) =>
    source(crd('{ size: { type: integer }, defaulted: { type: string } }', { kind }), kind),
  );
  const forward = importKinds(sources);
  expect(importKinds([...sources].reverse())).toEqual(forward);
  expect(forward.modules.map(({ path, kinds }) => [path, kinds])).toEqual([['example.com/v1.ts', ['Gadget', 'Widget']]]);
});

test('lists and other objects are read as kubectl and Helm write them', () => {
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Service' }] });
  const { modules, others } = importKinds([source(`---\n${crd('{}')}---\n# nothing\n---\n${list}\n`)]);
  expect(modules).toHaveLength(1);
  expect(others).toEqual(['Service']);
});

test('a version that is not served is left out; a deprecated one says so', () => {
  const { modules } = importKinds([source(crd('{}', { extra: "deprecated: true\n      deprecationWarning: 'use v2'" }))]);
  expect(modules[0]?.text).toContain('/** @deprecated use v2 */\nexport const Widget');
  expect(() => importKinds([source(crd('{}').replace('served: true', 'served: false'))])).toThrow('no version is served');
});

test('nested types whose names would clash are told apart', () => {
  const text = typesOf(
    '{ a-b: { type: object, properties: { x: { type: string } } }, aB: { type: object, properties: { y: { type: string } } } }',
  );
  expect(text).toMatch(
    /'a-b'\?: WidgetSpecAB \|[\s\S]*aB\?: WidgetSpecAB2 \|[\s\S]*interface WidgetSpecAB \{\n {2}readonly x[\s\S]*interface WidgetSpecAB2 \{\n {2}readonly y/,
  );
});

test('a kind may be called like a global type', () => {
  const { modules } = importKinds([
    source(crd('{ labels: { type: object, additionalProperties: { type: string } } }', { kind: 'Record' })),
  ]);
  expect(modules[0]?.text).toContain('labels?: { readonly [key: string]: string } | undefined;');
});

describe('what cannot be imported is refused with place, path and remedy', () => {
  const base = crd('{ size: { type: integer } }');
  const cases: readonly (readonly [string, string, string | RegExp])[] = [
    ['an alias bomb', bomb(9), /^crd\.yaml: its aliases cannot be followed: Excessive alias count/],
    [
      'aliases that unfold',
      bomb(2, 20),
      /crd\.yaml: .* holds more than 1000000 values once its aliases are followed|aliases cannot be followed/,
    ],
    ['an alias of nothing', 'a: *b', /^crd\.yaml: its aliases cannot be followed: Unresolved alias/],
    [
      'a List that holds itself',
      '&x\napiVersion: v1\nkind: List\nitems:\n- *x',
      'crd.yaml: items[0] is an alias of what it stands in, so it would never end; write it without the alias',
    ],
    [
      'a schema that holds itself',
      crd('{ a: &a { type: object, properties: { b: *a } } }'),
      'crd.yaml: spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.properties.b is an alias',
    ],
    [
      '3,000 levels of YAML',
      `a: ${'['.repeat(3_000)}${']'.repeat(3_000)}`,
      /^crd\.yaml: nested too deeply to be read, at line 1, column \d+/,
    ],
    [
      '3,000 levels of blocks',
      Array.from({ length: 3_000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
      /^crd\.yaml: nested too deeply/,
    ],
    [
      '600 levels',
      crd(`${'{ a: { type: object, properties: '.repeat(300)}{}${' } }'.repeat(300)}`),
      /is nested more than 500 levels deep|nested too deeply/,
    ],
    ['no YAML', 'a: [', 'crd.yaml: not valid YAML: '],
    ['a Helm template', '{{ if .Values.crds }}\na: [\n{{ end }}', 'it looks like a Helm template: render it first'],
    ['a scalar', 'hello', 'crd.yaml: is not a Kubernetes object (it has no apiVersion and kind)'],
    ['the second document', `${base}---\n[]\n`, 'crd.yaml, document 2: is not a Kubernetes object'],
    ['nothing', '# empty\n', 'crd.yaml: holds no CustomResourceDefinition (there is no document)'],
    ['another kind', 'apiVersion: v1\nkind: Service\n', 'crd.yaml: holds no CustomResourceDefinition (found Service)'],
    [
      'an old CRD',
      base.replace('io/v1', 'io/v1beta1'),
      'apiVersion "apiextensions.k8s.io/v1beta1" of the CRD is not supported: convert it',
    ],
    ['no group', base.replace('group: example.com', 'x: y'), 'crd.yaml: spec.group: is missing, expected a DNS name'],
    ['a group that is a path', base.replace('group: example.com', 'group: ../../etc'), 'spec.group: is "../../etc", expected a DNS name'],
    [
      'a version that is a path',
      base.replace('name: v1', 'name: ../v1'),
      'spec.versions[0].name: is "../v1", expected a name in lower case',
    ],
    ['a wrong scope', base.replace('Namespaced', 'Everywhere'), 'spec.scope: is "Everywhere", expected "Namespaced" or "Cluster"'],
    ['no versions', base.replace('versions:', 'verions:'), 'spec.versions: is missing, expected a list of versions'],
    [
      'no schema',
      base.replace('openAPIV3Schema', 'openAPISchema'),
      'spec.versions[0].schema.openAPIV3Schema: is missing, expected the schema',
    ],
    [
      'no type',
      crd('{ size: { format: int32 } }'),
      'openAPIV3Schema.properties.spec.properties.size: has no type: a structural schema names one',
    ],
    ['an unknown type', crd('{ size: { type: int } }'), 'properties.size.type: is "int", which is not a type of a CRD schema'],
    ['a list without items', crd('{ size: { type: array } }'), 'properties.size.items: is missing'],
    ['an enum of objects', crd('{ size: { type: object, enum: [{}] } }'), 'properties.size.enum: holds {}: only strings, numbers'],
    ['a schema that is none', crd('{ size: true }'), 'properties.size: is true, expected a schema'],
    [
      'two of a kind',
      `${base}---\n${base}`,
      'crd.yaml, document 2: spec.names.kind: Widget of example.com/v1 was already defined by another document',
    ],
    ['a reserved kind', crd('{}', { kind: 'ObjectMeta' }), 'ObjectMeta is a name that the generated module imports'],
  ];
  test.each(cases)('%s', (_, text, message) => {
    expect(() => importKinds([source(text)])).toThrow(message);
  });
});
