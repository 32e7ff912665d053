import { z } from 'zod';
import { convertSchema, k, SchemaError, structuralSchemaOf } from '../../../../src/keelson/schema/index.js';
import { refusalCases } from './refusal-cases.js';

const options = { path: 'spec', resolveBuiltin: () => undefined };

test.each(refusalCases)('refuses: %s', (_name, schema, problems) => {
  const found = convertSchema(schema() as z.ZodType, options).problems;
  expect(found.map(({ path, message }) => `${path}: ${message}`)).toEqual(problems);
});

test('all problems of a definition are told at once, each with its path', () => {
  const schema = z.object({ when: z.date(), list: z.array(z.object({ any: z.any() })), map: z.record(z.string(), z.bigint()) });
  expect(() => structuralSchemaOf(schema, options)).toThrow(
    [
      '3 problems in the schema',
      '  spec.when: z.date() has no JSON form: the API carries text; write k.timestamp() (or k.microTime(), k.date())',
      '  spec.list[].any: z.any() has no schema; write k.json() for any JSON value, or k.preserveUnknown() for an object with unknown fields',
      '  spec.map.*: a bigint has no JSON form; write k.int64() (safe up to 2^53 - 1) or, for more, z.string() with a pattern',
    ].join('\n'),
  );
});

test('a SchemaError tells who can mend it, and carries the problems', () => {
  const error = caught(() => structuralSchemaOf(z.date(), options));
  expect(error).toMatchObject({ name: 'SchemaError', actor: 'author', code: 'KEELSON_SCHEMA_INVALID', problems: [{ path: 'spec' }] });
  expect(error).toBeInstanceOf(SchemaError);
});

test('zod itself refuses to pick from an object with rules: a rule could name what is gone', () => {
  const ruled = z.object({ a: z.string(), b: z.string() }).check(k.rule('self.a != self.b'));
  expect(() => ruled.pick({ a: true })).toThrow('refinements');
});

test('nesting without end is told instead of overflowing the stack', () => {
  let schema: z.ZodType = z.string();
  for (let depth = 0; depth < 10_000; depth += 1) schema = z.object({ a: schema });
  expect(convertSchema(schema, options).problems).toMatchObject([
    { message: 'nested deeper than 64 levels; flatten it, or use k.preserveUnknown()' },
  ]);
});

test('a pattern of zod that may change with zod is taken with a warning', () => {
  expect(convertSchema(z.ulid(), options).warnings).toEqual([
    { path: 'spec', message: "the pattern of the format ulid is zod's own and may change with zod; write .regex() to pin it" },
  ]);
});

function caught(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}
