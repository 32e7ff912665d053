import type { OperatorProps } from 'keelson/constructs';
import { deploymentOf } from '../synthesized';

test('the heap and its young generation are bound by the memory limit, unless NODE_OPTIONS is given or there is no limit', () => {
  const option = (props: Partial<OperatorProps>): unknown =>
    deploymentOf(props).template.spec.containers[0].env.find(({ name }: { name: string }) => name === 'NODE_OPTIONS')?.value;
  expect(option({})).toBe('--max-old-space-size=179 --max-semi-space-size=2');
  expect(option({ resources: { limits: { memory: '500M' } } })).toBe('--max-old-space-size=333 --max-semi-space-size=3');
  expect(option({ resources: {} })).toBeUndefined();
  expect(option({ env: { NODE_OPTIONS: '--heapsnapshot-signal=SIGUSR2' } })).toBe('--heapsnapshot-signal=SIGUSR2');
  expect(option({ resources: { limits: { memory: '1e9' } } })).toBe('--max-old-space-size=667 --max-semi-space-size=6');
  expect(option({ resources: { limits: { memory: '.5Gi' } } })).toBe('--max-old-space-size=358 --max-semi-space-size=3');
  expect(option({ resources: { limits: { memory: 268435456 } } })).toBe('--max-old-space-size=179 --max-semi-space-size=2');
  expect(option({ resources: { limits: { memory: '1Pi' } } })).toBe('--max-old-space-size=751619276 --max-semi-space-size=16');
  expect(() => option({ resources: { limits: { memory: '100m' } } })).toThrow(/memory '100m' is not an amount of memory/);
  expect(() => option({ resources: { limits: { memory: 'much' } } })).toThrow(
    /chart\/operator\/deployment: resources\.limits\.memory 'much'/,
  );
});
