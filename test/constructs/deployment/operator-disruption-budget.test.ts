import type { OperatorProps } from 'keelson/constructs';
import { manifestsOf } from '../synthesized';

test.each<[string, Partial<OperatorProps>, RegExp]>([
  [
    'a negative budget',
    { podDisruptionBudget: { maxUnavailable: -1 } },
    /maxUnavailable is -1; write a whole number, or a share such as 50%/,
  ],
  ['a budget of too much', { podDisruptionBudget: { maxUnavailable: '150%' } }, /maxUnavailable is 150%/],
  ['a budget that blocks drains', { podDisruptionBudget: { maxUnavailable: 0 } }, /maxUnavailable 0 would block every node drain/],
])('%s', (_name, props, message) => {
  expect(() => manifestsOf(props)).toThrow(message);
});
