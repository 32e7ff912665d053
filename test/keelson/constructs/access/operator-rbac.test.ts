import { defineController, defineOperator, type OperatorModel, read, watch } from 'keelson';
import { findResource, type OperatorProps } from 'keelson/constructs';
import { ConfigMap, Secret } from 'keelson/kinds';
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

describe('rights in named namespaces', () => {
  const controller = defineController({
    name: 'named',
    for: ConfigMap,
    watches: { shared: watch(ConfigMap, { select: { namespaces: ['a', 'infra'] } }) },
    reads: { keys: read(Secret, { namespaces: ['vault'] }) },
    reconcile: ({ done }) => done(),
  });
  const operator = defineOperator({ name: 'named', controllers: [controller] }) as OperatorModel;
  const rolesOf = (props: Partial<OperatorProps>): readonly string[] =>
    manifestsOf({ operator, metrics: false, ...props })
      .filter(({ kind, metadata }) => kind === 'Role' && metadata.name === 'named')
      .map((role) => {
        const { rules } = role as unknown as { readonly rules: readonly { readonly resources: readonly string[] }[] };
        return `${role.metadata.namespace}: ${rules.flatMap(({ resources }) => resources).join(' ')}`;
      });

  test('stand in one Role for each namespace, beside those of the scope', () => {
    // The ClusterRole lists and watches all ConfigMaps already.
    expect(rolesOf({})).toEqual(['vault: secrets']);
    expect(rolesOf({ scope: { namespaces: ['a', 'vault'] } })).toEqual(['a: configmaps events', 'vault: configmaps secrets events']);
  });

  test('a scope that has none of the namespaces of a watch is refused: the process would not start', () => {
    expect(() => rolesOf({ scope: { namespaces: ['b'] } })).toThrow(
      'scope.namespaces has none of the namespaces a, infra that named selects for watches.shared; add one',
    );
  });
});
