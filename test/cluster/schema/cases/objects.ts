import type { FeatureCases } from './feature-case.js';

/** Unknown fields are dropped without a word; a null for a field that is not nullable too. */
export const objects: FeatureCases = {
  needed: {
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a', 'b'] },
    invalid: [
      {
        value: {},
        causes: [
          ['FieldValueRequired', 'spec.needed.a', 'Required value'],
          ['FieldValueRequired', 'spec.needed.b', 'Required value'],
        ],
      },
      { value: { a: 'x' }, causes: [['FieldValueRequired', 'spec.needed.b', 'Required value']] },
      {
        value: { a: 1 },
        causes: [
          ['FieldValueTypeInvalid', 'spec.needed.a', 'Invalid value: "integer": spec.needed.a in body must be of type string: "integer"'],
          ['FieldValueRequired', 'spec.needed.b', 'Required value'],
        ],
      },
      {
        value: 'x',
        causes: [['FieldValueTypeInvalid', 'spec.needed', 'Invalid value: "string": spec.needed in body must be of type object: "string"']],
      },
    ],
    valid: [{ value: { a: 'x', b: 'y', c: 1 }, stored: { a: 'x', b: 'y' } }],
  },
  nested: {
    schema: {
      type: 'object',
      properties: {
        inner: {
          type: 'object',
          properties: { deep: { type: 'object', properties: { x: { type: 'integer', minimum: 1 } }, required: ['x'] } },
        },
      },
    },
    invalid: [
      { value: { inner: { deep: {} } }, causes: [['FieldValueRequired', 'spec.nested.inner.deep.x', 'Required value']] },
      {
        value: { inner: { deep: { x: 0 } } },
        causes: [
          [
            'FieldValueInvalid',
            'spec.nested.inner.deep.x',
            'Invalid value: 0: spec.nested.inner.deep.x in body should be greater than or equal to 1',
          ],
        ],
      },
      {
        value: { inner: [] },
        causes: [
          [
            'FieldValueTypeInvalid',
            'spec.nested.inner',
            'Invalid value: "array": spec.nested.inner in body must be of type object: "array"',
          ],
        ],
      },
    ],
    valid: [{ value: { inner: { deep: { x: 1, y: 2 } }, other: {} }, stored: { inner: { deep: { x: 1 } } } }, { value: {} }],
  },
  fewKeys: {
    schema: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1, maxProperties: 2 },
    invalid: [
      {
        value: {},
        causes: [['FieldValueInvalid', 'spec.fewKeys', 'Invalid value: 0: spec.fewKeys in body should have at least 1 properties']],
      },
      { value: { a: '1', b: '2', c: '3' }, causes: [['FieldValueTooMany', 'spec.fewKeys', 'Too many: 3: must have at most 2 items']] },
      {
        value: { a: 1 },
        causes: [
          ['FieldValueTypeInvalid', 'spec.fewKeys.a', 'Invalid value: "integer": spec.fewKeys.a in body must be of type string: "integer"'],
        ],
      },
    ],
    valid: [{ value: { 'any key/at.all': '1' } }],
  },
  numbersByName: {
    schema: { type: 'object', additionalProperties: { type: 'integer', maximum: 9 } },
    invalid: [
      {
        value: { a: 10, 'b.c': 11 },
        causes: [
          [
            'FieldValueInvalid',
            'spec.numbersByName.a',
            'Invalid value: 10: spec.numbersByName.a in body should be less than or equal to 9',
          ],
          [
            'FieldValueInvalid',
            'spec.numbersByName.b.c',
            'Invalid value: 11: spec.numbersByName.b.c in body should be less than or equal to 9',
          ],
        ],
      },
    ],
    valid: [{ value: { a: 1 } }],
  },
  pickOne: {
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    invalid: [
      {
        value: {},
        causes: [
          [
            'FieldValueInvalid',
            '<nil>',
            'Invalid value: "": "spec.pickOne" must validate one and only one schema (oneOf). Found none valid',
          ],
          ['FieldValueRequired', 'spec.pickOne.a', 'Required value'],
        ],
      },
      {
        value: { a: '1', b: '2' },
        causes: [
          [
            'FieldValueInvalid',
            '<nil>',
            'Invalid value: "": "spec.pickOne" must validate one and only one schema (oneOf). Found 2 valid alternatives',
          ],
        ],
      },
    ],
    valid: [{ value: { a: '1' } }],
  },
  pickAny: {
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    invalid: [
      {
        value: {},
        causes: [
          ['FieldValueInvalid', '<nil>', 'Invalid value: "": "spec.pickAny" must validate at least one schema (anyOf)'],
          ['FieldValueRequired', 'spec.pickAny.a', 'Required value'],
        ],
      },
    ],
    valid: [{ value: { a: '1', b: '2' } }],
  },
  notBoth: {
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, not: { required: ['a', 'b'] } },
    invalid: [
      {
        value: { a: '1', b: '2' },
        causes: [['FieldValueInvalid', '<nil>', 'Invalid value: "": "spec.notBoth" must not validate the schema (not)']],
      },
    ],
    valid: [{ value: { a: '1' } }, { value: {} }],
  },
  every: {
    schema: { type: 'string', allOf: [{ pattern: '^a' }, { pattern: 'z$' }] },
    invalid: [
      {
        value: 'b',
        causes: [
          ['FieldValueInvalid', 'spec.every', 'Invalid value: "b": spec.every in body should match \'^a\''],
          ['FieldValueInvalid', 'spec.every', 'Invalid value: "b": spec.every in body should match \'z$\''],
          ['FieldValueInvalid', '<nil>', 'Invalid value: "": "spec.every" must validate all the schemas (allOf). None validated'],
        ],
      },
      {
        value: 'ab',
        causes: [
          ['FieldValueInvalid', 'spec.every', 'Invalid value: "ab": spec.every in body should match \'z$\''],
          ['FieldValueInvalid', '<nil>', 'Invalid value: "": "spec.every" must validate all the schemas (allOf)'],
        ],
      },
    ],
    valid: [{ value: 'abz' }],
  },
  opaque: {
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    invalid: [
      {
        value: 'x',
        causes: [['FieldValueTypeInvalid', 'spec.opaque', 'Invalid value: "string": spec.opaque in body must be of type object: "string"']],
      },
      {
        value: [1],
        causes: [['FieldValueTypeInvalid', 'spec.opaque', 'Invalid value: "array": spec.opaque in body must be of type object: "array"']],
      },
    ],
    valid: [{ value: { a: { b: [1, null] } } }],
  },
  halfOpaque: {
    schema: {
      type: 'object',
      properties: { known: { type: 'object', properties: { a: { type: 'integer' } } } },
      'x-kubernetes-preserve-unknown-fields': true,
    },
    invalid: [
      {
        value: { known: { a: 'x' } },
        causes: [
          [
            'FieldValueTypeInvalid',
            'spec.halfOpaque.known.a',
            'Invalid value: "string": spec.halfOpaque.known.a in body must be of type integer: "string"',
          ],
        ],
      },
    ],
    valid: [{ value: { known: { a: 1, gone: 2 }, kept: { z: 1 } }, stored: { kept: { z: 1 }, known: { a: 1 } } }],
  },
  anything: {
    schema: { 'x-kubernetes-preserve-unknown-fields': true },
    valid: [{ value: 1 }, { value: 'a' }, { value: [1, { b: 2 }] }, { value: { a: 1 } }],
  },
  embedded: {
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    invalid: [
      {
        value: {},
        causes: [
          ['FieldValueRequired', 'spec.embedded.apiVersion', 'Required value'],
          ['FieldValueRequired', 'spec.embedded.kind', 'Required value'],
        ],
      },
      {
        value: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { 'not valid': 'x' } } },
        causes: [
          [
            'FieldValueInvalid',
            'spec.embedded.metadata.labels',
            "Invalid value: \"not valid\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
          ],
        ],
      },
      {
        value: { apiVersion: 'a/b/c', kind: 'Pod' },
        causes: [['FieldValueInvalid', 'spec.embedded.apiVersion', 'Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c']],
      },
    ],
    valid: [
      { value: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { b: 'c' } }, data: { k: 'v' } } },
      {
        value: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: {}, unknown: 1 } },
        stored: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
        decoded: true,
      },
    ],
  },
};
