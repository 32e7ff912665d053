import { FieldSet } from '../../../../src/api-server/values/apply/field-set.js';
import { decodeFieldsV1, encodeFieldsV1 } from '../../../../src/api-server/values/apply/fields-v1.js';

const fields = () => ({ 'f:spec': { '.': {}, 'f:replicas': {} } });

test('a set that no write has changed is encoded once, and nobody can change its form', () => {
  const set = decodeFieldsV1(fields());
  const encoded = encodeFieldsV1(set);
  expect(encodeFieldsV1(set)).toBe(encoded);
  expect(encoded).toEqual(fields());
  expect(() => Object.assign(encoded['f:spec'] as object, { 'f:other': {} })).toThrow(TypeError);
});

test('the form in a request may change after it was read: it is read again', () => {
  const form = fields();
  const before = decodeFieldsV1(form);
  Object.assign(form, { 'f:data': {} });
  expect(decodeFieldsV1(form).equals(before)).toBe(false);
});

test('a set less nothing is itself, and what it shares with nothing is nothing', () => {
  const set = decodeFieldsV1(fields());
  expect(set.difference(FieldSet.EMPTY)).toBe(set);
  expect(set.recursiveDifference(FieldSet.EMPTY)).toBe(set);
  expect(set.intersection(FieldSet.EMPTY).isEmpty).toBe(true);
});
