import fc from 'fast-check';
import {
  applyJsonPatch,
  applyMergePatch,
  createJsonPatch,
  createMergePatch,
  type Json,
  type JsonObject,
  PatchNotPossible,
  PatchRefused,
} from '../../../../src/kubernetes/apimachinery/index.js';

const KEY = fc.oneof(fc.constantFrom('a', 'b', 'name', 'x/y', '~0', '', '0', '-', '__proto__', 'constructor'), fc.string({ maxLength: 2 }));
const { value: VALUE } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(null, true, 0, 1, 2, '', 's'),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(KEY, tie('value'), { maxKeys: 4 }),
  ),
}));
const OBJECT: fc.Arbitrary<JsonObject> = fc.dictionary(KEY, VALUE, { maxKeys: 5 });
const canonical = (value: Json): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
const RUNS = { numRuns: 400 };

test('a created JSON patch makes the one of the other, and is empty only for equals', () => {
  fc.assert(
    fc.property(OBJECT, OBJECT, (before, after) => {
      const patch = createJsonPatch(before, after);
      expect(canonical(applyJsonPatch(before, patch as unknown as Json))).toBe(canonical(after));
      expect(patch.length === 0).toBe(canonical(before) === canonical(after));
    }),
    RUNS,
  );
});

test('a created JSON patch does not depend on the order of fields', () => {
  const reversed = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, item]) => [key, reversed(item as Json)]),
    );
  };
  fc.assert(
    fc.property(OBJECT, OBJECT, (before, after) => {
      const again = createJsonPatch(reversed(before), reversed(after));
      expect(canonical(again as unknown as Json)).toBe(canonical(createJsonPatch(before, after) as unknown as Json));
    }),
    RUNS,
  );
});

test('no operation of a created patch of a list can be left out', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3), { maxLength: 6 }), fc.array(fc.nat(3), { maxLength: 6 }), (before, after) => {
      const patch = createJsonPatch(before, after);
      expect(patch.length).toBe(editDistance(before, after));
    }),
    RUNS,
  );
});

/** Plain recursion, nothing of the table. */
function editDistance(from: readonly number[], to: readonly number[]): number {
  const [[first, ...rest], [other, ...others]] = [from, to];
  if (first === undefined || other === undefined) return from.length + to.length;
  if (first === other) return editDistance(rest, others);
  return 1 + Math.min(editDistance(rest, others), editDistance(rest, to), editDistance(from, others));
}

test('a created merge patch makes the one of the other, or says that none can', () => {
  fc.assert(
    fc.property(OBJECT, OBJECT, (before, after) => {
      let patch: JsonObject;
      try {
        patch = createMergePatch(before, after);
      } catch (error) {
        expect(error).toBeInstanceOf(PatchNotPossible);
        expect(canonical(after)).toContain('null');
        return;
      }
      expect(canonical(applyMergePatch(before, patch))).toBe(canonical(after));
    }),
    RUNS,
  );
});

/** At any depth below a list. */
function hasNullInList(value: Json, inList: boolean): boolean {
  if (value === null) return inList;
  if (typeof value !== 'object') return false;
  return Object.values(value).some((below: Json) => hasNullInList(below, inList || Array.isArray(value)));
}

test('a merge patch that is applied again changes nothing more, if no list in it holds nulls', () => {
  fc.assert(
    fc.property(OBJECT, OBJECT, (target, patch) => {
      fc.pre(!hasNullInList(patch, false));
      const once = applyMergePatch(target, patch);
      expect(canonical(applyMergePatch(once, patch))).toBe(canonical(once));
    }),
    RUNS,
  );
});

test('an empty merge patch changes nothing', () => {
  fc.assert(
    fc.property(OBJECT, (target) => expect(applyMergePatch(target, {})).toEqual(target)),
    RUNS,
  );
});

test('no document is too odd to be answered', () => {
  const operation = fc.record(
    {
      op: fc.oneof(fc.constantFrom<Json>('add', 'remove', 'replace', 'move', 'copy', 'test'), VALUE),
      path: fc.oneof(
        KEY.map((key): Json => `/${key}`),
        VALUE,
      ),
      from: VALUE,
      value: VALUE,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(OBJECT, fc.oneof(VALUE, fc.array(operation as fc.Arbitrary<Json>)), (document, patch) => {
      try {
        applyJsonPatch(document, patch);
        applyMergePatch(document, patch);
      } catch (error) {
        expect(error).toBeInstanceOf(PatchRefused);
      }
    }),
    { numRuns: 1500 },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});
