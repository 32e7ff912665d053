import { findResource, type OperatorProps } from 'keelson/constructs';
import { manifestsOf } from '../synthesized';

test.each<[string, Partial<OperatorProps>, RegExp]>([
  [
    'a negative budget',
    { podDisruptionBudget: { maxUnavailable: -1 } },
    /maxUnavailable is -1; write a whole number, or a share such as 50%/,
  ],
  ['a budget of too much', { podDisruptionBudget: { maxUnavailable: '150%' } }, /maxUnavailable is 150%/],
  ['a budget of hardly too much', { podDisruptionBudget: { maxUnavailable: '101%' } }, /maxUnavailable is 101%/],
  ['a budget of a fraction', { podDisruptionBudget: { maxUnavailable: 1.5 } }, /maxUnavailable is 1.5; write/],
  ['a share of a fraction', { podDisruptionBudget: { maxUnavailable: '1.5%' } }, /maxUnavailable is 1.5%; write/],
  ['a text that is no share', { podDisruptionBudget: { maxUnavailable: '50' as never } }, /maxUnavailable is 50; write/],
  ['a share and more', { podDisruptionBudget: { maxUnavailable: '50%%' as never } }, /maxUnavailable is 50%%; write/],
  ['a share that blocks drains', { podDisruptionBudget: { maxUnavailable: '0%' } }, /maxUnavailable 0 would block every node drain/],
  ['a budget that blocks drains', { podDisruptionBudget: { maxUnavailable: 0 } }, /maxUnavailable 0 would block every node drain/],
])('%s', (_name, props, message) => {
  expect(() => manifestsOf(props)).toThrow(message);
});

test.each([
  [undefined, 1],
  [7, 7],
  [250, 250],
  ['5%', '5%'],
  ['25%', '25%'],
  ['100%', '100%'],
] as const)('a budget of %j is written as %j', (maxUnavailable, written) => {
  const { spec } = findResource(manifestsOf({ podDisruptionBudget: { maxUnavailable } }), 'PodDisruptionBudget');
  expect(spec.maxUnavailable).toBe(written);
});
