import { findResource, type OperatorProps } from 'keelson/constructs';
import { plainOperator } from '../models';
import { manifestsOf } from '../synthesized';

describe('metrics', () => {
  const portsOf = (props: Partial<OperatorProps>) =>
    findResource(manifestsOf({ operator: plainOperator, ...props }), 'Service', 'memcached-operator-metrics').spec.ports[0].port;

  test('are for whom the API server lets read them, unless the platform opens them', () => {
    expect(portsOf({})).toBe(8443);
    expect(portsOf({ metrics: {} })).toBe(8443);
    expect(portsOf({ metrics: { secure: false } })).toBe(8080);
    const open = JSON.stringify(manifestsOf({ operator: plainOperator, metrics: { secure: false } }));
    expect(open).not.toMatch(/tokenreviews|subjectaccessreviews|metrics-reader|METRICS_SECURE/);
    expect(JSON.stringify(manifestsOf({ operator: plainOperator, metrics: false }))).not.toMatch(/tokenreviews|metrics-reader|-metrics/);
  });

  test('readers are bound to the reading role', () => {
    const readers = [{ name: 'prometheus', namespace: 'monitoring' }];
    const manifests = manifestsOf({ operator: plainOperator, metrics: { readers } });
    expect(findResource(manifests, 'ClusterRoleBinding', 'memcached-operator-metrics-reader')).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: findResource(manifests, 'ClusterRole', 'memcached-operator-metrics-reader').metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: 'prometheus', namespace: 'monitoring' }],
    });
    expect(manifestsOf({}).filter(({ kind }) => kind === 'ClusterRoleBinding')).toHaveLength(1);
  });
});

test('rights on what is namespaced are granted in the named namespaces only', () => {
  const manifests = manifestsOf({ operator: plainOperator, scope: { namespaces: ['b', 'a'] }, metrics: { secure: false } });
  const bindings = manifests.filter(({ kind }) => kind === 'RoleBinding').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  expect(bindings).toEqual(['a/memcached-operator', 'b/memcached-operator', 'system/memcached-operator-runtime']);
  expect(manifests.some(({ kind }) => kind === 'ClusterRoleBinding')).toBe(false);
});
