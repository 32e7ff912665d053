import type { FeatureCases } from './feature-case.js';

/** Null stands for "absent" where the field is not nullable and has a default. */
export const defaults: FeatureCases = {
  scalars: {
    schema: {
      type: 'object',
      properties: {
        s: { type: 'string', default: 'blue' },
        i: { type: 'integer', default: 3 },
        b: { type: 'boolean', default: false },
        n: { type: 'number', default: 1.5 },
        l: { type: 'array', items: { type: 'string' }, default: ['a'] },
        m: { type: 'object', additionalProperties: { type: 'string' }, default: { a: 'b' } },
      },
    },
    invalid: [
      {
        value: { i: 'x' },
        causes: [
          ['FieldValueTypeInvalid', 'spec.scalars.i', 'Invalid value: "string": spec.scalars.i in body must be of type integer: "string"'],
        ],
      },
    ],
    valid: [
      { value: {}, stored: { b: false, i: 3, l: ['a'], m: { a: 'b' }, n: 1.5, s: 'blue' } },
      { value: { s: '', i: 0, b: true, n: 0, l: [], m: {} } },
      { value: { gone: 1 }, stored: { b: false, i: 3, l: ['a'], m: { a: 'b' }, n: 1.5, s: 'blue' } },
    ],
  },
  innerOnly: {
    schema: { type: 'object', properties: { inner: { type: 'object', properties: { a: { type: 'integer', default: 1 } } } } },
    valid: [{ value: {} }, { value: { inner: {} }, stored: { inner: { a: 1 } } }],
  },
  opened: {
    schema: {
      type: 'object',
      properties: { inner: { type: 'object', properties: { a: { type: 'integer', default: 1 }, b: { type: 'integer' } }, default: {} } },
    },
    valid: [
      { value: {}, stored: { inner: { a: 1 } } },
      { value: { inner: { b: 2 } }, stored: { inner: { a: 1, b: 2 } } },
      { value: { inner: null }, stored: { inner: { a: 1 } } },
    ],
  },
  partial: {
    schema: {
      type: 'object',
      properties: {
        inner: {
          type: 'object',
          properties: { a: { type: 'integer', default: 1 }, b: { type: 'integer', default: 2 } },
          default: { b: 7 },
        },
      },
    },
    valid: [
      { value: {}, stored: { inner: { a: 1, b: 7 } } },
      { value: { inner: {} }, stored: { inner: { a: 1, b: 2 } } },
    ],
  },
  inItems: {
    schema: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer', default: 1 }, b: { type: 'integer' } } } },
    valid: [{ value: [{}, { b: 2, gone: 3 }], stored: [{ a: 1 }, { a: 1, b: 2 }] }],
  },
  inValues: {
    schema: { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'integer', default: 1 } } } },
    valid: [{ value: { x: {}, y: { a: 2 } }, stored: { x: { a: 1 }, y: { a: 2 } } }],
  },
  requiredDefault: {
    schema: { type: 'object', properties: { a: { type: 'integer', default: 1 } }, required: ['a'] },
    valid: [
      { value: {}, stored: { a: 1 } },
      { value: { a: null }, stored: { a: 1 } },
    ],
  },
};
