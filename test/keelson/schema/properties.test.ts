import fc from 'fast-check';
import { z } from 'zod';
import { k, structuralSchemaOf } from '../../../src/keelson/schema/index.js';
import type { Json, StructuralSchema } from '../../../src/kubernetes/apimachinery/index.js';
import { applyDefaults, compareSchemas, prune, validate } from '../../../src/kubernetes/structural/index.js';

/** Schemas on which zod and the API server are meant to agree: no rules, no nulls where none are allowed. */
const scalar = fc.constantFrom<() => z.ZodType>(
  () => z.string(),
  () => z.string().min(1).max(3),
  () => z.string().regex(/^[ab]*$/),
  () => k.int32().min(-5).max(5),
  () => k.int64(),
  () => z.number().min(0.5).max(2.5),
  () => z.number().multipleOf(2),
  () => z.boolean(),
  () => z.enum(['a', 'b']),
  () => z.literal([1, 2]),
  () => z.string().nullable(),
  () => k.intOrString(),
  () => k.quantity(),
  () => z.string().default('x'),
  () => k.int32().default(3),
);

const { schemaOf } = fc.letrec<{ schemaOf: () => z.ZodType }>((tie) => ({
  schemaOf: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'x-y'), tie('schemaOf'), fc.boolean()), { maxLength: 3 })
      .map(
        (fields) => () =>
          z.object(Object.fromEntries(fields.map(([name, make, optional]) => [name, optional ? make().optional() : make()]))),
      ),
    required(tie('schemaOf')).map((make) => () => z.array(make()).max(2)),
    required(tie('schemaOf')).map((make) => () => z.record(z.string(), make())),
    fc.constant(() => k.set(k.int32())),
    fc.constant(() => k.listMap(z.object({ name: z.string(), size: k.int32().default(1) }), 'name')),
  ),
}));

/** Items and values of records are never absent: no default stands on them. */
function required(schemas: fc.Arbitrary<() => z.ZodType>): fc.Arbitrary<() => z.ZodType> {
  return schemas.filter((make) => make().safeParse(undefined).success === false);
}

const leaf = fc.oneof(
  fc.constantFrom<Json>('a', 'b', 'x', '', 'abcd', '1Gi', true, 1, 2, 3, 0.5, -7, 2147483648),
  fc.integer({ min: -9, max: 9 }),
);

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'x-y', 'name', 'size', 'other'), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

function structural(make: () => z.ZodType): StructuralSchema {
  return structuralSchemaOf(make(), { path: 'spec', resolveBuiltin: () => undefined });
}

test('zod and the API server accept the same values, and store the same', () => {
  let accepted = 0;
  fc.assert(
    fc.property(schemaOf, value, (make, input) => {
      const schema = structural(make);
      const received = applyDefaults(schema, prune(schema, input));
      const errors = validate(schema, received, { isResourceRoot: false });
      const parsed = make().safeParse(input);
      expect({ errors, accepted: errors.length === 0 }).toMatchObject({ accepted: parsed.success });
      if (!parsed.success) return;
      accepted += 1;
      expect(received).toEqual(parsed.data);
    }),
    { numRuns: 2000 },
  );
  // Otherwise only refusals would have been compared.
  expect(accepted).toBeGreaterThan(100);
});

test('defaulting and pruning are done once: again they change nothing, not even the identity', () => {
  fc.assert(
    fc.property(schemaOf, value, (make, input) => {
      const schema = structural(make);
      const defaulted = applyDefaults(schema, input);
      expect(applyDefaults(schema, defaulted)).toBe(defaulted);
      const pruned = prune(schema, input);
      expect(prune(schema, pruned)).toBe(pruned);
    }),
  );
});

test('an update that changes nothing is never refused', () => {
  fc.assert(
    fc.property(schemaOf, value, (make, input) => {
      const schema = structural(make);
      const pruned = prune(schema, input);
      // As on the server: an item without its keys cannot be found again, and a rule that cannot be evaluated is not spared.
      fc.pre(!/list-map-keys|validations/.test(JSON.stringify(schema)));
      expect(validate(schema, pruned, { old: structuredClone(pruned), isResourceRoot: false })).toEqual([]);
    }),
  );
});

test('a schema compared with itself has not changed', () => {
  fc.assert(fc.property(schemaOf, (make) => expect(compareSchemas(structural(make), structural(make))).toEqual([])));
});
