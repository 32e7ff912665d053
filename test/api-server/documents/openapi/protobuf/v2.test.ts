import type { JsonObject } from '../../../../../src/api-server/contract/index.js';
import { swaggerProtobuf } from '../../../../../src/api-server/documents/openapi/protobuf/index.js';

describe('the protobuf of OpenAPI 2', () => {
  const hex = (document: JsonObject): string => swaggerProtobuf(document).toString('hex');
  const ofSchema = (schema: JsonObject): string => {
    const bytes = swaggerProtobuf({ definitions: { A: schema } });
    // Field 9 of the document, field 1 of its definitions, the name `A`, field 2: the schema.
    return bytes.subarray(9).toString('latin1');
  };

  test('has fields by number, and leaves zero values out', () => {
    expect(hex({ swagger: '2.0', info: { title: 'K', version: '1' } })).toBe('0a03322e3012060a014b120131');
    expect(ofSchema({ maximum: 1.5, minLength: 0, maxLength: 300, exclusiveMinimum: false, exclusiveMaximum: true })).toBe(
      '\x39\0\0\0\0\0\0\xf8\x3f\x40\x01\x58\xac\x02',
    );
  });

  test('tells additional properties that are forbidden from none', () => {
    expect(ofSchema({ additionalProperties: false })).toBe('\xaa\x01\x02\x10\0');
    expect(ofSchema({})).toBe('');
  });

  test.each([
    ['*', `'*'`],
    ['', '""'],
    ['true', '"true"'],
    ['yes', 'yes'],
    ['~', '"~"'],
    ['2001-01-02', '"2001-01-02"'],
    ['12', '"12"'],
    ['Always', 'Always'],
    ['a: b', `'a: b'`],
    ['[', `'['`],
    [3, '3'],
  ])('quotes the value %j as Go does', (value, text) => {
    expect(ofSchema({ enum: [value] })).toContain(`\x12${String.fromCharCode(text.length + 1)}${text}\n`);
  });

  test('is not made of what OpenAPI 2 does not know', () => {
    expect(() => swaggerProtobuf({ definitions: { A: { nullable: true } } })).toThrow('an OpenAPI document has no member nullable here');
    expect(() => swaggerProtobuf({ parameters: { a: { in: 'cookie', name: 'a' } } })).toThrow(
      'no parameter of the API server is in "cookie"',
    );
  });
});
