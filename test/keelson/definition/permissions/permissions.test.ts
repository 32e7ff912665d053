import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import {
  defineController,
  defineCustomResource,
  defineOperator,
  k,
  mutating,
  own,
  type PermissionsOptions,
  type PolicyRule,
  permissionsOf,
  permissionsTable,
  type RawPermission,
  read,
  watch,
} from 'keelson';
import { ConfigMap, Deployment, Namespace, Node, Pod, Secret } from 'keelson/kinds';
import { z } from 'zod';
import { mergeRules, type Verb } from '../../../../src/keelson/definition/index';

const schema = { spec: z.object({ size: k.int32() }), status: z.object({ a: z.string().optional() }) };
const Cache = defineCustomResource({ group: 'cache.example.com', kind: 'Cache', versions: { v1: schema } });
const Fleet = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Fleet',
  scope: 'Cluster',
  versions: { v1: { spec: schema.spec } },
});

const Plain = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Plain',
  versions: { v1: { ...schema, statusSubresource: false } },
});

const noLease: PermissionsOptions = { leaderElection: false };
const reconcile = () => undefined as never;
const alone = (options: object) =>
  defineOperator({ name: 'op', controllers: [defineController({ name: 'c', for: Cache, reconcile, ...options })] });

/** `verb group/resource[name]` for each thing that a set of rules allows. */
function rights(rules: readonly PolicyRule[]): Set<string> {
  return new Set(
    rules.flatMap(({ verbs, apiGroups = [], resources = [], resourceNames = ['*'], nonResourceURLs = [] }) =>
      verbs.flatMap((verb) => [
        ...nonResourceURLs.map((url) => `${verb} ${url}`),
        ...apiGroups.flatMap((group) =>
          resources.flatMap((resource) => resourceNames.map((name) => `${verb} ${group}/${resource}[${name}]`)),
        ),
      ]),
    ),
  );
}

const events = ['create events.k8s.io/events[*]', 'patch events.k8s.io/events[*]'];
const caches = ['list', 'watch'].map((verb) => `${verb} cache.example.com/caches[*]`);

describe('each declaration leads to its rights and no others', () => {
  test.each<[string, object, readonly string[]]>([
    ['for', { for: Fleet }, ['list', 'watch'].map((verb) => `${verb} cache.example.com/fleets[*]`)],
    [
      'a watch of one name',
      { watches: { configs: watch(ConfigMap, { select: { fields: { 'metadata.name': 'defaults' } } }) } },
      [...caches, 'patch cache.example.com/caches/status[*]', 'list /configmaps[defaults]', 'watch /configmaps[defaults]'],
    ],
    [
      'verbs on a watch of one name',
      {
        watches: {
          configs: watch(ConfigMap, { select: { fields: { 'metadata.name': 'defaults' } }, verbs: ['create', 'update', 'delete'] }),
        },
      },
      [
        ...caches,
        'patch cache.example.com/caches/status[*]',
        'create /configmaps[*]',
        ...['delete', 'list', 'update', 'watch'].map((verb) => `${verb} /configmaps[defaults]`),
      ],
    ],
    [
      'apply and evict on a watch of one name',
      { watches: { pods: watch(Pod, { select: { fields: { 'metadata.name': 'web' } }, verbs: ['apply', 'evict'] }) } },
      [
        ...caches,
        'patch cache.example.com/caches/status[*]',
        ...['create', 'list', 'patch', 'watch'].map((verb) => `${verb} /pods[web]`),
        'create /pods/eviction[web]',
      ],
    ],
    ['a status without its subresource', { for: Plain }, ['list', 'watch'].map((verb) => `${verb} cache.example.com/plains[*]`)],
    ['a status', {}, [...caches, 'patch cache.example.com/caches/status[*]']],
    [
      'a finalizer',
      { for: Fleet, finalize: () => undefined },
      ['get', 'list', 'watch', 'patch'].map((verb) => `${verb} cache.example.com/fleets[*]`),
    ],
    [
      'owns',
      { owns: { deployments: Deployment } },
      [
        ...caches,
        'patch cache.example.com/caches/status[*]',
        'update cache.example.com/caches/finalizers[*]',
        ...['list', 'watch', 'create', 'patch', 'delete'].map((verb) => `${verb} apps/deployments[*]`),
      ],
    ],
    [
      'watches',
      { watches: { pods: watch(Pod, { verbs: ['apply', 'evict'] }), configs: ConfigMap } },
      [
        ...caches,
        'patch cache.example.com/caches/status[*]',
        ...['list', 'watch', 'create', 'patch'].map((verb) => `${verb} /pods[*]`),
        'create /pods/eviction[*]',
        ...['list', 'watch'].map((verb) => `${verb} /configmaps[*]`),
      ],
    ],
    [
      'reads',
      { reads: { secrets: Secret } },
      [...caches, 'patch cache.example.com/caches/status[*]', 'get /secrets[*]', 'list /secrets[*]'],
    ],
    [
      'permissions',
      {
        permissions: [
          { apiGroups: [''], resources: ['pods/exec'], resourceNames: ['a'], verbs: ['get'] },
          { nonResourceURLs: ['/version'], verbs: ['get'] },
        ] satisfies RawPermission[],
      },
      [...caches, 'patch cache.example.com/caches/status[*]', 'get /pods/exec[a]', 'get /version'],
    ],
  ])('%s', (_, options, expected) => {
    const { cluster, watched, own } = permissionsOf(alone(options), noLease);
    expect([...rights(cluster)].sort()).toEqual([...expected, ...events].sort());
    expect([...watched, ...own]).toEqual([]);
  });
});

describe('each verb of a handle leads to its right and no other', () => {
  const pods = (verbs: readonly string[], subresource = ''): string[] => verbs.map((verb) => `${verb} /pods${subresource}[*]`);
  const podRights = (options: object): string[] =>
    [...rights(permissionsOf(alone(options), noLease).cluster)].filter((right) => right.includes('/pods')).sort();
  const cases: readonly (readonly [Verb, readonly string[]])[] = [
    ['create', pods(['create'])],
    ['update', pods(['update'])],
    ['patch', pods(['patch'])],
    ['apply', pods(['create', 'patch'])],
    ['delete', pods(['delete'])],
    ['evict', pods(['create'], '/eviction')],
  ];

  test.each(cases)('%s of a watched kind', (verb, written) => {
    const options = { watches: { pods: watch(Pod, { verbs: [verb] }) } };
    expect(podRights(options)).toEqual([...pods(['list', 'watch']), ...written].sort());
    const { grants } = permissionsOf(alone(options), noLease);
    expect(grants.map(({ because }) => because)).toContain(`controller c declares ${verb} on pods`);
  });

  test.each(cases)('%s of an owned kind that is acted upon alone', (verb, written) => {
    const options = { owns: { pods: own(Pod, { desired: false, verbs: [verb] }) } };
    expect(podRights(options)).toEqual([...pods(['list', 'watch']), ...written].sort());
  });

  test.each(cases)('%s of an owned kind that is desired state too', (verb, written) => {
    const options = { owns: { pods: own(Pod, { desired: true, verbs: [verb] }) } };
    const desired = pods(['list', 'watch', 'create', 'patch', 'delete']);
    expect(podRights(options)).toEqual([...new Set([...desired, ...written])].sort());
  });

  test.each([
    [['get'], pods(['get'])],
    [['list'], pods(['list'])],
    [undefined, pods(['get', 'list'])],
  ] as const)('a kind that is read by %j', (verbs, granted) => {
    expect(podRights({ reads: { pods: read(Pod, { verbs }) } })).toEqual(granted);
  });

  test('children that outlive their owner need no right on its finalizers', () => {
    const finalizers = (onDelete: 'delete' | 'orphan'): boolean =>
      rights(permissionsOf(alone({ owns: { pods: own(Pod, { onDelete }) } }), noLease).cluster).has(
        'update cache.example.com/caches/finalizers[*]',
      );
    expect([finalizers('delete'), finalizers('orphan')]).toEqual([true, false]);
  });
});

test('an operator without controllers has no rights in the cluster', () => {
  const { cluster, watched, own } = permissionsOf(defineOperator({ name: 'op', customResources: [Cache] }));
  expect([cluster, watched]).toEqual([[], []]);
  expect([...rights(own)].sort()).toEqual([
    'create coordination.k8s.io/leases[*]',
    'get coordination.k8s.io/leases[op]',
    'update coordination.k8s.io/leases[op]',
  ]);
});

test('in namespaced scope only what cannot be namespaced stays in the cluster role', () => {
  const operator = alone({
    owns: { deployments: Deployment },
    watches: { nodes: watch(Node, { verbs: ['patch'] }) },
    reads: { namespaces: Namespace },
    permissions: [
      { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
      { apiGroups: [''], resources: ['nodes/proxy'], verbs: ['get'], clusterScoped: true },
      { nonResourceURLs: ['/metrics'], verbs: ['get'] },
    ],
  });
  const { cluster, watched } = permissionsOf(operator, { ...noLease, scope: { namespaces: ['a', 'b'] } });
  expect([...rights(cluster)].sort()).toEqual(
    [
      ...['get', 'list'].map((verb) => `${verb} /namespaces[*]`),
      ...['list', 'patch', 'watch'].map((verb) => `${verb} /nodes[*]`),
      'get /nodes/proxy[*]',
      'get /metrics',
    ].sort(),
  );
  expect([...rights(watched)]).toEqual(expect.arrayContaining(['get /pods/log[*]', 'create apps/deployments[*]', ...caches, ...events]));
  expect([...rights([...cluster, ...watched])].sort()).toEqual([...rights(permissionsOf(operator, noLease).cluster)].sort());
});

test('certificates and metrics: named objects only, but for create, which has no name to check', () => {
  const { cluster, own } = permissionsOf(defineOperator({ name: 'op', customResources: [Cache] }), {
    leaderElection: { leaseName: 'lease' },
    secureMetrics: true,
    certificates: {
      mode: 'selfManaged',
      secretName: 'tls',
      mutatingWebhookConfigurations: ['m'],
      validatingWebhookConfigurations: [],
      customResourceDefinitions: ['caches.cache.example.com'],
    },
  });
  const byName = (what: string, write: 'patch' | 'update') => ['get', write].map((verb) => `${verb} ${what}`);
  expect([...rights(own)].sort()).toEqual(
    [
      'create coordination.k8s.io/leases[*]',
      ...byName('coordination.k8s.io/leases[lease]', 'update'),
      'create /secrets[*]',
      ...byName('/secrets[tls]', 'update'),
    ].sort(),
  );
  expect([...rights(cluster)].sort()).toEqual(
    [
      ...byName('admissionregistration.k8s.io/mutatingwebhookconfigurations[m]', 'patch'),
      ...byName('apiextensions.k8s.io/customresourcedefinitions[caches.cache.example.com]', 'patch'),
      'create authentication.k8s.io/tokenreviews[*]',
      'create authorization.k8s.io/subjectaccessreviews[*]',
    ].sort(),
  );
});

test('stored versions: the objects in every namespace, and the one CRD by name', () => {
  const operator = defineOperator({ name: 'op', customResources: [Cache] });
  const options: PermissionsOptions = {
    ...noLease,
    scope: { namespaces: ['a'] },
    storedVersions: ['caches.cache.example.com', 'others.example.com'],
  };
  const { cluster, watched, own, grants } = permissionsOf(operator, options);
  expect([watched, own]).toEqual([[], []]);
  expect([...rights(cluster)].sort()).toEqual([
    'get apiextensions.k8s.io/customresourcedefinitions[caches.cache.example.com]',
    'get cache.example.com/caches[*]',
    'list cache.example.com/caches[*]',
    'patch apiextensions.k8s.io/customresourcedefinitions/status[caches.cache.example.com]',
    'patch apiextensions.k8s.io/customresourcedefinitions[caches.cache.example.com]',
    'patch cache.example.com/caches[*]',
  ]);
  expect(new Set(grants.map(({ because }) => because))).toEqual(new Set(['the leader stores caches as v1']));
});

test.each(['certManager', 'secret'] as const)('a certificate in mode %s needs no right', (mode) => {
  const operator = defineOperator({ name: 'op', customResources: [Cache] });
  expect(permissionsOf(operator, { certificates: { mode } })).toEqual(permissionsOf(operator));
});

describe('merged rules', () => {
  const some = (values: readonly string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
  const rule: fc.Arbitrary<PolicyRule> = fc.oneof(
    fc.record({
      apiGroups: some(['', 'apps', 'batch']),
      resources: some(['a', 'b', 'b/status', 'c']),
      verbs: some(['get', 'list', 'create', 'patch']),
    }),
    fc.record({
      apiGroups: some(['', 'apps']),
      resources: some(['a', 'b']),
      resourceNames: some(['x', 'y', 'z']),
      verbs: some(['get', 'patch']),
    }),
    fc.record({ nonResourceURLs: some(['/a', '/b', '/c/*']), verbs: some(['get', 'post']) }),
  );
  const rules = fc.array(rule, { maxLength: 8 });
  /** A right on one named object says nothing where every object is allowed. */
  const essential = (all: Set<string>) =>
    [...all].filter((right) => right.endsWith('[*]') || !all.has(right.replace(/\[.*\]$/, '[*]'))).sort();

  test('grant exactly what the single grants did', () => {
    fc.assert(fc.property(rules, (given) => expect(essential(rights(mergeRules(given)))).toEqual(essential(rights(given)))));
  });

  test('do not depend on the order of the declarations, and cannot be merged further', () => {
    fc.assert(
      fc.property(rules, fc.nat(), (given, seed) => {
        const merged = mergeRules(given);
        const turned = given.length === 0 ? [] : [...given.slice(seed % given.length), ...given.slice(0, seed % given.length)].reverse();
        expect(mergeRules(turned)).toEqual(merged);
        expect(mergeRules(merged)).toEqual(merged);
      }),
    );
  });

  test('never say a thing twice', () => {
    fc.assert(
      fc.property(rules, (given) => {
        const merged = mergeRules(given);
        const single = merged.flatMap((one) => [...rights([one])]);
        expect(new Set(single).size).toBe(single.length);
      }),
    );
  });

  test('are what people read: one rule per sort of access', () => {
    const read = ['get', 'list', 'watch'];
    expect(
      mergeRules([
        { apiGroups: ['apps'], resources: ['deployments'], verbs: read },
        { apiGroups: ['apps'], resources: ['statefulsets'], verbs: read },
        { apiGroups: [''], resources: ['secrets'], resourceNames: ['b'], verbs: ['get'] },
        { apiGroups: [''], resources: ['secrets'], resourceNames: ['a'], verbs: ['get'] },
        { apiGroups: ['apps'], resources: ['deployments'], verbs: ['patch'] },
        { apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['x'], verbs: ['patch'] },
      ]),
    ).toEqual([
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'patch', 'watch'] },
      { apiGroups: ['apps'], resources: ['statefulsets'], verbs: read },
    ]);
  });
});

test('a webhook may read what it watches, and nothing more', () => {
  const webhooks = [mutating(Pod, { watches: { fleets: Fleet, pods: watch(Pod) }, apply: () => {} })];
  const { cluster, watched } = permissionsOf(defineOperator({ name: 'op', webhooks }), { ...noLease, scope: { namespaces: ['a'] } });
  const read = ['list', 'watch'];
  expect(cluster).toEqual([{ apiGroups: ['cache.example.com'], resources: ['fleets'], verbs: read }]);
  expect(watched).toEqual([{ apiGroups: [''], resources: ['pods'], verbs: read }]);
});

test('a namespace that is named and not watched gets its rights in whole: those of the watched ones do not hold there', () => {
  const reader = alone({ owns: { own: ConfigMap }, reads: { shared: read(ConfigMap, { verbs: ['list'], namespaces: ['elsewhere'] }) } });
  const { named } = permissionsOf(reader, { ...noLease, scope: { namespaces: ['a'] } });
  expect(named).toEqual({ elsewhere: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }] });
  const here = alone({ owns: { own: ConfigMap }, reads: { shared: read(ConfigMap, { verbs: ['list'], namespaces: ['a'] }) } });
  expect(permissionsOf(here, { ...noLease, scope: { namespaces: ['a'] } }).named).toEqual({});
});

test('a webhook has no right in a named namespace that the operator does not serve', () => {
  const select = { namespaces: ['served', 'elsewhere'] };
  const webhooks = [mutating(Pod, { watches: { pods: watch(Pod, { select }) }, apply: () => {} })];
  const { named } = permissionsOf(defineOperator({ name: 'op', webhooks }), { ...noLease, scope: { namespaces: ['served', 'other'] } });
  expect(Object.keys(named)).toEqual(['served']);
});

test('no derived right is a wildcard or empties a collection', () => {
  const { cluster } = permissionsOf(
    alone({ owns: { a: Deployment }, watches: { b: watch(Pod, { verbs: ['create', 'update', 'patch', 'delete'] }) } }),
  );
  expect(JSON.stringify(cluster)).not.toMatch(/\*|deletecollection/);
});

describe('docs/permissions.md', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/permissions.md'), 'utf8');

  test.each([
    ['cluster', {}],
    ['namespaced', { scope: { namespaces: ['team-a', 'team-b'] } }],
  ] as const)('shows the table that is printed in %s scope', async (name, options) => {
    const { operator } = await import('../../../../examples/memcached/memcached-operator');
    const shown = new RegExp(`<!-- table: ${name} -->\n\`\`\`text\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1];
    expect(shown).toBe(permissionsTable(operator, options));
  });
});

test('an optional kind has the rights of one that is needed, and its declaration is marked by nothing else', () => {
  const options = (optional: boolean) => ({
    owns: { a: own(Deployment, { optional }), b: own(Secret, { optional, verbs: ['create'], desired: true }) },
    watches: { c: watch(Pod, { optional, verbs: ['evict'] }), d: watch(ConfigMap, { optional, select: { namespaces: ['x'] } }) },
    reads: { e: read(Node, { optional }), f: read(Secret, { optional, namespaces: ['vault'] }) },
  });
  const scopes: PermissionsOptions[] = [{}, { scope: { namespaces: ['a', 'b'] } }];
  for (const scope of scopes) expect(permissionsOf(alone(options(true)), scope)).toEqual(permissionsOf(alone(options(false)), scope));
  const [needed] = alone(options(false)).controllers;
  expect(JSON.stringify([needed?.owns, needed?.watches, needed?.reads])).not.toContain('optional');
});
