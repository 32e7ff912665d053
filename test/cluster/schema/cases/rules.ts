import type { FeatureCases } from './feature-case.js';

/** CEL. A rule sees a value only when its schema is met; the message shows the type of the value, not the value. */
export const rules: FeatureCases = {
  compared: {
    schema: {
      type: 'object',
      properties: { min: { type: 'integer' }, max: { type: 'integer' } },
      'x-kubernetes-validations': [
        { rule: '!has(self.min) || !has(self.max) || self.min <= self.max', message: 'min must not exceed max' },
      ],
    },
    invalid: [{ value: { min: 2, max: 1 }, causes: [['FieldValueInvalid', 'spec.compared', 'Invalid value: min must not exceed max']] }],
    valid: [{ value: { min: 1, max: 2 } }, { value: { min: 1 } }],
  },
  noMessage: {
    schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self % 2 == 0' }] },
    invalid: [{ value: 3, causes: [['FieldValueInvalid', 'spec.noMessage', 'Invalid value: 3: failed rule: self % 2 == 0']] }],
    valid: [{ value: 4 }],
  },
  spoken: {
    schema: {
      type: 'string',
      maxLength: 9,
      'x-kubernetes-validations': [{ rule: "self.startsWith('a')", messageExpression: "'expected a…, found ' + self" }],
    },
    invalid: [{ value: 'b"c', causes: [['FieldValueInvalid', 'spec.spoken', 'Invalid value: "b\\"c": expected a…, found b"c']] }],
    valid: [{ value: 'ab' }],
  },
  reasoned: {
    schema: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 10 }, b: { type: 'string', maxLength: 10 } },
      'x-kubernetes-validations': [
        { rule: '!has(self.b) || has(self.a)', message: 'b needs a', reason: 'FieldValueRequired', fieldPath: '.a' },
        { rule: "!has(self.a) || self.a != 'root'", message: 'not root', reason: 'FieldValueForbidden' },
      ],
    },
    invalid: [
      { value: { b: 'x' }, causes: [['FieldValueRequired', 'spec.reasoned.a', 'Required value: b needs a']] },
      { value: { a: 'root' }, causes: [['FieldValueForbidden', 'spec.reasoned', 'Forbidden: not root']] },
    ],
    valid: [{ value: { a: 'x', b: 'y' } }],
  },
  duplicates: {
    schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self != 13', message: 'taken', reason: 'FieldValueDuplicate' }] },
    invalid: [{ value: 13, causes: [['FieldValueDuplicate', 'spec.duplicates', 'Duplicate value: 13']] }],
    valid: [{ value: 12 }],
  },
  inList: {
    schema: {
      type: 'array',
      items: {
        type: 'string',
        maxLength: 20,
        'x-kubernetes-validations': [{ rule: "self.startsWith('x-')", message: 'must start with x-' }],
      },
      maxItems: 10,
    },
    invalid: [
      {
        value: ['x-a', 'b', 'c'],
        causes: [
          ['FieldValueInvalid', 'spec.inList[1]', 'Invalid value: "b": must start with x-'],
          ['FieldValueInvalid', 'spec.inList[2]', 'Invalid value: "c": must start with x-'],
        ],
      },
    ],
    valid: [{ value: ['x-a'] }],
  },
  overList: {
    schema: {
      type: 'array',
      items: { type: 'integer' },
      maxItems: 10,
      'x-kubernetes-validations': [{ rule: 'self.all(i, i > 0)', message: 'all positive' }],
    },
    invalid: [{ value: [1, 0], causes: [['FieldValueInvalid', 'spec.overList', 'Invalid value: all positive']] }],
    valid: [{ value: [1] }],
  },
  escaped: {
    schema: {
      type: 'object',
      properties: { 'x-y': { type: 'integer' }, namespace: { type: 'string', maxLength: 9 } },
      'x-kubernetes-validations': [
        { rule: '!has(self.x__dash__y) || self.x__dash__y > 0', message: 'x-y positive' },
        { rule: "!has(self.__namespace__) || self.__namespace__ != 'a'", message: 'not a' },
      ],
    },
    invalid: [
      { value: { 'x-y': 0 }, causes: [['FieldValueInvalid', 'spec.escaped', 'Invalid value: x-y positive']] },
      { value: { namespace: 'a' }, causes: [['FieldValueInvalid', 'spec.escaped', 'Invalid value: not a']] },
    ],
    valid: [{ value: { 'x-y': 1 } }],
  },
  onValues: {
    schema: {
      type: 'object',
      additionalProperties: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0', message: 'positive' }] },
      maxProperties: 5,
    },
    invalid: [
      {
        value: { a: 0, b: -1 },
        causes: [
          ['FieldValueInvalid', 'spec.onValues[a]', 'Invalid value: 0: positive'],
          ['FieldValueInvalid', 'spec.onValues[b]', 'Invalid value: -1: positive'],
        ],
      },
    ],
    valid: [{ value: { a: 1 } }],
  },
  wrongTypeFirst: {
    schema: {
      type: 'object',
      properties: { a: { type: 'integer', maximum: 5 } },
      'x-kubernetes-validations': [{ rule: 'has(self.a) && self.a > 1', message: 'a above 1' }],
    },
    invalid: [
      {
        value: { a: 'x' },
        causes: [
          [
            'FieldValueTypeInvalid',
            'spec.wrongTypeFirst.a',
            'Invalid value: "string": spec.wrongTypeFirst.a in body must be of type integer: "string"',
          ],
          [
            'FieldValueInvalid',
            '<nil>',
            'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
          ],
        ],
      },
      {
        value: { a: 7 },
        causes: [
          [
            'FieldValueInvalid',
            'spec.wrongTypeFirst.a',
            'Invalid value: 7: spec.wrongTypeFirst.a in body should be less than or equal to 5',
          ],
        ],
      },
      { value: { a: 1 }, causes: [['FieldValueInvalid', 'spec.wrongTypeFirst', 'Invalid value: a above 1']] },
      { value: {}, causes: [['FieldValueInvalid', 'spec.wrongTypeFirst', 'Invalid value: a above 1']] },
    ],
    valid: [{ value: { a: 2 } }],
  },
  failing: {
    schema: {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'integer' }, maxItems: 3 } },
      'x-kubernetes-validations': [{ rule: 'self.a[0] > 0', message: 'first positive' }],
    },
    invalid: [
      {
        value: {},
        causes: [['FieldValueInvalid', 'spec.failing', 'Invalid value: "object": no such key: a evaluating rule: first positive']],
      },
      {
        value: { a: [] },
        causes: [['FieldValueInvalid', 'spec.failing', 'Invalid value: "object": index out of bounds: 0 evaluating rule: first positive']],
      },
      { value: { a: [0] }, causes: [['FieldValueInvalid', 'spec.failing', 'Invalid value: first positive']] },
    ],
    valid: [{ value: { a: [1] } }],
  },
  formats: {
    schema: {
      type: 'string',
      maxLength: 64,
      'x-kubernetes-validations': [
        {
          rule: "format.dns1123Label().validate(self).orValue(['must be no more than 63 characters'])[0] == 'must be no more than 63 characters'",
          message: 'label',
        },
      ],
    },
    invalid: [{ value: 'A', causes: [['FieldValueInvalid', 'spec.formats', 'Invalid value: "A": label']] }],
    valid: [{ value: 'a' }, { value: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' }],
  },
  fixed: {
    schema: { type: 'string', maxLength: 9, 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }] },
    updates: [
      { old: 'a', value: 'b', causes: [['FieldValueInvalid', 'spec.fixed', 'Invalid value: "b": is immutable']] },
      { old: 'a', value: 'a', causes: [] },
      { value: 'a', causes: [] },
      { old: 'a', causes: [] },
    ],
  },
  growing: {
    schema: {
      type: 'string',
      maxLength: 9,
      'x-kubernetes-validations': [{ rule: 'self.startsWith(oldSelf)', messageExpression: "'must go on with ' + oldSelf" }],
    },
    updates: [
      { old: 'ab', value: 'b', causes: [['FieldValueInvalid', 'spec.growing', 'Invalid value: "b": must go on with ab']] },
      { old: 'ab', value: 'abc', causes: [] },
    ],
  },
  fromStart: {
    schema: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: '!oldSelf.hasValue() || self > oldSelf.value()', optionalOldSelf: true, message: 'must grow' }],
    },
    updates: [
      { old: 5, value: 5, causes: [['FieldValueInvalid', 'spec.fromStart', 'Invalid value: 5: must grow']] },
      { old: 5, value: 6, causes: [] },
      { value: 1, causes: [] },
    ],
  },
  itemsKept: {
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', maxLength: 9 },
          size: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'no shrinking' }] },
        },
        required: ['name'],
      },
      maxItems: 5,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    updates: [
      {
        old: [
          { name: 'a', size: 1 },
          { name: 'b', size: 5 },
        ],
        value: [
          { name: 'b', size: 4 },
          { name: 'a', size: 1 },
        ],
        causes: [['FieldValueInvalid', 'spec.itemsKept[0].size', 'Invalid value: 4: no shrinking']],
      },
      { old: [{ name: 'a', size: 2 }], value: [{ name: 'c', size: 1 }], causes: [] },
    ],
  },
  stillBounded: {
    schema: { type: 'integer', minimum: 1 },
    updates: [
      {
        old: 2,
        value: 0,
        causes: [
          ['FieldValueInvalid', 'spec.stillBounded', 'Invalid value: 0: spec.stillBounded in body should be greater than or equal to 1'],
        ],
      },
      { old: 2, value: 3, causes: [] },
    ],
  },
};
