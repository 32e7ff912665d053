import { findByPath, parseJsonPath } from '../../../../src/api-server/kinds/custom-resources/json-path/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';

const ROOT: Json = {
  a: { b: 1, 'c.d': 'dotted', e: null },
  list: [10, 20, 30, 40],
  items: [
    { name: 'x', size: 1, on: true },
    { name: 'y', size: 2 },
    { name: 'z)', size: 2.5 },
  ],
};

test.each<[string, readonly Json[]]>([
  ['.a.b', [1]],
  ['.a.nope.more', []],
  ['.a.c\\.d', ['dotted']],
  [".a['b']", [1]],
  [".a['c\\.d']", ['dotted']],
  ['.a.e', [null]],
  ['.a.e.f', []],
  ['.list[0]', [10]],
  ['.list[-1]', [40]],
  ['.list[-2:]', [30, 40]],
  ['.list[1:3]', [20, 30]],
  ['.list[:2]', [10, 20]],
  ['.list[0:4:2]', [10, 30]],
  ['.list[*]', [10, 20, 30, 40]],
  ['.list[0,2]', [10, 30]],
  ['.list[1:1]', []],
  [".a['b','e']", [1, null]],
  ['.items[*].name', ['x', 'y', 'z)']],
  ['.items[?(@.name=="y")].size', [2]],
  [".items[?(@.name=='z)')].size", [2.5]],
  ['.items[?(@.on)].name', ['x']],
  ['.items[?(@.name<"y")].name', ['x']],
  ['..b', [1]],
  ['.a.*', [1, 'dotted', null]],
])('%s finds %j', (path, found) => {
  expect(answer(path)).toEqual(found);
});

/** What a path finds, or why it finds nothing. */
function answer(path: string): readonly Json[] | string {
  try {
    return findByPath(parseJsonPath(path), ROOT);
  } catch (error) {
    return (error as Error).message;
  }
}

test.each([
  ['.list[', 'unterminated array'],
  ['.list[a]', 'invalid array index a'],
  ['.items[?(@.name=="x"', 'unterminated filter'],
  ['.items[?(@.name=="x").size', 'unclosed array expect ]'],
  ['....a', 'invalid multiple recursive descent'],
  ['.a "b', 'unterminated quoted string'],
  ['.a range', 'unrecognized identifier range'],
])('%s cannot be read: %s', (path, problem) => {
  expect(() => parseJsonPath(path)).toThrow(problem);
});

test.each([
  ['.list[9]', 'array index out of bounds: index 9, length 4'],
  ['.a[0]', 'object is not array or slice'],
  ['.items[?(@.size=="1")].name', 'incompatible types for comparison'],
  ['.a[?(@.b==1)]', 'value is not array or slice and cannot be filtered'],
])('%s does not fit: %s', (path, problem) => {
  expect(() => findByPath(parseJsonPath(path), ROOT)).toThrow(problem);
});
