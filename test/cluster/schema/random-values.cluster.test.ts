import fc from 'fast-check';
import { fieldErrorText, type Json, type StructuralSchema } from '../../../src/kubernetes/apimachinery/index.js';
import { applyDefaults, createValidator, prune } from '../../../src/kubernetes/structural/index.js';
import { applyAll } from '../checks/index.js';
import { describeCluster, type TestObject } from '../harness/index.js';

const string: StructuralSchema = { type: 'string' };
const rule = (text: string, rest: object = {}) => ({ 'x-kubernetes-validations': [{ rule: text, ...rest }] });

/** A schema with something of everything. Names repeat, so that random fields meet random schemas. */
const spec: StructuralSchema = {
  type: 'object',
  required: ['a'],
  properties: {
    a: { type: 'string', minLength: 1, maxLength: 3, pattern: '^[abx]*$', ...rule("self != 'x'", { message: 'no x' }) },
    b: { type: 'integer', minimum: -2, maximum: 2, ...rule('self >= oldSelf', { reason: 'FieldValueForbidden' }) },
    c: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 2, minItems: 1, 'x-kubernetes-list-type': 'set' },
    d: {
      type: 'array',
      maxItems: 4,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
      items: {
        type: 'object',
        required: ['a'],
        properties: { a: { ...string, maxLength: 5 }, b: { type: 'integer', default: 1, maximum: 2 } },
        ...rule("!has(self.b) || self.b > 0 || self.a == 'a'", { messageExpression: "'b of ' + self.a", fieldPath: '.b' }),
      },
    },
    e: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { a: string, b: { type: 'number', multipleOf: 2 } } },
      maxProperties: 2,
    },
    f: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '^a', maximum: 1 },
    g: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { type: 'object', properties: { b: string } } },
      minProperties: 1,
    },
    h: { type: 'string', nullable: true, format: 'ipv4', oneOf: [{ minLength: 8 }, { pattern: '^1' }] },
    i: {
      type: 'object',
      properties: { a: string, b: { type: 'integer', default: 0 }, c: { type: 'array', items: { type: 'boolean' } } },
      anyOf: [{ required: ['a'] }, { required: ['c'], properties: { c: { minItems: 1 } } }],
      not: { required: ['a', 'c'] },
    },
    j: { type: 'number', exclusiveMinimum: true, minimum: 0, allOf: [{ maximum: 2 }, { multipleOf: 1 }] },
    k: { type: 'array', items: { type: 'object', properties: { a: { type: 'string', default: 'z', maxLength: 1 } } }, nullable: true },
    l: { 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const schema: StructuralSchema = { type: 'object', properties: { spec } };

const keys = fc.constantFrom('a', 'b', 'c', 'd', 'z');
const leaf = fc.constantFrom<Json>('a', 'b', 'x', '', 'abcd', '10.0.0.1', '1', 0, 1, 2, -3, 1.5, 0.5, true, false, null);
const { any } = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    { weight: 3, arbitrary: leaf },
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(keys, tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** Values that fit more often than chance would have it. */
const item = fc.record({ a: fc.constantFrom<Json>('a', 'b', 'c'), b: fc.constantFrom<Json>(-1, 0, 1, 2, 3) }, { requiredKeys: ['a'] });
const fitting: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  a: fc.constantFrom<Json>('a', 'a', 'b', 'ab', 'x', ''),
  b: fc.integer({ min: -3, max: 3 }),
  c: fc.array(fc.constantFrom<Json>('a', 'b', 'c'), { maxLength: 3 }),
  d: fc.array(item, { maxLength: 3 }),
  e: fc.dictionary(keys, fc.record({ a: leaf, b: fc.constantFrom<Json>(1, 2, 3, 'x') }, { requiredKeys: [] }), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
  i: fc.record({ a: fc.constantFrom<Json>('a', 1), c: fc.array(fc.boolean(), { maxLength: 2 }) }, { requiredKeys: [] }),
  f: fc.constantFrom<Json>('a', 'ab', 'b', 0, 1, 2),
  g: fc.record({ a: fc.record({ b: leaf, z: leaf }, { requiredKeys: [] }), z: leaf }, { requiredKeys: [] }),
  h: fc.constantFrom<Json>('10.0.0.1', '1.1.1.1', '2.2.2.2', null),
  j: fc.constantFrom<Json>(0, 1, 2, 1.5, 3),
  k: fc.array(fc.record({ a: leaf }, { requiredKeys: [] }), { maxLength: 2 }),
  l: any,
};

/** A few fields at a time: a fault in one must not hide the others. */
const value = fc
  .subarray(
    Object.keys(fitting).filter((name) => name !== 'a'),
    { maxLength: 4 },
  )
  .chain((names) =>
    fc.record(
      Object.fromEntries(
        ['a', ...names].map((name) => [name, fc.oneof({ weight: 12, arbitrary: fitting[name] ?? any }, { weight: 1, arbitrary: any })]),
      ),
      { requiredKeys: [...names] },
    ),
  ) as fc.Arbitrary<Record<string, Json>>;

const crd: TestObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'randoms.features.example.com' },
  spec: {
    group: 'features.example.com',
    scope: 'Namespaced',
    names: { kind: 'Random', plural: 'randoms' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
};

const objectOf = (spec: Json): Json => ({ apiVersion: 'features.example.com/v1', kind: 'Random', metadata: { name: 'a' }, spec });

/** What nobody thought of: random values, created and changed, judged by the real API server and by us. */
describeCluster('random values', (cluster) => {
  let namespace = '';
  const validator = createValidator(schema);
  const received = (object: Json) => applyDefaults(schema, prune(schema, object, { isResourceRoot: true }));
  const collection = () => `/apis/features.example.com/v1/namespaces/${namespace}/randoms`;
  const sample = (numRuns: number, seed: number) => fc.sample(fc.tuple(value, value), { numRuns, seed });
  beforeAll(async () => {
    namespace = await cluster.namespace('random');
    await applyAll(cluster, [crd]);
  });
  afterAll(async () => {
    await cluster.must('DELETE', await cluster.paths.pathOf(crd));
  });

  interface Answer {
    readonly spec?: Json;
    readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
  }
  const texts = ({ details }: Answer) => (details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`).sort();

  test('are stored or refused alike', async () => {
    let stored = 0;
    for (const [spec] of sample(600, 1)) {
      const ours = received(objectOf(spec));
      const { status, body } = await cluster.request<Answer>('POST', collection(), objectOf(spec), { query: { dryRun: 'All' } });
      expect({ spec, texts: validator.validate(ours).map(fieldErrorText).sort() }).toEqual({ spec, texts: texts(body) });
      if (status !== 201) continue;
      stored += 1;
      expect((ours as { spec: Json }).spec).toEqual(body.spec);
    }
    expect(stored).toBeGreaterThan(20);
  });

  test('are changed or refused alike', async () => {
    let changed = 0;
    const stored = sample(3000, 2).filter(([spec]) => validator.validate(received(objectOf(spec))).length === 0);
    for (const [index, [old, next]] of stored.slice(0, 150).entries()) {
      const name = `a${index}`;
      const { metadata } = await cluster.must('POST', collection(), { ...(objectOf(old) as object), metadata: { name } });
      // Parts of the old value stay, so that there is something to spare.
      const spec = { ...old, ...next };
      const errors = validator.validate(received(objectOf(spec)), { old: received(objectOf(old)) });
      const { status, body } = await cluster.request<Answer>(
        'PUT',
        `${collection()}/${name}`,
        { ...(objectOf(spec) as object), metadata },
        { query: { dryRun: 'All' } },
      );
      expect({ old, spec, texts: errors.map(fieldErrorText).sort() }).toEqual({ old, spec, texts: texts(body) });
      if (status === 200) changed += 1;
    }
    expect(changed).toBeGreaterThan(10);
  });
});
