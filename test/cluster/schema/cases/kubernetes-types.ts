import type { FeatureCases } from './feature-case.js';

/** Int-or-string, quantities, null. */
export const kubernetesTypes: FeatureCases = {
  port: {
    schema: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
    invalid: [
      {
        value: true,
        causes: [
          ['FieldValueTypeInvalid', 'spec.port', 'Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"'],
          ['FieldValueInvalid', '<nil>', 'Invalid value: "": "spec.port" must validate at least one schema (anyOf)'],
          ['FieldValueTypeInvalid', 'spec.port', 'Invalid value: "boolean": spec.port in body must be of type integer: "boolean"'],
        ],
      },
      {
        value: 1.5,
        causes: [
          ['FieldValueInvalid', '<nil>', 'Invalid value: "": Checked value must be of type integer (default format) in spec.port'],
          ['FieldValueTypeInvalid', 'spec.port', 'Invalid value: "number": spec.port in body must be of type integer,string: "number"'],
          ['FieldValueInvalid', '<nil>', 'Invalid value: "": "spec.port" must validate at least one schema (anyOf)'],
          ['FieldValueTypeInvalid', 'spec.port', 'Invalid value: "number": spec.port in body must be of type integer: "number"'],
        ],
      },
      {
        value: {},
        causes: [
          ['FieldValueTypeInvalid', 'spec.port', 'Invalid value: "object": spec.port in body must be of type integer,string: "object"'],
          ['FieldValueInvalid', '<nil>', 'Invalid value: "": "spec.port" must validate at least one schema (anyOf)'],
          ['FieldValueTypeInvalid', 'spec.port', 'Invalid value: "object": spec.port in body must be of type integer: "object"'],
        ],
      },
    ],
    valid: [{ value: 80 }, { value: 'http' }, { value: '25%' }],
  },
  quantity: {
    schema: {
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      'x-kubernetes-int-or-string': true,
      pattern: '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
    },
    invalid: [
      {
        value: '1 Gi',
        causes: [
          [
            'FieldValueInvalid',
            'spec.quantity',
            'Invalid value: "1 Gi": spec.quantity in body should match \'^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$\'',
          ],
        ],
      },
      {
        value: true,
        causes: [
          [
            'FieldValueTypeInvalid',
            'spec.quantity',
            'Invalid value: "boolean": spec.quantity in body must be of type integer,string: "boolean"',
          ],
          ['FieldValueInvalid', '<nil>', 'Invalid value: "": "spec.quantity" must validate at least one schema (anyOf)'],
          ['FieldValueTypeInvalid', 'spec.quantity', 'Invalid value: "boolean": spec.quantity in body must be of type integer: "boolean"'],
        ],
      },
    ],
    valid: [{ value: '500m' }, { value: 2 }, { value: '1e3' }],
  },
  boundedIntOrString: {
    schema: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true, minimum: 1, maximum: 9, maxLength: 3 },
    invalid: [
      {
        value: 10,
        causes: [
          [
            'FieldValueInvalid',
            'spec.boundedIntOrString',
            'Invalid value: 10: spec.boundedIntOrString in body should be less than or equal to 9',
          ],
        ],
      },
      { value: 'abcd', causes: [['FieldValueTooLong', 'spec.boundedIntOrString', 'Too long: may not be more than 3 bytes']] },
    ],
    valid: [{ value: 5 }, { value: 'abc' }],
  },
  maybe: {
    schema: {
      type: 'object',
      properties: {
        a: { type: 'string', nullable: true },
        b: { type: 'string' },
        c: { type: 'string', default: 'x' },
        d: { type: 'string', nullable: true, default: 'y' },
      },
    },
    valid: [
      { value: { b: null }, stored: { c: 'x', d: 'y' } },
      { value: { a: null }, stored: { a: null, c: 'x', d: 'y' } },
      { value: { c: null }, stored: { c: 'x', d: 'y' } },
      { value: { d: null }, stored: { c: 'x', d: null } },
      { value: {}, stored: { c: 'x', d: 'y' } },
    ],
  },
  nullDefault: {
    schema: { type: 'object', properties: { a: { type: 'string', nullable: true, default: null } } },
    valid: [{ value: {} }, { value: { a: 'x' } }],
  },
};
