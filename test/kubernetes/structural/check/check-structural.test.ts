import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { checkResourceSchema, k, structuralSchemaOf } from '../../../../src/keelson/schema/index.js';
import { fieldErrorText, type StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';
import { checkStructural } from '../../../../src/kubernetes/structural/index.js';
import { judgedFields, rootAround } from './judged-schemas.js';

const golden = JSON.parse(readFileSync(join(__dirname, 'golden/judged-schemas.json'), 'utf8')) as Record<string, string[]>;

test.each(Object.entries(judgedFields))('%s: the words of the real API server', (name, field) => {
  const errors = checkStructural(rootAround(field), { path: 'spec.validation.openAPIV3Schema' });
  expect(errors.map(fieldErrorText).sort()).toEqual([...(golden[name] ?? ['not judged yet'])].sort());
});

function authored(spec: z.ZodType): StructuralSchema {
  return { type: 'object', properties: { spec: structuralSchemaOf(spec, { path: 'spec', resolveBuiltin: () => undefined }) } };
}

const texts = (schema: StructuralSchema) => checkResourceSchema(schema).map(({ path, message }) => `${path}: ${message}`);

test('authors read paths of fields, not of the schema', () => {
  const spec = z.object({
    list: z.array(z.object({ size: z.int().min(3).default(1) })),
    map: z.record(z.string(), z.object({ a: z.string().default('x').check(k.rule('self == "y"')) })),
  });
  expect(texts(authored(spec))).toEqual([
    'spec.list[].size: default: Invalid value: 1: should be greater than or equal to 3',
    // A server finds this one no sooner than in an object that lacks the field.
    'spec.map.*.a: default: Invalid value: "x": failed rule: self == "y"',
  ]);
});

test('a rule that does not compile is shown with the place of the fault', () => {
  expect(texts(authored(z.object({ a: z.string() }).check(k.rule('self.b == 1'))))).toEqual([
    'spec: the rule "self.b == 1": compilation failed: ERROR: <input>:1:5: undefined field \'b\'\n | self.b == 1\n | ....^',
  ]);
});

test('lookaround in a pattern by hand is called by its name', () => {
  expect(texts(rootAround({ type: 'string', pattern: '(?!a)' }))).toEqual([
    'spec.field: pattern: Invalid value: "(?!a)": must be a valid regular expression, but isn\'t: lookaround is not supported by RE2, which the API server uses; split it into several patterns, or check it with k.rule()',
  ]);
});

test('duplicates in a default are told, though the API server would only refuse the objects', () => {
  expect(texts(authored(z.object({ tags: k.set(z.string()).default(['a', 'a']) })))).toEqual([
    'spec.tags: default[1]: Duplicate value: "a"',
  ]);
});

test('a list-map key must be required or defaulted', () => {
  const item = z.object({ name: z.string().optional() });
  expect(texts(authored(z.object({ list: k.listMap(item, 'name') })))).toEqual([
    'spec.list[].name: default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
  ]);
});

test('beside a status subresource the root takes fewer keywords', () => {
  const schema: StructuralSchema = { type: 'object', minProperties: 1, properties: {} };
  expect(checkStructural(schema, { statusSubresource: true })).toMatchObject([{ field: 'openAPIV3Schema', reason: 'FieldValueInvalid' }]);
  expect(checkStructural(schema)).toEqual([]);
});
