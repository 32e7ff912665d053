import {
  intOrPercentValue,
  isOvercommitAllowed,
  notMoreThan100Percent,
  positiveIntOrPercent,
  type ResourceList,
  roundResourceList,
  sumOfAmounts,
} from '../../../../../src/api-server/kinds/builtin/checks/index.js';
import { fieldErrorText } from '../../../../../src/kubernetes/apimachinery/index.js';

test('an amount that is finer than a thousandth becomes the next thousandth, in its spelling', () => {
  const list: ResourceList = { cpu: '1u', memory: '1500m', 'example.com/gpu': 2, storage: '1e-6' };
  roundResourceList(list);
  expect(list).toEqual({ cpu: '1m', memory: '1500m', 'example.com/gpu': 2, storage: '1e-3' });
});

test('sums keep the spelling of their first amount that is not zero', () => {
  expect([sumOfAmounts('1Gi', '1024Mi'), sumOfAmounts('500m', 1), sumOfAmounts(0, '1Ki')]).toEqual(['2Gi', '1500m', '1Ki']);
});

test.each([
  ['cpu', true],
  ['requests.kubernetes.io/thing', true],
  ['example.com/gpu', false],
  ['hugepages-2Mi', false],
])('more of %s may be limited than requested: %j', (name, isAllowed) => {
  expect(isOvercommitAllowed(name)).toBe(isAllowed);
});

test.each([
  [3, 3],
  ['25%', 25],
  ['7', 7],
  ['-7', -7],
  ['7.5', 0],
  ['many', 0],
])('%j counts as %j of Pods or of hundred', (value, number) => {
  expect(intOrPercentValue(value)).toBe(number);
});

test('a number of Pods is not negative, a share of them is a percentage of at most 100', () => {
  const texts = (value: number | string): readonly string[] =>
    [...positiveIntOrPercent(value, 'max'), ...notMoreThan100Percent(value, 'max')].map(fieldErrorText);
  expect([0, 500, '100%'].flatMap(texts)).toEqual([]);
  expect(texts(-1)).toEqual(['max: Invalid value: -1: must be greater than or equal to 0']);
  expect(texts('101%')).toEqual(['max: Invalid value: "101%": must not be greater than 100%']);
  expect(texts('5')).toHaveLength(1);
});
