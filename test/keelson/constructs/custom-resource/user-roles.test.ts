import { Chart, Testing } from 'cdk8s';
import { defineCustomResource, k } from 'keelson';
import { findResource, Operator, UserRoles } from 'keelson/constructs';
import { z } from 'zod';
import { memcached, plainOperator } from '../models';
import { type AnyManifest, image } from '../synthesized';

const chartOf = (): Chart => new Chart(Testing.app(), 'chart', { namespace: 'system' });
const rolesIn = (chart: Chart): readonly string[] =>
  (chart.toJson() as AnyManifest[])
    .filter(({ kind, metadata }) => /^(Cluster)?Role$/.test(kind) && /-role$/.test(metadata.name ?? ''))
    .map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name].filter((part) => part !== undefined).join(' '))
    .sort();

const Fleet = defineCustomResource({
  group: 'fleet.example.com',
  kind: 'Fleet',
  scope: 'Cluster',
  versions: { v1: { spec: z.object({ size: k.int32() }) } },
});

test('an operator writes none unless it is asked, and then ClusterRoles that aggregate nowhere', () => {
  const silent = chartOf();
  new Operator(silent, 'operator', { operator: plainOperator, image });
  expect(rolesIn(silent)).toEqual([]);
  const chart = chartOf();
  const operator = new Operator(chart, 'operator', { operator: plainOperator, image, userRoles: true, aggregateRoles: false });
  const name = [...operator.userRoles.keys()][0] ?? '';
  expect(rolesIn(chart)).toEqual(['admin', 'editor', 'viewer'].map((level) => `ClusterRole ${name}-${level}-role`));
  const viewer = findResource(chart.toJson(), 'ClusterRole', `${name}-viewer-role`);
  expect(JSON.stringify(viewer.metadata.labels)).not.toContain('aggregate-to');
});

test.each([
  [true, ['caches', 'caches/status']],
  [false, ['caches']],
])('a status whose subresource is there: %s', (statusSubresource, resources) => {
  const v1 = { spec: z.object({}), status: z.object({ ready: z.boolean() }), statusSubresource };
  const chart = chartOf();
  new UserRoles(chart, 'roles', { definition: defineCustomResource({ group: 'cache.example.com', kind: 'Cache', versions: { v1 } }) });
  for (const { rules } of chart.toJson() as { readonly rules: readonly { readonly resources: readonly string[] }[] }[])
    expect(rules.flatMap((rule) => rule.resources)).toEqual(resources);
});

test('with a scope of namespaces they are Roles there; named namespaces win', () => {
  const scope = { namespaces: ['team-b', 'team-a'] };
  const chart = chartOf();
  new Operator(chart, 'operator', { operator: plainOperator, image, scope, userRoles: true });
  expect(rolesIn(chart).filter((role) => role.includes('viewer'))).toEqual([
    expect.stringMatching(/^Role team-a .*-viewer-role$/),
    expect.stringMatching(/^Role team-b .*-viewer-role$/),
  ]);
  const named = chartOf();
  new Operator(named, 'operator', { operator: plainOperator, image, scope, userRoles: { namespaces: ['users'] } });
  expect(rolesIn(named)).toHaveLength(3);
});

test('names of bindings that are there already can be kept, and aggregation asked for', () => {
  const chart = chartOf();
  const roles = new UserRoles(chart, 'roles', { definition: memcached, names: { view: 'memcached-viewer-role' }, aggregate: true });
  expect(roles.role('view').name).toBe('memcached-viewer-role');
  expect(roles.role('edit').metadata.getLabel('rbac.authorization.k8s.io/aggregate-to-edit')).toBe('true');
});

test.each<[string, object, string]>([
  [
    'aggregated Roles',
    { definition: memcached, namespaces: ['a'], aggregate: true },
    'aggregate: Kubernetes aggregates ClusterRoles alone',
  ],
  ['Roles of a cluster-scoped kind', { definition: Fleet.customResource, namespaces: ['a'] }, 'namespaces: Fleet is cluster-scoped'],
  ['no namespace', { definition: memcached, namespaces: [] }, 'namespaces is empty'],
  ['what cannot be a namespace', { definition: memcached, namespaces: ['Team A'] }, "namespaces: 'Team A' must be"],
  ['a namespace twice', { definition: memcached, namespaces: ['a', 'a'] }, "namespaces: 'a' is named twice"],
])('%s are refused', (_, props, message) => {
  expect(() => new UserRoles(chartOf(), 'roles', props as never)).toThrow(message);
});

test('a role that is not there is refused with those that are', () => {
  const inNamespaces = new UserRoles(chartOf(), 'roles', { definition: memcached, namespaces: ['a', 'b'] });
  expect(() => inNamespaces.role('view')).toThrow("role 'view' is a Role in a, b, and no namespace is given");
  expect(() => inNamespaces.role('view', 'c')).toThrow("role 'view' is a Role in a, b, not in 'c'");
  const everywhere = new UserRoles(chartOf(), 'roles', { definition: memcached });
  expect(() => everywhere.role('view', 'a')).toThrow("role 'view' is a ClusterRole; leave the namespace out");
});
