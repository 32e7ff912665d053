import { ObjectHistory } from '../../../../src/cli/dev/page/object-history.js';

test('a history keeps the last 20 entries of an object, and the 500 objects that had the last ones', () => {
  const history = new ObjectHistory<number>();
  for (let n = 1; n <= 25; n += 1) history.add('Thing shop/a', n);
  expect([history.of('Thing shop/a').length, history.of('Thing shop/a').at(-1)]).toEqual([20, 25]);
  for (let n = 1; n <= 500; n += 1) history.add(`Thing shop/b${n}`, n);
  expect([history.names.length, history.of('Thing shop/a')]).toEqual([500, []]);
});
