import { runIn } from '../commands.js';
import { shapeProblems } from '../report-shape.js';
import { TestFolder } from '../test-folder.js';

const folder = new TestFolder('validate');

const PROPERTIES = {
  size: { type: 'string', default: 'small', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'size is immutable' }] },
  heat: { type: 'integer', minimum: 1 },
  low: { type: 'integer' },
  shelves: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  },
};

function crd(change: { readonly plural?: string; readonly properties?: object; readonly conversion?: object } = {}): string {
  const { plural = 'kilns', properties = PROPERTIES, conversion } = change;
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      required: ['spec'],
      properties: {
        spec: {
          type: 'object',
          required: ['heat'],
          properties,
          'x-kubernetes-validations': [{ rule: '!has(self.low) || self.low < self.heat', message: 'low must be below heat' }],
        },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  };
  const version = { served: true, subresources: { status: {} }, schema };
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.lab.example.org` },
    spec: {
      group: 'lab.example.org',
      scope: 'Namespaced',
      names: { plural, singular: 'kiln', kind: 'Kiln', listKind: 'KilnList' },
      versions: [
        { ...version, name: 'v1', storage: true },
        { ...version, name: 'v1alpha1', storage: false },
      ],
      ...(conversion && { conversion }),
    },
  });
}

const kiln = (spec: object, metadata: object = { name: 'one' }): string =>
  JSON.stringify({ apiVersion: 'lab.example.org/v1', kind: 'Kiln', metadata, spec });

const validate = (words: string, input = '') => runIn(folder.path, ['validate', ...words.split(' ')], { readInput: async () => input });

beforeEach(() => folder.put('crds/kiln.yaml', crd()));

test('an object that fits is not told of as a failure', async () => {
  folder.put('a.yaml', kiln({ heat: 5 }));
  expect(await validate('--crds crds a.yaml')).toEqual({ status: 0, out: 'a.yaml: Kiln one: valid\n', error: '' });
});

test.each([
  ['a bound', kiln({ heat: 0 }), '  spec.heat: Invalid value: 0: spec.heat in body should be greater than or equal to 1\n'],
  ['a rule', kiln({ heat: 5, low: 9 }), '  spec: Invalid value: low must be below heat\n'],
  ['a list of type map', kiln({ heat: 5, shelves: [{ name: 'a' }, { name: 'a' }] }), '  spec.shelves[1]: Duplicate value: {"name":"a"}\n'],
  ['a required field', kiln({}), '  spec.heat: Required value\n'],
  [
    'an unknown field',
    kiln({ heat: 5, heta: 5 }),
    '  Kiln in version "v1" cannot be handled as a Kiln: strict decoding error: unknown field "spec.heta"\n',
  ],
  [
    'a field that is there twice',
    'apiVersion: lab.example.org/v1\nkind: Kiln\nmetadata: {name: one}\nspec:\n  heat: 5\n  heat: 6\n',
    '  Kiln in version "v1" cannot be handled as a Kiln: strict decoding error: yaml: unmarshal errors:\n    line 6: key "heat" already set in map\n',
  ],
  ['a name', kiln({ heat: 5 }, { name: 'One' }), '  metadata.name: Invalid value: "One": a lowercase RFC 1123 subdomain must'],
  ['a namespace that none can have', kiln({ heat: 5 }, { name: 'one', namespace: 'A_b' }), '  namespaces "A_b" not found\n'],
  [
    'a version that is not served',
    kiln({ heat: 5 }).replace('/v1', '/v3'),
    '  no matches for kind "Kiln" in version "lab.example.org/v3"\n',
  ],
  ['its size', kiln({ heat: 5, size: 'x'.repeat(1_600_000) }), '  etcdserver: request is too large: the object has '],
])('an object that breaks %s does not pass', async (_what, text, told) => {
  folder.put('a.yaml', text);
  const { status, out, error } = await validate('--crds crds/*.yaml a.yaml');
  expect({ status, error }).toEqual({ status: 1, error: 'keelson validate: of 1, 1 not valid\n' });
  expect(out).toContain(told);
});

describe('with --old', () => {
  test('a transition rule is not passed over', async () => {
    folder.put('old.yaml', kiln({ heat: 5, size: 'large' }));
    folder.put('new.yaml', kiln({ heat: 5 }));
    const { status, out } = await validate('--crds crds --old old.yaml new.yaml');
    expect({ status, out }).toEqual({
      status: 1,
      out: 'new.yaml: Kiln one: not valid\n  spec.size: Invalid value: "small": size is immutable\n',
    });
  });

  test('a value that was wrong before and did not change is not refused: the server ratchets', async () => {
    folder.put('old.yaml', kiln({ heat: 0 }, { name: 'one', namespace: 'default', uid: 'of-another-cluster', resourceVersion: '17' }));
    folder.put('new.yaml', kiln({ heat: 0, shelves: [{ name: 'a' }] }, { name: 'one' }));
    expect(await validate('--crds crds --old old.yaml new.yaml -o json')).toMatchObject({
      status: 0,
      out: expect.stringContaining('"update"'),
    });
  });

  test('an object of another name or namespace is not its old one', async () => {
    folder.put('old.yaml', kiln({ heat: 5, size: 'large' }, { name: 'one', namespace: 'elsewhere' }));
    folder.put('new.yaml', kiln({ heat: 5 }));
    expect(await validate('--crds crds --old old.yaml new.yaml')).toMatchObject({ status: 0 });
  });

  test('an old object at a version that a webhook would convert is not judged', async () => {
    const clientConfig = { url: 'https://hooks.example.com/' };
    folder.put('crds/kiln.yaml', crd({ conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } } }));
    folder.put('old.yaml', kiln({ heat: 5 }).replace('/v1', '/v1alpha1'));
    folder.put('new.yaml', kiln({ heat: 5 }));
    const { status, out } = await validate('--crds crds --old old.yaml new.yaml');
    expect({ status, out }).toEqual({ status: 1, out: expect.stringMatching(/^new\.yaml: Kiln one: not judged\n {2}.*conversion/) });
  });
});

describe('an object of a kind that no CRD describes', () => {
  const OTHER = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });

  test('does not pass as judged', async () => {
    const { status, out, error } = await validate('--crds crds -', `${OTHER}\n---\n${kiln({ heat: 1 })}`);
    expect(out).toBe(
      'standard input, document 1 (line 1): ConfigMap a: not judged\n  no CustomResourceDefinition describes ConfigMap of v1; name it with --crds\n' +
        'standard input, document 2 (line 2): Kiln one: valid\n',
    );
    expect({ status, error }).toEqual({ status: 1, error: 'keelson validate: of 2, 1 not judged\n' });
  });

  test('is no failure with --ignore-missing-crds', async () => {
    expect(await validate('--crds crds --ignore-missing-crds -', OTHER)).toMatchObject({ status: 0 });
  });
});

describe('a CRD', () => {
  test('that is not valid does not let its objects pass', async () => {
    folder.put('crds/kiln.yaml', crd({ properties: { heat: { type: 'number', minimum: 'one' } } }));
    folder.put('a.yaml', kiln({ heat: 1 }));
    const { status, out } = await validate('--crds crds --ignore-missing-crds a.yaml');
    expect(status).toBe(1);
    expect(out).toMatch(/^crds\/kiln\.yaml: CustomResourceDefinition kilns\.lab\.example\.org: not valid\n {2}\S/);
    expect(out).toMatch(/a\.yaml: Kiln one: not judged\n {2}the CustomResourceDefinition of Kiln \(crds\/kiln\.yaml\) is not valid\n$/);
  });

  test('whose names are taken is not taken for an established one', async () => {
    folder.put('crds/other.yaml', crd({ plural: 'ovens' }));
    folder.put('a.yaml', kiln({ heat: 1 }));
    const { status, out } = await validate('--crds crds a.yaml');
    expect(status).toBe(1);
    expect(out).toContain('crds/other.yaml: CustomResourceDefinition ovens.lab.example.org: not valid\n  ');
  });

  test('among the files is judged, and counts', async () => {
    folder.put('all/1.yaml', kiln({ heat: 1 }));
    folder.put('all/deep/2.yaml', crd());
    expect(await validate('all')).toMatchObject({
      status: 0,
      out: 'all/deep/2.yaml: CustomResourceDefinition kilns.lab.example.org: valid\nall/1.yaml: Kiln one: valid\n',
    });
  });
});

describe('what holds no object', () => {
  test.each([
    ['a file that is absent', 'none.yaml', 'none.yaml: not judged\n  there is no such file or folder\n'],
    ['a pattern that nothing matches', 'x/**/*.yaml', 'x/**/*.yaml: not judged\n  no file matches this pattern\n'],
    ['a text that is no YAML', 'bad.yaml', 'bad.yaml: not judged\n  is not valid YAML: yaml: line 1:'],
    ['a template', 'template.yaml', 'it looks like a Helm template: render it first'],
    [
      'an object without a kind',
      'values.yaml',
      'values.yaml: not judged\n  is not a Kubernetes object: it has no apiVersion and no kind and no metadata\n',
    ],
    ['an empty file', 'empty.yaml', 'empty.yaml: not judged\n  is empty\n'],
  ])('%s hides no other file, and fails', async (_what, file, told) => {
    folder.put('good.yaml', kiln({ heat: 1 }));
    folder.put('bad.yaml', 'a: [b');
    folder.put('template.yaml', 'a: {{ .Values.b }}\n');
    folder.put('values.yaml', 'replicas: 1\n');
    folder.put('empty.yaml', '# nothing\n');
    const { status, out } = await validate(`--crds crds ${file} good.yaml`);
    expect(status).toBe(1);
    expect(out).toContain(told);
    expect(out).toContain('good.yaml: Kiln one: valid\n');
  });
});

test('a List is what it lists, and what a server wrote into an object is no problem', async () => {
  const metadata = { name: 'one', uid: 'u', resourceVersion: '12', generation: 3, creationTimestamp: '2026-01-01T00:00:00Z' };
  const list = {
    apiVersion: 'v1',
    kind: 'List',
    items: [kiln({ heat: 1 }, metadata), kiln({ heat: 0 }, metadata)].map((text) => JSON.parse(text)),
  };
  const { out } = await validate('--crds crds -', JSON.stringify(list));
  expect(out).toMatch(/^standard input, items\[0\]: Kiln one: valid\nstandard input, items\[1\]: Kiln one: not valid\n/);
});

test('the JSON names its version, and has the shape that the package promises', async () => {
  const { out } = await validate('--crds crds -o json -', kiln({ heat: 0 }));
  expect(shapeProblems('validation-report.v1', JSON.parse(out))).toEqual([]);
  expect(JSON.parse(out)).toEqual({
    apiVersion: 'cli.keelson.dev/v1',
    kind: 'ValidationReport',
    summary: { valid: 0, invalid: 1, unjudged: 0, ignored: 0 },
    objects: [
      {
        place: 'standard input',
        object: { apiVersion: 'lab.example.org/v1', kind: 'Kiln', name: 'one' },
        operation: 'create',
        verdict: 'invalid',
        message:
          'Kiln.lab.example.org "one" is invalid: spec.heat: Invalid value: 0: spec.heat in body should be greater than or equal to 1',
        fields: [{ field: 'spec.heat', message: 'Invalid value: 0: spec.heat in body should be greater than or equal to 1' }],
        warnings: [],
      },
    ],
  });
});

test.each([
  ['', 'keelson validate: no file given; pass custom resources in YAML, a folder of them, or - for standard input'],
  ['--output yaml a.yaml', 'keelson validate: --output yaml: is not known; choose text or json'],
  ['--crds - -', 'keelson validate: - is given more than once; standard input can be read once'],
  ['--crd crds a.yaml', 'keelson validate: unknown option --crd; did you mean --crds?'],
])('a wrong command line (%j) is told with the way out', async (words, told) => {
  const { status, error } = await runIn(folder.path, ['validate', ...words.split(' ').filter((word) => word !== '')]);
  expect({ status, error }).toEqual({ status: 2, error: `${told}\nSee keelson validate --help.\n` });
});
