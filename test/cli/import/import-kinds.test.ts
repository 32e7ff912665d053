import type { Source } from '../../../src/cli/import/index.js';
import { importKinds } from '../../../src/cli/index.js';
import { crd, source } from './crd-text.js';

/** Each list holds the one before it so many times. */
function bomb(times: number, lists = 6): string {
  const lines = Array.from(
    { length: lists },
    (_, index) => `l${index + 1}: &l${index + 1} [${Array(times).fill(`*l${index}`).join(', ')}]`,
  );
  return [`l0: &l0 [${Array(times).fill('x').join(', ')}]`, ...lines].join('\n');
}

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

test.each([
  ['ObjectMeta', 'ObjectMetaResource'],
  ['orchardql', 'Orchardql'],
  ['Foo-bar', 'FooBar'],
])('the kind %s is called %s in its module', (kind, local) => {
  const [module] = importKinds([source(crd('{ size: { type: integer } }', { kind }))]).modules;
  expect(module?.text).toContain(`export const ${local}: Kind<${local}, `);
  expect(module?.text).toContain(`kind: '${kind}'`);
});

test('a quoted text that continues at the column of its item is read as kubectl reads it', () => {
  const text = crd('{}', {
    extra: `additionalPrinterColumns:
      - description: 'Since when, as the
      keeper''s log has it: not
      in order.'
        jsonPath: .metadata.creationTimestamp
        name: Age
        type: "da\\
      te"`,
  });
  expect(importKinds([source(text)]).modules).toHaveLength(1);
});

test('an enumeration of objects has the type of its values', () => {
  const [module] = importKinds([source(crd('{ size: { type: object, enum: [{}, { a: 1 }] }, unit: { type: string, enum: [] } }'))]).modules;
  expect(module?.text).toContain('readonly size: { readonly [key: string]: unknown };');
  expect(module?.text).toContain('readonly unit?: string | undefined;');
});

test('words of YAML mean what they mean to kubectl', () => {
  const text = crd('{ unit: { type: string, enum: [2020-01-01, 12:30:45] }, <<: *more }', { extra: 'deprecated: yes' });
  const [module] = importKinds([source(`x-more: &more { on: { type: integer } }\n${text}`)]).modules;
  expect(module?.text).toContain('@deprecated');
  expect(module?.text).toContain("readonly unit?: '2020-01-01' | '12:30:45' | undefined;");
  expect(module?.text).toContain('readonly true?: number | undefined;');
});

test('every problem of every file is listed, and a kind can be left out', () => {
  const bad = (kind: string): Source => source(crd('{ size: { type: int } }', { kind }), `${kind}.yaml`);
  const sources = [bad('Widget'), source(crd('{}', { kind: 'Gadget' })), bad('Gizmo'), source('a: [', 'broken.yaml')];
  expect(() => importKinds(sources)).toThrow(
    /^3 problems:\nbroken\.yaml: not valid YAML.*\nGizmo\.yaml.*"int".*\nWidget\.yaml.*"int".*\nTo go on without them: --skip Gizmo --skip Widget$/s,
  );
  const { modules } = importKinds(sources.slice(0, 3), { skip: ['Gizmo', 'Widget.example.com'] });
  expect(modules.map(({ kinds }) => kinds)).toEqual([['Gadget']]);
  expect(() => importKinds(sources.slice(0, 2), { skip: ['Widgte'] })).toThrow(
    '--skip Widgte: no CustomResourceDefinition has this kind; found Widget, Gadget',
  );
  expect(() => importKinds(sources.slice(0, 1), { skip: ['Widget'] })).toThrow('--skip Widget: nothing remains of Widget');
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
    ['a schema that is none', crd('{ size: true }'), 'properties.size: is true, expected a schema'],
    [
      'two of a kind',
      `${base}---\n${base}`,
      'crd.yaml, document 2: spec.names.kind: Widget of example.com/v1 was already defined by another document',
    ],
  ];
  test.each(cases)('%s', (_, text, message) => {
    expect(() => importKinds([source(text)])).toThrow(message);
  });
});
