import { z } from 'zod';
import { k } from '../../../../src/keelson/schema/index.js';
import { UNCHECKED, type ZodCases } from './zod-case.js';

/** Objects, lists, records and unions. */
export const collections: ZodCases = {
  object: {
    schema: z.object({ a: z.string(), b: z.int().optional() }),
    valid: [{ value: { a: 'x' } }, { value: { a: 'x', gone: 1 }, stored: { a: 'x' } }],
    invalid: [
      { value: {}, refusals: ['spec.object.a: Required value', UNCHECKED] },
      {
        value: { a: 'x', b: 'y' },
        refusals: ['spec.object.b: Invalid value: "string": spec.object.b in body must be of type integer: "string"', UNCHECKED],
      },
    ],
  },
  deep: {
    schema: z.object({ x: z.object({ y: z.object({ z: z.int().min(1) }) }) }),
    valid: [{ value: { x: { y: { z: 1 } } } }],
    invalid: [
      {
        value: { x: { y: { z: 0 } } },
        refusals: ['spec.deep.x.y.z: Invalid value: 0: spec.deep.x.y.z in body should be greater than or equal to 1'],
      },
      { value: { x: {} }, refusals: ['spec.deep.x.y: Required value', UNCHECKED] },
    ],
  },
  partial: { schema: z.object({ a: z.string(), b: z.string() }).partial(), valid: [{ value: {} }, { value: { b: 'x' } }] },
  required: {
    schema: z.object({ a: z.string().optional() }).required(),
    valid: [{ value: { a: 'x' } }],
    invalid: [{ value: {}, refusals: ['spec.required.a: Required value', UNCHECKED] }],
  },
  extended: {
    schema: z.object({ a: z.string() }).extend({ b: z.string() }),
    valid: [{ value: { a: '1', b: '2' } }],
    invalid: [{ value: { a: '1' }, refusals: ['spec.extended.b: Required value', UNCHECKED] }],
  },
  defaults: {
    schema: z.object({ s: z.string().default('blue'), i: z.int().default(3), l: z.array(z.string()).default(['a']) }),
    valid: [
      { value: {}, stored: { i: 3, l: ['a'], s: 'blue' } },
      { value: { s: '', i: 0, l: [] } },
      { value: { gone: 1 }, stored: { i: 3, l: ['a'], s: 'blue' } },
    ],
  },
  prefaulted: {
    schema: z.object({ inner: z.object({ a: z.int().default(1), b: z.int().optional() }).prefault({}) }),
    valid: [
      { value: {}, stored: { inner: { a: 1 } } },
      { value: { inner: {} }, stored: { inner: { a: 1 } } },
      { value: { inner: { b: 2 } }, stored: { inner: { a: 1, b: 2 } } },
    ],
  },
  list: {
    schema: z.array(z.int()).min(1).max(3),
    valid: [{ value: [1] }],
    invalid: [
      { value: [], refusals: ['spec.list: Invalid value: 0: spec.list in body should have at least 1 items'] },
      { value: [1, 2, 3, 4], refusals: ['spec.list: Too many: 4: must have at most 3 items', UNCHECKED] },
      {
        value: ['x'],
        refusals: ['spec.list[0]: Invalid value: "string": spec.list[0] in body must be of type integer: "string"', UNCHECKED],
      },
    ],
  },
  exactList: {
    schema: z.array(z.string()).length(2),
    valid: [{ value: ['a', 'b'] }],
    invalid: [{ value: ['a'], refusals: ['spec.exactList: Invalid value: 1: spec.exactList in body should have at least 2 items'] }],
  },
  nonEmpty: {
    schema: z.array(z.string()).nonempty(),
    valid: [{ value: ['a'] }],
    invalid: [{ value: [], refusals: ['spec.nonEmpty: Invalid value: 0: spec.nonEmpty in body should have at least 1 items'] }],
  },
  listOfDefaults: {
    schema: z.array(z.object({ a: z.int().default(1) })),
    valid: [{ value: [{}, { a: 2 }], stored: [{ a: 1 }, { a: 2 }] }],
  },
  set: {
    schema: k.set(z.string()),
    valid: [{ value: ['a', 'b'] }],
    invalid: [{ value: ['a', 'a'], refusals: ['spec.set[1]: Duplicate value: "a"'] }],
  },
  listMap: {
    schema: k.listMap(z.object({ name: z.string(), value: z.int().optional() }), 'name'),
    valid: [{ value: [{ name: 'a' }, { name: 'b' }] }],
    invalid: [
      { value: [{ name: 'a' }, { name: 'a' }], refusals: ['spec.listMap[1]: Duplicate value: {"name":"a"}'] },
      { value: [{}], refusals: ['spec.listMap[0].name: Required value', UNCHECKED] },
    ],
  },
  twoKeys: {
    schema: k.listMap(z.object({ port: k.port(), protocol: z.enum(['TCP', 'UDP']).default('TCP') }), 'port', 'protocol'),
    valid: [
      {
        value: [{ port: 1 }, { port: 1, protocol: 'UDP' }],
        stored: [
          { port: 1, protocol: 'TCP' },
          { port: 1, protocol: 'UDP' },
        ],
      },
    ],
    invalid: [
      { value: [{ port: 1 }, { port: 1, protocol: 'TCP' }], refusals: ['spec.twoKeys[1]: Duplicate value: {"port":1,"protocol":"TCP"}'] },
      {
        value: [{ port: 0 }],
        refusals: ['spec.twoKeys[0].port: Invalid value: 0: spec.twoKeys[0].port in body should be greater than or equal to 1'],
      },
    ],
  },
  atomicList: { schema: k.atomic(z.array(z.string())), valid: [{ value: ['a', 'a'] }] },
  atomicMap: { schema: k.atomic(z.record(z.string(), z.string())), valid: [{ value: { a: 'b' } }] },
  atomicObject: { schema: k.atomic(z.object({ a: z.string().optional() })), valid: [{ value: { a: 'b' } }] },
  record: {
    schema: z.record(z.string(), z.int()),
    valid: [{ value: { 'a/b.c': 1 } }],
    invalid: [
      {
        value: { a: 'x' },
        refusals: ['spec.record.a: Invalid value: "string": spec.record.a in body must be of type integer: "string"', UNCHECKED],
      },
    ],
  },
  enumRecord: {
    schema: z.partialRecord(z.enum(['a', 'b']), z.int()),
    valid: [{ value: { a: 1 } }, { value: {} }],
    invalid: [
      {
        value: { a: 'x' },
        refusals: ['spec.enumRecord.a: Invalid value: "string": spec.enumRecord.a in body must be of type integer: "string"', UNCHECKED],
      },
    ],
  },
  fullRecord: {
    schema: z.record(z.enum(['a', 'b']), z.int()),
    valid: [{ value: { a: 1, b: 2 } }],
    invalid: [{ value: { a: 1 }, refusals: ['spec.fullRecord.b: Required value', UNCHECKED] }],
  },
  keyCount: {
    schema: z.record(z.string(), z.string()).check(k.minProperties(1), k.maxProperties(2)),
    valid: [{ value: { a: '1' } }],
    invalid: [
      { value: {}, refusals: ['spec.keyCount: Invalid value: 0: spec.keyCount in body should have at least 1 properties'] },
      { value: { a: '1', b: '2', c: '3' }, refusals: ['spec.keyCount: Too many: 3: must have at most 2 items', UNCHECKED] },
    ],
  },
  shape: {
    schema: z.discriminatedUnion('type', [
      z.object({ type: z.literal('circle'), radius: z.int() }),
      z.object({ type: z.literal('square'), side: z.int(), tilt: z.int().optional() }),
    ]),
    valid: [{ value: { type: 'circle', radius: 1 } }, { value: { type: 'square', side: 2 } }],
    invalid: [
      {
        value: { type: 'circle' },
        refusals: ['spec.shape: Invalid value: radius is required when type is "circle", and forbidden otherwise'],
      },
      {
        value: { type: 'circle', radius: 1, side: 2 },
        refusals: ['spec.shape: Invalid value: side is required when type is "square", and forbidden otherwise'],
        passesZod: true,
      },
      {
        value: { type: 'other' },
        refusals: ['spec.shape.type: Unsupported value: "other": supported values: "circle", "square"', UNCHECKED],
      },
      {
        value: { type: 'square', side: 1, radius: 2 },
        refusals: ['spec.shape: Invalid value: radius is required when type is "circle", and forbidden otherwise'],
        passesZod: true,
      },
    ],
  },
  union: {
    schema: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    valid: [{ value: { a: 'x' } }, { value: { b: 'y' } }],
    invalid: [{ value: {}, refusals: ['spec.union: Invalid value: the fields of one alternative must be set: a, or b'] }],
  },
  stringOrInt: {
    schema: z.union([z.string(), z.int()]),
    valid: [{ value: 'a' }, { value: 1 }],
    invalid: [
      {
        value: true,
        refusals: [
          'spec.stringOrInt: Invalid value: "boolean": spec.stringOrInt in body must be of type integer,string: "boolean"',
          '<nil>: Invalid value: "": "spec.stringOrInt" must validate at least one schema (anyOf)',
          'spec.stringOrInt: Invalid value: "boolean": spec.stringOrInt in body must be of type integer: "boolean"',
          UNCHECKED,
        ],
      },
    ],
  },
  tree: {
    schema: z.array(z.array(z.int())),
    valid: [{ value: [[1], []] }],
    invalid: [
      {
        value: [['x']],
        refusals: ['spec.tree[0][0]: Invalid value: "string": spec.tree[0][0] in body must be of type integer: "string"', UNCHECKED],
      },
    ],
  },
};
