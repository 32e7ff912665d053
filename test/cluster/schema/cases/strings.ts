import type { FeatureCases } from './feature-case.js';

/** Lengths count characters, not bytes or UTF-16 units, though the message says bytes. A wrong type is told with the enum, but without the other limits. Unknown formats are ignored. */
export const strings: FeatureCases = {
  plainString: {
    schema: { type: 'string' },
    invalid: [
      {
        value: 1,
        causes: [
          [
            'FieldValueTypeInvalid',
            'spec.plainString',
            'Invalid value: "integer": spec.plainString in body must be of type string: "integer"',
          ],
        ],
      },
      {
        value: true,
        causes: [
          [
            'FieldValueTypeInvalid',
            'spec.plainString',
            'Invalid value: "boolean": spec.plainString in body must be of type string: "boolean"',
          ],
        ],
      },
      {
        value: ['a'],
        causes: [
          ['FieldValueTypeInvalid', 'spec.plainString', 'Invalid value: "array": spec.plainString in body must be of type string: "array"'],
        ],
      },
      {
        value: { a: 'b' },
        causes: [
          [
            'FieldValueTypeInvalid',
            'spec.plainString',
            'Invalid value: "object": spec.plainString in body must be of type string: "object"',
          ],
        ],
      },
    ],
    valid: [{ value: '' }, { value: 'a\nb' }, { value: 'ü😀' }],
  },
  shortest: {
    schema: { type: 'string', minLength: 2 },
    invalid: [
      {
        value: '',
        causes: [['FieldValueInvalid', 'spec.shortest', 'Invalid value: "": spec.shortest in body should be at least 2 chars long']],
      },
      {
        value: 'a',
        causes: [['FieldValueInvalid', 'spec.shortest', 'Invalid value: "a": spec.shortest in body should be at least 2 chars long']],
      },
      {
        value: '😀',
        causes: [['FieldValueInvalid', 'spec.shortest', 'Invalid value: "😀": spec.shortest in body should be at least 2 chars long']],
      },
    ],
    valid: [{ value: 'ab' }, { value: 'ü😀' }],
  },
  longest: {
    schema: { type: 'string', maxLength: 3 },
    invalid: [
      { value: 'abcd', causes: [['FieldValueTooLong', 'spec.longest', 'Too long: may not be more than 3 bytes']] },
      { value: '😀😀😀😀', causes: [['FieldValueTooLong', 'spec.longest', 'Too long: may not be more than 3 bytes']] },
    ],
    valid: [{ value: 'abc' }, { value: '😀😀😀' }],
  },
  emptyOnly: {
    schema: { type: 'string', maxLength: 0 },
    invalid: [{ value: 'a', causes: [['FieldValueTooLong', 'spec.emptyOnly', 'Too long: may not be more than 0 bytes']] }],
    valid: [{ value: '' }],
  },
  pattern: {
    schema: { type: 'string', pattern: '^[a-z]+$' },
    invalid: [
      { value: 'A', causes: [['FieldValueInvalid', 'spec.pattern', 'Invalid value: "A": spec.pattern in body should match \'^[a-z]+$\'']] },
      {
        value: 'a\n',
        causes: [['FieldValueInvalid', 'spec.pattern', 'Invalid value: "a\\n": spec.pattern in body should match \'^[a-z]+$\'']],
      },
      {
        value: 'quote"d',
        causes: [['FieldValueInvalid', 'spec.pattern', 'Invalid value: "quote\\"d": spec.pattern in body should match \'^[a-z]+$\'']],
      },
    ],
    valid: [{ value: 'abc' }],
  },
  unanchored: {
    schema: { type: 'string', pattern: 'b' },
    invalid: [
      { value: 'a', causes: [['FieldValueInvalid', 'spec.unanchored', 'Invalid value: "a": spec.unanchored in body should match \'b\'']] },
    ],
    valid: [{ value: 'abc' }],
  },
  colour: {
    schema: { type: 'string', enum: ['red', 'green'] },
    invalid: [
      { value: 'blue', causes: [['FieldValueNotSupported', 'spec.colour', 'Unsupported value: "blue": supported values: "red", "green"']] },
      {
        value: 7,
        causes: [
          ['FieldValueTypeInvalid', 'spec.colour', 'Invalid value: "integer": spec.colour in body must be of type string: "integer"'],
          ['FieldValueNotSupported', 'spec.colour', 'Unsupported value: 7: supported values: "red", "green"'],
        ],
      },
    ],
    valid: [{ value: 'red' }],
  },
  maybeColour: {
    schema: { type: 'string', enum: ['red', 'green'], nullable: true },
    invalid: [
      {
        value: null,
        causes: [['FieldValueNotSupported', 'spec.maybeColour', 'Unsupported value: null: supported values: "red", "green"']],
      },
    ],
    valid: [{ value: 'red' }],
  },
  several: {
    schema: { type: 'string', minLength: 5, pattern: '^[0-9]+$', maxLength: 10 },
    invalid: [
      {
        value: 'abc',
        causes: [['FieldValueInvalid', 'spec.several', 'Invalid value: "abc": spec.several in body should be at least 5 chars long']],
      },
      { value: 'abcdefghijk', causes: [['FieldValueTooLong', 'spec.several', 'Too long: may not be more than 10 bytes']] },
    ],
    valid: [{ value: '12345' }],
  },
  dateTime: {
    schema: { type: 'string', format: 'date-time' },
    invalid: [
      {
        value: 'yesterday',
        causes: [
          [
            'FieldValueTypeInvalid',
            'spec.dateTime',
            'Invalid value: "yesterday": spec.dateTime in body must be of type date-time: "yesterday"',
          ],
        ],
      },
      {
        value: '2024-01-01',
        causes: [
          [
            'FieldValueTypeInvalid',
            'spec.dateTime',
            'Invalid value: "2024-01-01": spec.dateTime in body must be of type date-time: "2024-01-01"',
          ],
        ],
      },
    ],
    valid: [{ value: '2024-01-01T10:00:00Z' }, { value: '2024-01-01T10:00:00.123+02:00' }],
  },
  date: {
    schema: { type: 'string', format: 'date' },
    invalid: [
      {
        value: '2024-13-01',
        causes: [
          ['FieldValueTypeInvalid', 'spec.date', 'Invalid value: "2024-13-01": spec.date in body must be of type date: "2024-13-01"'],
        ],
      },
      { value: 'x', causes: [['FieldValueTypeInvalid', 'spec.date', 'Invalid value: "x": spec.date in body must be of type date: "x"']] },
    ],
    valid: [{ value: '2024-02-29' }],
  },
  duration: {
    schema: { type: 'string', format: 'duration' },
    invalid: [
      {
        value: '3 parsecs',
        causes: [
          [
            'FieldValueTypeInvalid',
            'spec.duration',
            'Invalid value: "3 parsecs": spec.duration in body must be of type duration: "3 parsecs"',
          ],
        ],
      },
    ],
    valid: [{ value: '1h30m' }, { value: '5 days' }],
  },
  ipv4: {
    schema: { type: 'string', format: 'ipv4' },
    invalid: [
      {
        value: '1.2.3',
        causes: [['FieldValueTypeInvalid', 'spec.ipv4', 'Invalid value: "1.2.3": spec.ipv4 in body must be of type ipv4: "1.2.3"']],
      },
      {
        value: '::1',
        causes: [['FieldValueTypeInvalid', 'spec.ipv4', 'Invalid value: "::1": spec.ipv4 in body must be of type ipv4: "::1"']],
      },
    ],
    valid: [{ value: '10.0.0.1' }],
  },
  ipv6: {
    schema: { type: 'string', format: 'ipv6' },
    invalid: [
      {
        value: '1.2.3.4',
        causes: [['FieldValueTypeInvalid', 'spec.ipv6', 'Invalid value: "1.2.3.4": spec.ipv6 in body must be of type ipv6: "1.2.3.4"']],
      },
    ],
    valid: [{ value: '::1' }],
  },
  cidr: {
    schema: { type: 'string', format: 'cidr' },
    invalid: [
      {
        value: '10.0.0.1',
        causes: [['FieldValueTypeInvalid', 'spec.cidr', 'Invalid value: "10.0.0.1": spec.cidr in body must be of type cidr: "10.0.0.1"']],
      },
    ],
    valid: [{ value: '10.0.0.0/8' }],
  },
  mac: {
    schema: { type: 'string', format: 'mac' },
    invalid: [
      {
        value: '00:00',
        causes: [['FieldValueTypeInvalid', 'spec.mac', 'Invalid value: "00:00": spec.mac in body must be of type mac: "00:00"']],
      },
    ],
    valid: [{ value: '00:00:5e:00:53:01' }],
  },
  uri: {
    schema: { type: 'string', format: 'uri' },
    invalid: [
      {
        value: 'no uri',
        causes: [['FieldValueTypeInvalid', 'spec.uri', 'Invalid value: "no uri": spec.uri in body must be of type uri: "no uri"']],
      },
    ],
    valid: [{ value: 'https://example.com/a?b=c' }],
  },
  email: {
    schema: { type: 'string', format: 'email' },
    invalid: [
      {
        value: '@',
        causes: [['FieldValueTypeInvalid', 'spec.email', 'Invalid value: "@": spec.email in body must be of type email: "@"']],
      },
    ],
    valid: [{ value: 'a@example.com' }],
  },
  hostname: {
    schema: { type: 'string', format: 'hostname' },
    invalid: [
      {
        value: 'a b',
        causes: [['FieldValueTypeInvalid', 'spec.hostname', 'Invalid value: "a b": spec.hostname in body must be of type hostname: "a b"']],
      },
    ],
    valid: [{ value: 'example.com' }],
  },
  uuid: {
    schema: { type: 'string', format: 'uuid' },
    invalid: [
      {
        value: '1234',
        causes: [['FieldValueTypeInvalid', 'spec.uuid', 'Invalid value: "1234": spec.uuid in body must be of type uuid: "1234"']],
      },
    ],
    valid: [{ value: '123e4567-e89b-12d3-a456-426614174000' }],
  },
  bytes: {
    schema: { type: 'string', format: 'byte' },
    invalid: [
      {
        value: '***',
        causes: [['FieldValueTypeInvalid', 'spec.bytes', 'Invalid value: "***": spec.bytes in body must be of type byte: "***"']],
      },
    ],
    valid: [{ value: 'aGVsbG8=' }],
  },
  unknownFormat: { schema: { type: 'string', format: 'no-such-format' }, valid: [{ value: 'anything' }] },
};
