import { defineController, defineCustomResource, k, watch } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';
import type { ControllerModel } from '../../../src/keelson/definition/index.js';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { storedObject } from '../../../src/runtime/reconcile/index.js';
import { unfitFields, unfitStatus } from '../../../src/runtime/reconcile/unfit.js';

const spec = z.object({
  size: k.int32(),
  ratio: z.number().optional(),
  isOpen: z.boolean().optional(),
  owner: z.string().nullable().optional(),
  port: k.intOrString().optional(),
  extra: k.json().optional(),
  tags: z.array(z.string()).optional(),
  parts: z.array(z.object({ name: z.string() })).optional(),
  quotas: z.record(z.string(), k.int32()).optional(),
  replicas: k.int32().min(1).max(3).optional(),
  tier: z.enum(['small', 'large']).optional(),
  host: z
    .string()
    .max(8)
    .regex(/^[a-z]+$/)
    .optional(),
  zones: z.array(z.string()).max(2).optional(),
});
const status = z.object({
  size: k.int32().optional(),
  port: k.intOrString().optional(),
  parts: z.object({ ready: k.int32() }).optional(),
  conditions: k.conditions(),
});
const Box = defineCustomResource({
  group: 'fit.example.com',
  kind: 'Box',
  versions: { v1beta1: { spec: z.object({ size: z.string() }) }, v1: { spec, status, storage: true } },
  convert: {
    v1beta1: {
      toStorage: ({ spec }) => ({ spec: { size: Number(spec.size) } }),
      fromStorage: ({ spec }) => ({ spec: { size: String(spec.size) } }),
    },
  },
});
const boxes = defineController({ name: 'boxes', for: Box, reconcile: ({ done }) => done() });
const model = boxes as ControllerModel;
/** As the API server has stored it under another definition; defaults are not filled in. */
const stored = (fields: object): StoredObject => {
  const object = { ...storedObject(ConfigMap, { metadata: { name: 'a' } }), apiVersion: 'fit.example.com/v1', kind: 'Box', ...fields };
  return JSON.parse(JSON.stringify(object)) as StoredObject;
};

describe('H21: fields of a stored object that have not the types of the definition are named', () => {
  const problemsOf = (fields: object): string[] => unfitFields(model, stored({ spec: { size: 1, ...fields } }));

  test.each<[string, object]>([
    ['all types as defined', { ratio: 0.5, isOpen: true, owner: 'me', tags: ['a'], parts: [{ name: 'a' }], quotas: { a: 1 } }],
    ['null where the definition allows it', { owner: null }],
    ['a number and a text where either is allowed', { port: 80 }],
    ['a text where either is allowed', { port: 'http' }],
    ['anything, null too, where no type is defined', { extra: null }],
    ['a whole number where any number is allowed', { ratio: 1 }],
    ['a list where no type is defined', { extra: [1, 'a', null] }],
    ['a field that the definition does not know', { colour: 7 }],
    ['an optional field that is left out', { tags: undefined }],
  ])('%s: nothing', (_, fields) => {
    expect(problemsOf(fields)).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['a text for a number', { size: 'big' }, 'spec.size is string, not integer'],
    ['a fraction for a whole number', { size: 1.5 }, 'spec.size is number, not integer'],
    ['a text for a yes or no', { isOpen: 'yes' }, 'spec.isOpen is string, not boolean'],
    ['a number for a text', { owner: 7 }, 'spec.owner is integer, not string'],
    ['null for a number', { size: null }, 'spec.size is null'],
    ['a required field that is missing', { size: undefined }, 'spec.size is missing'],
    ['a fraction for a port', { port: 0.5 }, 'spec.port is number, not integer or string'],
    ['a list for a text', { owner: ['me'] }, 'spec.owner is array, not string'],
    ['an object for a list', { tags: {} }, 'spec.tags is object, not array'],
    ['a list for an object', { quotas: [] }, 'spec.quotas is array, not object'],
    ['an item of a list', { tags: ['a', 7] }, 'spec.tags[1] is integer, not string'],
    ['a field of an item', { parts: [{ name: 'a' }, {}] }, 'spec.parts[1].name is missing'],
    ['a value of a map', { quotas: { a: 1, b: 'two' } }, 'spec.quotas.b is string, not integer'],
  ])('%s', (_, fields, problem) => {
    expect(problemsOf(fields)).toEqual([problem]);
  });

  test.each<[string, object, string]>([
    ['above a bound', { replicas: 5 }, 'spec.replicas should be less than or equal to 3'],
    ['below a bound', { replicas: 0 }, 'spec.replicas should be greater than or equal to 1'],
    ['a value that was taken out', { tier: 'huge' }, 'spec.tier should be one of [small large]'],
    ['too long', { host: 'abcdefghi' }, 'spec.host should be at most 8 chars long'],
    ['another form', { host: 'A' }, "spec.host should match '^[a-z]+$'"],
    ['too many', { zones: ['a', 'b', 'c'] }, 'spec.zones should have at most 2 items'],
  ])('a bound that became narrower than what is stored: %s', (_, fields, problem) => {
    expect(problemsOf(fields)).toEqual([problem]);
  });

  test('where a type is wrong, bounds are not judged as well', () => {
    expect(problemsOf({ replicas: 'many', tier: 'huge' })).toEqual(['spec.replicas is string, not integer']);
  });

  test('five of many are named', () => {
    expect(problemsOf({ tags: [1, 2, 3, 4, 5, 6] })).toEqual([0, 1, 2, 3, 4].map((index) => `spec.tags[${index}] is integer, not string`));
  });

  test('what the API server itself checks is not judged', () => {
    expect(unfitFields(model, stored({ kind: 7, metadata: 'none', spec: { size: 1 } } as never))).toEqual([]);
  });

  test('the version that the controller reads is the one that counts', () => {
    expect(unfitFields(model, stored({ spec: { size: '1' } }))).toEqual(['spec.size is string, not integer']);
  });

  test('a status that the controller does not write is judged as the rest is, one that it writes is not', () => {
    const reader = defineController({ name: 'reader', for: Box, writesStatus: false, reconcile: ({ done }) => done() }) as ControllerModel;
    const object = stored({ spec: { size: 1 }, status: { size: 'big' } });
    expect([unfitFields(reader, object), unfitStatus(reader, object)]).toEqual([['status.size is string, not integer'], undefined]);
    expect(unfitFields(model, object)).toEqual([]);
  });

  test('a kind without a definition here fits always', () => {
    const configs = defineController({
      name: 'configs',
      for: ConfigMap,
      watches: { others: watch(Box, {}) },
      reconcile: ({ done }) => done(),
    });
    expect(unfitFields(configs as ControllerModel, stored({ data: 7 }))).toEqual([]);
  });
});

describe('H21: a stored status of another form', () => {
  const judged = (given: unknown) => unfitStatus(model, stored({ spec: { size: 1 }, status: given }));

  test('the fields that hold something of a wrong type are named, and no others', () => {
    expect(judged({ size: 'big', port: 80, parts: { ready: 'all' }, old: 7 })).toEqual({
      fields: ['size', 'parts'],
      problems: ['status.size is string, not integer', 'status.parts.ready is string, not integer'],
    });
  });

  test.each<[string, unknown, string]>([
    ['a text', 'ready', 'status is string, not object'],
    ['a list', ['ready'], 'status is array, not object'],
    ['null', null, 'status is null'],
  ])('%s instead of a status has no fields that could be kept', (_, given, problem) => {
    expect(judged(given)).toEqual({ fields: [], problems: [problem] });
  });

  test('one that fits, or is not there, has no problem', () => {
    expect([judged({ size: 1, port: 'http', parts: { ready: 1 } }), judged({}), judged(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('five problems of many are named', () => {
    const conditions = [1, 2, 3, 4, 5, 6, 7];
    expect(judged({ conditions })?.problems).toHaveLength(5);
  });
});
