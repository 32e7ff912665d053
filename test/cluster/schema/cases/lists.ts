import type { FeatureCases } from './feature-case.js';

/** Only the second of two equal items is told, once per value. */
export const lists: FeatureCases = {
  length: {
    schema: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3 },
    invalid: [
      { value: [], causes: [['FieldValueInvalid', 'spec.length', 'Invalid value: 0: spec.length in body should have at least 1 items']] },
      { value: [1, 2, 3, 4], causes: [['FieldValueTooMany', 'spec.length', 'Too many: 4: must have at most 3 items']] },
      {
        value: [1, 'x'],
        causes: [
          ['FieldValueTypeInvalid', 'spec.length[1]', 'Invalid value: "string": spec.length[1] in body must be of type integer: "string"'],
        ],
      },
      {
        value: 'x',
        causes: [['FieldValueTypeInvalid', 'spec.length', 'Invalid value: "string": spec.length in body must be of type array: "string"']],
      },
      {
        value: {},
        causes: [['FieldValueTypeInvalid', 'spec.length', 'Invalid value: "object": spec.length in body must be of type array: "object"']],
      },
    ],
    valid: [{ value: [1, 2] }],
  },
  ofObjects: {
    schema: { type: 'array', items: { type: 'object', properties: { a: { type: 'string', minLength: 1 } }, required: ['a'] } },
    invalid: [
      { value: [{ a: 'x' }, {}], causes: [['FieldValueRequired', 'spec.ofObjects[1].a', 'Required value']] },
      {
        value: [{ a: '' }],
        causes: [
          ['FieldValueInvalid', 'spec.ofObjects[0].a', 'Invalid value: "": spec.ofObjects[0].a in body should be at least 1 chars long'],
        ],
      },
      {
        value: ['x'],
        causes: [
          [
            'FieldValueTypeInvalid',
            'spec.ofObjects[0]',
            'Invalid value: "string": spec.ofObjects[0] in body must be of type object: "string"',
          ],
        ],
      },
      {
        value: [null],
        causes: [
          ['FieldValueTypeInvalid', 'spec.ofObjects[0]', 'Invalid value: "null": spec.ofObjects[0] in body must be of type object: "null"'],
        ],
      },
    ],
    valid: [{ value: [{ a: 'x', gone: 1 }], stored: [{ a: 'x' }] }, { value: [] }],
  },
  set: {
    schema: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    invalid: [
      { value: ['a', 'b', 'a'], causes: [['FieldValueDuplicate', 'spec.set[2]', 'Duplicate value: "a"']] },
      { value: ['a', 'a', 'a'], causes: [['FieldValueDuplicate', 'spec.set[1]', 'Duplicate value: "a"']] },
    ],
    valid: [{ value: ['a', 'b'] }],
  },
  numberSet: {
    schema: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
    invalid: [{ value: [1, 2, 1], causes: [['FieldValueDuplicate', 'spec.numberSet[2]', 'Duplicate value: 1']] }],
    valid: [{ value: [1, 2] }],
  },
  byName: {
    schema: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, value: { type: 'integer' } }, required: ['name'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    invalid: [
      {
        value: [{ name: 'a' }, { name: 'a', value: 2 }],
        causes: [['FieldValueDuplicate', 'spec.byName[1]', 'Duplicate value: {"name":"a"}']],
      },
      { value: [{ value: 1 }], causes: [['FieldValueRequired', 'spec.byName[0].name', 'Required value']] },
    ],
    valid: [{ value: [{ name: 'a' }, { name: 'b', value: 1 }] }],
  },
  byPort: {
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
        required: ['port'],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    },
    invalid: [
      {
        value: [{ port: 1 }, { port: 1, protocol: 'TCP' }],
        causes: [['FieldValueDuplicate', 'spec.byPort[1]', 'Duplicate value: {"port":1,"protocol":"TCP"}']],
      },
    ],
    valid: [
      {
        value: [{ port: 1 }, { port: 1, protocol: 'UDP' }],
        stored: [
          { port: 1, protocol: 'TCP' },
          { port: 1, protocol: 'UDP' },
        ],
      },
    ],
  },
  atomic: { schema: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'atomic' }, valid: [{ value: [1, 1] }] },
  matrix: {
    schema: { type: 'array', items: { type: 'array', items: { type: 'integer', maximum: 9 } } },
    invalid: [
      {
        value: [[1], [2, 10]],
        causes: [
          ['FieldValueInvalid', 'spec.matrix[1][1]', 'Invalid value: 10: spec.matrix[1][1] in body should be less than or equal to 9'],
        ],
      },
    ],
    valid: [{ value: [[1], []] }],
  },
  nullableItems: { schema: { type: 'array', items: { type: 'string', nullable: true } }, valid: [{ value: ['a', null] }] },
};
