import {
  defineController,
  defineCustomResource,
  defineOperator,
  k,
  mutating,
  type PermissionsOptions,
  permissionsOf,
  permissionsTable,
  type RawPermission,
  read,
  watch,
} from 'keelson';
import { ConfigMap, Node, Pod, Secret } from 'keelson/kinds';
import { z } from 'zod';

const Cache = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Cache',
  versions: { v1: { spec: z.object({ size: k.int32() }) } },
});
const reconcile = () => undefined as never;
const controllerOf = (options: object) => defineController({ name: 'c', for: Cache, reconcile, ...options });
const alone = (options: object) => defineOperator({ name: 'op', controllers: [controllerOf(options)] });
const noLease: PermissionsOptions = { leaderElection: false };

const inCluster = (operator: Parameters<typeof permissionsOf>[0], options = noLease): readonly string[] =>
  permissionsOf(operator, options).cluster.flatMap(({ resources = [] }) => resources);

test('a watch of named namespaces takes its rights there alone, verbs included', () => {
  const operator = alone({ watches: { configs: watch(ConfigMap, { select: { namespaces: ['b', 'a'] }, verbs: ['create', 'delete'] }) } });
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'delete', 'list', 'watch'] }];
  expect(permissionsOf(operator, noLease).named).toEqual({ a: rules, b: rules });
  expect(inCluster(operator)).not.toContain('configmaps');
});

test('so do a read, a raw right and the watch of a webhook', () => {
  const permissions: RawPermission[] = [{ apiGroups: [''], resources: ['pods/log'], verbs: ['get'], namespaces: ['logs'] }];
  const operator = defineOperator({
    name: 'op',
    controllers: [controllerOf({ reads: { secrets: read(Secret, { verbs: ['get'], namespaces: ['vault'] }) }, permissions })],
    webhooks: [mutating(Pod, { watches: { configs: watch(ConfigMap, { select: { namespaces: ['shared'] } }) }, apply: () => undefined })],
  });
  expect(permissionsOf(operator, noLease).named).toEqual({
    logs: [{ apiGroups: [''], resources: ['pods/log'], verbs: ['get'] }],
    shared: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }],
    vault: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
  });
  expect(inCluster(operator)).toEqual(['caches', 'events']);
});

test('one name in one namespace is the least that a watch can ask for', () => {
  const select = { namespaces: ['kube-system'], fields: { 'metadata.name': 'extension-apiserver-authentication' } };
  expect(permissionsOf(alone({ watches: { configs: watch(ConfigMap, { select }) } }), noLease).named).toEqual({
    'kube-system': [
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['extension-apiserver-authentication'], verbs: ['list', 'watch'] },
    ],
  });
});

test('what is granted everywhere or in a watched namespace is not granted once more', () => {
  const operator = alone({
    watches: { configs: ConfigMap, shared: watch(ConfigMap, { select: { namespaces: ['a', 'z'] }, verbs: ['delete'] }) },
    reads: { secrets: read(Secret, { namespaces: ['a'] }) },
  });
  const secrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] };
  expect(permissionsOf(operator, noLease).named).toEqual({
    a: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['delete'] }, secrets],
    z: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['delete'] }],
  });
  // The watch goes on in the namespaces that the operator serves; the read where it says.
  expect(permissionsOf(operator, { ...noLease, scope: { namespaces: ['a', 'b'] } }).named).toEqual({
    a: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['delete'] }, secrets],
  });
  expect(permissionsOf(operator, { ...noLease, scope: { namespaces: ['b'] } }).named).toEqual({ a: [secrets] });
});

test('the table names the namespaces', () => {
  const operator = alone({ reads: { secrets: read(Secret, { verbs: ['get'], namespaces: ['vault', 'infra'] }) } });
  expect(permissionsTable(operator, noLease)).toMatch(/^get +secrets +in infra, vault +controller c reads secrets$/m);
});

test.each<[string, object, string]>([
  ['a read in no namespace', { reads: { s: read(Secret, { namespaces: [] }) } }, 'reads.s.namespaces: is empty'],
  ['a watch in no namespace', { watches: { s: watch(Secret, { select: { namespaces: [] } }) } }, 'watches.s.select.namespaces: is empty'],
  ['what cannot be a namespace', { reads: { s: read(Secret, { namespaces: ['Team A'] }) } }, "reads.s.namespaces[0]: 'Team A' must be"],
  [
    'a namespace of a cluster-scoped kind',
    { reads: { n: read(Node, { namespaces: ['a'] }) } },
    'reads.n.namespaces: is set, but Node is cluster-scoped',
  ],
  [
    'a raw right on what is in no namespace',
    { permissions: [{ nonResourceURLs: ['/version'], verbs: ['get'], namespaces: ['a'] }] },
    'permissions[0].namespaces: is set, but the rule is about nothing in a namespace',
  ],
])('%s is refused', (_, options, message) => {
  expect(() => controllerOf(options)).toThrow(message);
});
