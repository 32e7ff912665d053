import type { z } from 'zod';
import { k, structuralSchemaOf } from '../../../../src/keelson/schema/index.js';
import type { StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';
import { builtinSchema } from '../../../../src/kubernetes/kinds/index.js';

describe('k.builtin with open enumerations', () => {
  const converted = (schema: z.ZodType): StructuralSchema =>
    structuralSchemaOf(schema, { path: 'spec', resolveBuiltin: (name) => builtinSchema(name as 'PodSpec') });
  const enums = (schema: unknown): number => [...JSON.stringify(schema).matchAll(/"enum":/g)].length;

  test('differs from the closed type in the lists of values alone, at any depth', () => {
    const closed = converted(k.builtin('PodTemplateSpec'));
    const open = converted(k.builtin('PodTemplateSpec', { open: true }));
    expect(enums(closed)).toBeGreaterThan(50);
    expect(enums(open)).toBe(0);
    const withoutLists = JSON.parse(JSON.stringify(closed), (key, value: unknown) =>
      key === 'enum' && Array.isArray(value) ? undefined : value,
    );
    expect(open).toEqual(withoutLists);
    expect(converted(k.builtin('PodTemplateSpec', { open: false }))).toEqual(closed);
  });

  test('keeps a field that is called enum', () => {
    expect(converted(k.builtin('CustomResourceSubresources', { open: true }))).toEqual(converted(k.builtin('CustomResourceSubresources')));
    const selector = converted(k.builtin('NodeSelectorRequirement', { open: true }));
    expect(selector).toMatchObject({ properties: { operator: { type: 'string' }, values: { type: 'array', items: { type: 'string' } } } });
  });

  test('takes a value of a later version', () => {
    const toleration: z.ZodType = k.builtin('Toleration', { open: true });
    expect(toleration.parse({ operator: 'Gt' })).toEqual({ operator: 'Gt' });
  });
});
