import type { OperatorProps } from 'keelson/constructs';
import { manifestsOf } from '../synthesized';

test.each<[string, Partial<OperatorProps>, RegExp]>([
  ['fractional replicas', { replicas: 1.5 }, /replicas is 1\.5/],
  [
    'a grace period that leaves no time to drain',
    { terminationGracePeriodSeconds: 5 },
    /terminationGracePeriodSeconds is 5; write more than 5/,
  ],
])('%s', (_name, props, message) => {
  expect(() => manifestsOf(props)).toThrow(message);
});
