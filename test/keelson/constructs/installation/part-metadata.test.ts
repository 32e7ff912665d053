import type { OperatorProps } from 'keelson/constructs';
import { manifestsOf } from '../synthesized';

test.each<[string, Partial<OperatorProps>, RegExp]>([
  [
    'a moved part',
    { networkPolicy: { metadata: { namespace: 'x' } } },
    /metadata\.namespace is 'x', but the operator's namespace is 'system'/,
  ],
  [
    'a renamed part',
    { networkPolicy: { metadata: { name: 'x' } } },
    /metadata\.name is 'x', but the other parts call it 'memcached-operator'/,
  ],
])('%s', (_name, props, message) => {
  expect(() => manifestsOf(props)).toThrow(message);
});
