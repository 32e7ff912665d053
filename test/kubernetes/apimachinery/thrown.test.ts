import { runInNewContext } from 'node:vm';
import { isError, messageOf, stackOf } from '../../../src/kubernetes/apimachinery/index.js';

test('the message of an error of another realm is its message, without its class', () => {
  const foreign: unknown = runInNewContext("new TypeError('broken')");
  expect(foreign instanceof Error).toBe(false);
  expect([isError(foreign), messageOf(foreign), stackOf(foreign)]).toEqual([
    true,
    'broken',
    expect.stringContaining('TypeError: broken\n'),
  ]);
});

test.each([
  [new Error('a'), 'a'],
  ['text', 'text'],
  [undefined, 'undefined'],
  [{ message: 'not an error' }, '[object Object]'],
])('messageOf(%p) is %p', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});
