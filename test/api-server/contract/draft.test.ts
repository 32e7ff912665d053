import { draftOf, isObject, type JsonObject } from '../../../src/api-server/contract/index.js';

test('a draft shares nothing with the object that it was made of', () => {
  const stored: JsonObject = Object.freeze({ spec: Object.freeze({ list: Object.freeze([Object.freeze({ a: 1 }), null]) }) });
  const draft = draftOf(stored);
  expect(draft).toEqual(stored);
  ((draft['spec'] as { list: { a: number }[] }).list[0] as { a: number }).a = 2;
  expect(stored).toEqual({ spec: { list: [{ a: 1 }, null] } });
});

test('__proto__ is a field like any other', () => {
  const draft = draftOf(JSON.parse('{"a":{"__proto__":{"b":1}}}') as JsonObject);
  expect(JSON.stringify(draft)).toBe('{"a":{"__proto__":{"b":1}}}');
  expect((draft['a'] as { b?: number }).b).toBeUndefined();
});

test('lists and null do not count as objects', () => {
  expect([{}, [], null, 'a', undefined].map(isObject)).toEqual([true, false, false, false, false]);
});
