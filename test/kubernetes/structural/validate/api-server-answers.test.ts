import type { Json, StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';
import { applyDefaults, prune, validate } from '../../../../src/kubernetes/structural/index.js';
import { featureGroups } from '../../../cluster/schema/cases/index.js';
import { featureObject, specSchemaOf } from '../../../cluster/schema/feature-resource.js';
import { featureDefinitions, zodGroups } from '../../../cluster/schema/zod-cases/index.js';

/**
 * keelson answers as the real API server does. The tables of cases hold the server's answers, to the letter; the suites in test/cluster ask the server
 * itself, and need its binaries: these need nothing.
 */

/** What the server makes of an object before it judges it. */
const received = (schema: StructuralSchema, object: Json): Json => applyDefaults(schema, prune(schema, object, { isResourceRoot: true }));

const objectOf = (kind: string, name: string, value: Json | undefined): Json =>
  featureObject(kind, 'default', [name, value]) as unknown as Json;

const lines = (schema: StructuralSchema, object: Json, old?: Json): string[] =>
  validate(schema, received(schema, object), { old })
    .map(({ reason, field, message }) => `${reason} ${field}: ${message}`)
    .sort();

describe.each(Object.entries(featureGroups))('hand-written schemas: %s', (kind, cases) => {
  const schema: StructuralSchema = { type: 'object', properties: { spec: specSchemaOf(cases) } };

  const invalid = Object.entries(cases).flatMap(([name, { invalid: entries = [] }]) => entries.map((entry) => ({ name, ...entry })));
  test.each(invalid)('refuses $name: $value', ({ name, value, causes }) => {
    const expected = causes.map(([reason, field, message]) => `${reason} ${field}: ${message}`).sort();
    expect(lines(schema, objectOf(kind, name, value))).toEqual(expected);
  });

  // Decoding of metadata is the work of a server, not of a schema.
  const valid = Object.entries(cases).flatMap(([name, { valid: entries = [] }]) =>
    entries.filter(({ decoded }) => decoded !== true).map((entry) => ({ name, ...entry })),
  );
  test.each(valid)('stores $name: $value', ({ name, value, stored = value }) => {
    expect(received(schema, objectOf(kind, name, value))).toEqual(objectOf(kind, name, stored));
    expect(lines(schema, objectOf(kind, name, value))).toEqual([]);
  });

  const updates = Object.entries(cases).flatMap(([name, { updates: entries = [] }]) => entries.map((entry) => ({ name, ...entry })));
  if (updates.length === 0) return;
  test.each(updates)('judges the change of $name from $old to $value', ({ name, old, value, causes }) => {
    const expected = causes.map(([reason, field, message]) => `${reason} ${field}: ${message}`).sort();
    expect(lines(schema, objectOf(kind, name, value), objectOf(kind, name, old))).toEqual(expected);
  });
});

describe.each(featureDefinitions().map((definition) => [definition.kind, definition] as const))(
  'schemas written with zod: %s',
  (kind, definition) => {
    const schema = definition.versionList[0]?.schema as StructuralSchema;
    const cases = Object.entries(zodGroups[kind] ?? {});
    const messages = (object: Json, old?: Json): string[] =>
      validate(schema, received(schema, object), { old })
        .map(({ field, message }) => `${field}: ${message}`)
        .sort();

    const invalid = cases.flatMap(([name, { invalid: entries = [] }]) => entries.map((entry) => ({ name, ...entry })));
    test.each(invalid)('refuses $name: $value', ({ name, value, refusals }) => {
      expect(messages(objectOf(kind, name, value))).toEqual([...refusals].sort());
    });

    const valid = cases.flatMap(([name, { valid: entries = [] }]) => entries.map((entry) => ({ name, ...entry })));
    test.each(valid)('stores $name: $value', ({ name, value, stored = value }) => {
      expect(received(schema, objectOf(kind, name, value))).toEqual(objectOf(kind, name, stored));
      expect(messages(objectOf(kind, name, value))).toEqual([]);
    });

    const updates = cases.flatMap(([name, { updates: entries = [] }]) => entries.map((entry) => ({ name, ...entry })));
    if (updates.length === 0) return;
    test.each(updates)('judges the change of $name from $old to $value', ({ name, old, value, refusals }) => {
      expect(messages(objectOf(kind, name, value), objectOf(kind, name, old))).toEqual([...refusals].sort());
    });
  },
);
