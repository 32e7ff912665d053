import { z } from 'zod';
import { k, structuralSchemaOf } from '../../../src/keelson/schema/index.js';
import type { StructuralSchema } from '../../../src/kubernetes/apimachinery/index.js';

const converted = (schema: unknown): StructuralSchema =>
  structuralSchemaOf(schema as z.ZodType, { path: 'spec', resolveBuiltin: () => undefined });

/** A mark that got lost would change the CRD in silence. */
describe('a mark survives', () => {
  const ruled = z.string().check(k.rule('self != "x"'));
  const rules = [{ rule: 'self != "x"' }];
  test.each<[string, () => z.ZodType]>([
    ['checks', () => ruled.min(1).max(9).regex(/a/)],
    ['a description', () => ruled.describe('d')],
    ['metadata', () => ruled.meta({ title: 't' })],
    ['optional', () => ruled.optional()],
    ['nullable', () => ruled.nullable()],
    ['a default', () => ruled.default('a')],
    ['readonly', () => ruled.readonly()],
    ['brand', () => ruled.brand('B')],
  ])('%s', (_name, schema) => {
    expect(converted(schema())).toMatchObject({ 'x-kubernetes-validations': rules });
  });

  const object = z.object({ a: z.string() }).check(k.rule('self.a != "x"'));
  test.each<[string, () => z.ZodType]>([
    ['safeExtend', () => object.safeExtend({ b: z.string() })],
    ['required', () => object.required()],
  ])('%s', (_name, schema) => {
    expect(converted(schema())).toMatchObject({ 'x-kubernetes-validations': [{ rule: 'self.a != "x"' }] });
  });
});

test('a description survives the checks behind it', () => {
  expect(converted(z.string().describe('d').min(1).optional())).toMatchObject({ description: 'd', minLength: 1 });
});

test('the outermost description counts', () => {
  expect(converted(z.string().describe('inner').optional().describe('outer'))).toMatchObject({ description: 'outer' });
});

test('two copies of keelson understand each other', () => {
  let other: typeof k | undefined;
  jest.isolateModules(() => {
    other = (require('../../../src/keelson/schema/index.js') as { k: typeof k }).k;
  });
  expect(other).not.toBe(k);
  expect(converted(other?.set(z.string()))).toEqual(converted(k.set(z.string())));
});

test('a list that is a set, and atomic, stays a set', () => {
  expect(converted(k.atomic(k.set(z.string())))).toMatchObject({ 'x-kubernetes-list-type': 'set' });
  expect(converted(k.atomic(z.array(z.string())))).toMatchObject({ 'x-kubernetes-list-type': 'atomic' });
});

test('below an atomic object or record values keep their older selves, as the API server has it', () => {
  const rule = { 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'field is immutable' }] };
  const spec = converted(k.atomic(z.record(z.string(), k.immutable(z.string()))));
  expect(spec).toEqual({ type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string', ...rule } });
});
