import type { FeatureCases } from './feature-case.js';

/** `format: int32` alone bounds nothing. */
export const numbers: FeatureCases = {
  integer: {
    schema: { type: 'integer' },
    invalid: [
      {
        value: 1.5,
        causes: [
          ['FieldValueInvalid', '<nil>', 'Invalid value: "": Checked value must be of type integer (default format) in spec.integer'],
          ['FieldValueTypeInvalid', 'spec.integer', 'Invalid value: "number": spec.integer in body must be of type integer: "number"'],
        ],
      },
      {
        value: '1',
        causes: [
          ['FieldValueTypeInvalid', 'spec.integer', 'Invalid value: "string": spec.integer in body must be of type integer: "string"'],
        ],
      },
      {
        value: true,
        causes: [
          ['FieldValueTypeInvalid', 'spec.integer', 'Invalid value: "boolean": spec.integer in body must be of type integer: "boolean"'],
        ],
      },
    ],
    valid: [{ value: 0 }, { value: -7 }, { value: 9007199254740991 }],
  },
  minimum: {
    schema: { type: 'integer', minimum: 1 },
    invalid: [
      {
        value: 0,
        causes: [['FieldValueInvalid', 'spec.minimum', 'Invalid value: 0: spec.minimum in body should be greater than or equal to 1']],
      },
      {
        value: -5,
        causes: [['FieldValueInvalid', 'spec.minimum', 'Invalid value: -5: spec.minimum in body should be greater than or equal to 1']],
      },
    ],
    valid: [{ value: 1 }],
  },
  maximum: {
    schema: { type: 'integer', maximum: 5 },
    invalid: [
      {
        value: 6,
        causes: [['FieldValueInvalid', 'spec.maximum', 'Invalid value: 6: spec.maximum in body should be less than or equal to 5']],
      },
    ],
    valid: [{ value: 5 }],
  },
  above: {
    schema: { type: 'number', minimum: 0, exclusiveMinimum: true },
    invalid: [
      { value: 0, causes: [['FieldValueInvalid', 'spec.above', 'Invalid value: 0: spec.above in body should be greater than 0']] },
      { value: -0.5, causes: [['FieldValueInvalid', 'spec.above', 'Invalid value: -0.5: spec.above in body should be greater than 0']] },
    ],
    valid: [{ value: 0.1 }],
  },
  below: {
    schema: { type: 'number', maximum: 1, exclusiveMaximum: true },
    invalid: [
      { value: 1, causes: [['FieldValueInvalid', 'spec.below', 'Invalid value: 1: spec.below in body should be less than 1']] },
      { value: 1.25, causes: [['FieldValueInvalid', 'spec.below', 'Invalid value: 1.25: spec.below in body should be less than 1']] },
    ],
    valid: [{ value: 0.99 }],
  },
  multiple: {
    schema: { type: 'integer', multipleOf: 3 },
    invalid: [
      { value: 4, causes: [['FieldValueInvalid', 'spec.multiple', 'Invalid value: 4: spec.multiple in body should be a multiple of 3']] },
    ],
    valid: [{ value: 9 }],
  },
  int32: {
    schema: { type: 'integer', format: 'int32' },
    invalid: [
      {
        value: 3000000000,
        causes: [
          ['FieldValueInvalid', '<nil>', 'Invalid value: "": Checked value must be of type integer with format int32 in spec.int32'],
        ],
      },
    ],
    valid: [{ value: 2147483647 }],
  },
  fractionalBound: {
    schema: { type: 'integer', maximum: 2.5 },
    invalid: [
      {
        value: 1,
        causes: [
          [
            'FieldValueInvalid',
            '<nil>',
            'Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.fractionalBound',
          ],
        ],
      },
    ],
  },
  bounded: {
    schema: { type: 'integer', format: 'int32', minimum: -2147483648, maximum: 2147483647 },
    invalid: [
      {
        value: 3000000000,
        causes: [
          ['FieldValueInvalid', '<nil>', 'Invalid value: "": Checked value must be of type integer with format int32 in spec.bounded'],
          [
            'FieldValueInvalid',
            'spec.bounded',
            'Invalid value: 3000000000: spec.bounded in body should be less than or equal to 2147483647',
          ],
        ],
      },
    ],
    valid: [{ value: -2147483648 }],
  },
  number: {
    schema: { type: 'number' },
    invalid: [
      {
        value: '1.5',
        causes: [['FieldValueTypeInvalid', 'spec.number', 'Invalid value: "string": spec.number in body must be of type number: "string"']],
      },
    ],
    valid: [{ value: 1.5 }, { value: 1 }, { value: 1e21 }],
  },
  boolean: {
    schema: { type: 'boolean' },
    invalid: [
      {
        value: 'true',
        causes: [
          ['FieldValueTypeInvalid', 'spec.boolean', 'Invalid value: "string": spec.boolean in body must be of type boolean: "string"'],
        ],
      },
      {
        value: 0,
        causes: [
          ['FieldValueTypeInvalid', 'spec.boolean', 'Invalid value: "integer": spec.boolean in body must be of type boolean: "integer"'],
        ],
      },
    ],
    valid: [{ value: true }, { value: false }],
  },
  intEnum: {
    schema: { type: 'integer', enum: [1, 2] },
    invalid: [{ value: 3, causes: [['FieldValueNotSupported', 'spec.intEnum', 'Unsupported value: 3: supported values: "1", "2"']] }],
    valid: [{ value: 2 }],
  },
  tiny: {
    schema: { type: 'number', minimum: 1e-7 },
    invalid: [
      {
        value: 1e-8,
        causes: [['FieldValueInvalid', 'spec.tiny', 'Invalid value: 1e-08: spec.tiny in body should be greater than or equal to 1e-07']],
      },
    ],
    valid: [{ value: 1e-7 }],
  },
  huge: {
    schema: { type: 'number', maximum: 1e21 },
    invalid: [
      {
        value: 1e22,
        causes: [['FieldValueInvalid', 'spec.huge', 'Invalid value: 1e+22: spec.huge in body should be less than or equal to 1e+21']],
      },
    ],
    valid: [{ value: 100000000000000000000 }],
  },
};
