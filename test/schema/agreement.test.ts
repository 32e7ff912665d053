import { z } from 'zod';
import { builtinSchema } from '../../src/kinds/index.js';
import { fieldErrorText, type Json, type StructuralSchema } from '../../src/kubernetes/index.js';
import { applyDefaults, prune, structuralSchemaOf, validate } from '../../src/schema/index.js';
import { zodGroups } from '../cluster/schema/zod-cases/index.js';

/** The cases that a real API server has judged (test/cluster/schema): our own judge must say the same. */
describe.each(Object.entries(zodGroups))('%s, as the real API server judges them', (kind, cases) => {
  const schema = rootOf(
    Object.fromEntries(Object.entries(cases).map(([name, { schema: field }]) => [name, field.optional()])) as z.ZodRawShape,
  );
  const objectOf = (name: string, value: Json | undefined): Json => ({
    apiVersion: 'features.example.com/v1',
    kind,
    metadata: { name: 'a' },
    spec: value === undefined ? {} : { [name]: value },
  });
  const received = (value: Json) => applyDefaults(schema, prune(schema, value, { isResourceRoot: true }));
  const texts = (value: Json, old?: Json) => validate(schema, received(value), { old: old && received(old) }).map(fieldErrorText);

  const invalid = Object.entries(cases).flatMap(([name, entry]) => (entry.invalid ?? []).map((item) => ({ name, ...item })));
  test.each(invalid)('refuses $name: $value', ({ name, value, refusals }) => {
    expect(texts(objectOf(name, value)).sort()).toEqual([...refusals].sort());
  });

  const valid = Object.entries(cases).flatMap(([name, entry]) => (entry.valid ?? []).map((item) => ({ name, ...item })));
  test.each(valid)('stores $name: $value', ({ name, value, stored = value }) => {
    expect(texts(objectOf(name, value))).toEqual([]);
    expect(received(objectOf(name, value))).toEqual(objectOf(name, stored));
  });

  const updates = Object.entries(cases).flatMap(([name, entry]) => (entry.updates ?? []).map((item) => ({ name, ...item })));
  if (updates.length === 0) return;
  test.each(updates)('judges the change of $name from $old to $value', ({ name, old, value, refusals }) => {
    expect(texts(objectOf(name, value), objectOf(name, old))).toEqual(refusals);
  });
});

function rootOf(fields: z.ZodRawShape): StructuralSchema {
  const spec = structuralSchemaOf(z.object(fields), { path: 'spec', resolveBuiltin: (name) => builtinSchema(name as 'PodSpec') });
  return {
    type: 'object',
    required: ['spec'],
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' }, spec },
  };
}
