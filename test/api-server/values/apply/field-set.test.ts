import fc from 'fast-check';
import {
  decodeFieldsV1,
  encodeFieldsV1,
  FieldSet,
  fieldElement,
  fieldPath,
  indexElement,
  keyElement,
  type Path,
  pathText,
  UNTYPED_DEDUCED,
  valueElement,
} from '../../../../src/api-server/values/apply/index.js';

const elements = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '.', '__proto__', '0').map(fieldElement),
  fc.constantFrom<1 | 'x'>(1, 'x').map((value) => keyElement([['name', value]])),
  fc.constantFrom<1 | 'x' | '<'>(1, 'x', '<').map(valueElement),
  fc.constantFrom(0, 1).map(indexElement),
);
const paths = fc.array(elements, { minLength: 1, maxLength: 4 });
const pathLists = fc.array(paths, { maxLength: 12 });

/** A set as the texts of its paths: what every operation means, with no tree in it. */
type Naive = ReadonlyMap<string, Path>;
const idOf = (path: Path): string => JSON.stringify(path.map(({ id }) => id));
const naive = (list: readonly Path[]): Naive => new Map(list.map((path) => [idOf(path), path]));
const same = (set: FieldSet, paths: Iterable<Path>): void => {
  const expected = [...paths];
  const ids = (list: readonly Path[]): string[] => list.map(idOf).sort();
  expect(ids(set.paths())).toEqual(ids(expected));
  expect(set.size).toBe(expected.length);
  expect(set.equals(FieldSet.of(...expected))).toBe(true);
};
const isBelow = (path: Path, root: Path): boolean => root.length <= path.length && idOf(path.slice(0, root.length)) === idOf(root);

describe('operations, compared with plain sets of paths', () => {
  const pairs = fc.tuple(pathLists, pathLists);

  test('union, intersection, difference', () => {
    fc.assert(
      fc.property(pairs, ([left, right]) => {
        const [a, b] = [naive(left), naive(right)];
        const [one, other] = [FieldSet.of(...left), FieldSet.of(...right)];
        same(one.union(other), new Map([...a, ...b]).values());
        same(
          one.intersection(other),
          [...a.values()].filter((path) => b.has(idOf(path))),
        );
        same(
          one.difference(other),
          [...a.values()].filter((path) => !b.has(idOf(path))),
        );
      }),
    );
  });

  test('recursive difference takes what lies below a member too', () => {
    fc.assert(
      fc.property(pairs, ([left, right]) => {
        const kept = [...naive(left).values()].filter((path) => !right.some((root) => isBelow(path, root)));
        same(FieldSet.of(...left).recursiveDifference(FieldSet.of(...right)), kept);
      }),
    );
  });

  test('leaves are the members with nothing below them', () => {
    fc.assert(
      fc.property(pathLists, (list) => {
        const all = [...naive(list).values()];
        const leaves = all.filter((path) => !all.some((other) => other.length > path.length && isBelow(other, path)));
        same(FieldSet.of(...list).leaves(), leaves);
      }),
    );
  });

  test('has', () => {
    fc.assert(
      fc.property(pathLists, paths, (list, path) => {
        expect(FieldSet.of(...list).has(path)).toBe(naive(list).has(idOf(path)));
      }),
    );
  });

  test('what is written can be read, byte by byte the same again', () => {
    fc.assert(
      fc.property(pathLists, (list) => {
        const set = FieldSet.of(...list);
        const text = JSON.stringify(encodeFieldsV1(set));
        const read = decodeFieldsV1(JSON.parse(text));
        expect(read.equals(set)).toBe(true);
        expect(JSON.stringify(encodeFieldsV1(read))).toBe(text);
      }),
    );
  });
});

test('the wire form: sorted, with a dot where a node is a member too', () => {
  const containers = fieldPath('spec', 'containers');
  const set = FieldSet.of(
    [...containers, keyElement([['name', 'c']]), fieldElement('image')],
    [...containers, keyElement([['name', 'c']])],
    fieldPath('spec', 'replicas'),
    [...fieldPath('metadata', 'finalizers'), valueElement('b')],
    [...fieldPath('metadata', 'finalizers'), valueElement('a')],
    fieldPath('metadata', 'finalizers'),
  );
  expect(JSON.stringify(encodeFieldsV1(set))).toBe(
    '{"f:metadata":{"f:finalizers":{".":{},"v:\\"a\\"":{},"v:\\"b\\"":{}}},' +
      '"f:spec":{"f:containers":{"k:{\\"name\\":\\"c\\"}":{".":{},"f:image":{}}},"f:replicas":{}}}',
  );
});

test('the order of messages: of each level first its members, then what lies below', () => {
  const set = FieldSet.of(fieldPath('b'), fieldPath('a', 'x'), fieldPath('a'), fieldPath('c', 'y', 'z'), fieldPath('c', 'x'));
  expect(set.paths().map(pathText)).toEqual(['.a', '.b', '.a.x', '.c.x', '.c.y.z']);
});

test('reading: unknown kinds are dropped, what is not a set is refused', () => {
  expect(
    decodeFieldsV1({ 'f:a': {}, 'z:1': { 'f:b': {} } })
      .paths()
      .map(pathText),
  ).toEqual(['.a']);
  // Only unknown things below it: the path itself remains.
  expect(
    decodeFieldsV1({ 'f:a': { 'z:1': {} } })
      .paths()
      .map(pathText),
  ).toEqual(['.a']);
  expect(
    decodeFieldsV1({ 'f:a': { '.': {} } })
      .paths()
      .map(pathText),
  ).toEqual(['.a']);
  expect(() => decodeFieldsV1([])).toThrow('fieldsV1 must be an object, it is []');
  expect(() => decodeFieldsV1({ 'f:a': 1 })).toThrow('f:a must hold an object, it holds 1');
  expect(() => decodeFieldsV1({ name: {} })).toThrow('missing colon: name');
});

test('the empty path is nobody’s', () => {
  expect(FieldSet.of([]).isEmpty).toBe(true);
  expect(FieldSet.EMPTY.has([])).toBe(false);
});

test('a free map has no declared fields to make members of', () => {
  const set = FieldSet.of(fieldPath('a', 'b'));
  expect(set.withNamedFields(UNTYPED_DEDUCED).equals(set)).toBe(true);
});
