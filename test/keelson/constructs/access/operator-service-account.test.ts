import { findResource, type OperatorProps } from 'keelson/constructs';
import { manifestsOf } from '../synthesized';

test('an own ServiceAccount is bound and used, and none is created', () => {
  const manifests = manifestsOf({ serviceAccount: { name: 'platform' } });
  expect(manifests.some(({ kind }) => kind === 'ServiceAccount')).toBe(false);
  expect(findResource(manifests, 'ClusterRoleBinding').subjects).toEqual([
    { kind: 'ServiceAccount', name: 'platform', namespace: 'system' },
  ]);
  expect(findResource(manifests, 'Deployment').spec.template.spec.serviceAccountName).toBe('platform');
});

test.each<[string, Partial<OperatorProps>, RegExp]>([
  ['a ServiceAccount without a name', { serviceAccount: {} as never }, /serviceAccount\.name: '' must be/],
])('%s', (_name, props, message) => {
  expect(() => manifestsOf(props)).toThrow(message);
});
