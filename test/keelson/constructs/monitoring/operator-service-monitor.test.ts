import type { OperatorProps } from 'keelson/constructs';
import { manifestsOf } from '../synthesized';

test.each<[string, Partial<OperatorProps>, RegExp]>([
  ['a monitor without metrics', { metrics: false, serviceMonitor: true }, /metrics is false: there is nothing to scrape/],
])('%s', (_name, props, message) => {
  expect(() => manifestsOf(props)).toThrow(message);
});
