import { equalJson, fieldOf, isJsonObject, mapFields } from '../../../src/kubernetes/apimachinery/index.js';

describe('equalJson', () => {
  test.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: undefined }, { b: undefined }, true],
    [{ a: undefined, b: 1 }, { a: 1 }, false],
    [{ a: null }, {}, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [{}, null, false],
    [{ toString: 1 }, {}, false],
    [JSON.parse('{"__proto__":{"a":1}}'), {}, false],
    [1, '1', false],
  ])('%j and %j: %p', (left, right, same) => {
    expect([equalJson(left, right), equalJson(right, left)]).toEqual([same, same]);
  });
});

test('a list is not an object, null is not either', () => {
  expect([{}, [], null, 'a', undefined].map(isJsonObject)).toEqual([true, false, false, false, false]);
});

test('an inherited field is not a field', () => {
  expect(fieldOf({ a: 1 } as Record<string, unknown>, 'constructor')).toBeUndefined();
});

test('mapFields keeps the object if nothing changed, and drops what becomes undefined', () => {
  const object = { a: 1, b: 2 };
  expect(mapFields(object, (_, item) => item)).toBe(object);
  expect(mapFields(object, (key, item) => (key === 'a' ? undefined : item))).toEqual({ b: 2 });
  expect(object).toEqual({ a: 1, b: 2 });
});
