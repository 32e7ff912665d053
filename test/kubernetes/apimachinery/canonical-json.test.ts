import fc from 'fast-check';
import { canonicalJson } from '../../../src/kubernetes/apimachinery/index.js';

describe('the canonical text of JSON', () => {
  test.each([
    [{ b: 1, a: [true, null, 'x"y'], '': {} }, '{"":{},"a":[true,null,"x\\"y"],"b":1}'],
    [{ b: undefined, a: { c: undefined } }, '{"a":{}}'],
    [[undefined, [], -0.5], '[null,[],-0.5]'],
    [undefined, 'null'],
    ['\u2028', '"\u2028"'],
  ])('%j', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test('is JSON of the same value, and the same text in whatever order its keys stand', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // As the wire has it: no -0, no __proto__ that is set instead of stored.
        const wire: unknown = JSON.parse(JSON.stringify(value));
        const text = canonicalJson(wire);
        expect(JSON.parse(text)).toEqual(wire);
        expect(canonicalJson(reversed(wire))).toBe(text);
      }),
    );
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}
