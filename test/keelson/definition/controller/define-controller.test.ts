import { type Done, defineController, defineCustomResource, k, RetryLater, referenced, TerminalError, toOwner, watch } from 'keelson';
import { ClusterRoleBinding, ConfigMap, Deployment, Namespace, Pod, Role, RoleBinding } from 'keelson/kinds';
import { z } from 'zod';
import { messageOf } from '../refusals.js';

const spec = z.object({ size: k.int32().default(1) });
const Cache = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Cache',
  versions: { v1: { spec, status: z.object({ a: z.string().optional() }) } },
});
const Bare = defineCustomResource({ group: 'cache.example.com', kind: 'Bare', versions: { v1: { spec } } });

/** Untyped code gets past the compiler. */
function define(change: Readonly<Record<string, unknown>>) {
  return defineController({ name: 'cache', for: Cache, reconcile: () => undefined, ...change } as unknown as Parameters<
    typeof defineController
  >[0]);
}

const LABEL = 'must be lower case letters, digits and dashes, beginning and ending with a letter or digit (DNS-1123 label)';

test.each<[string, Record<string, unknown>, string]>([
  ['a name in upper case', { name: 'Cache' }, `name: 'Cache' ${LABEL}`],
  ['no kind', { for: 'Cache' }, 'for: is not a kind; give a custom resource, or a kind of keelson/kinds'],
  ['no function', { reconcile: {} }, 'reconcile: is not a function; write one that takes the context'],
  [
    'an unknown option',
    { watchs: {} },
    'watchs: is not an option of a controller; known are name, for, owns, watches, reads, uses, observes, background, timeLimit, concurrency, backoff, retries, rate, abortOn, permissions, writesStatus, finalizer, formerFieldManagers, formerNames, formerFinalizers, released, annotations, reconcile, finalize',
  ],
  [
    'a former field manager without a name',
    { formerFieldManagers: [''] },
    "formerFieldManagers[0]: '' is not the name of a field manager; see metadata.managedFields of a child",
  ],
  [
    'a former field manager of two lines',
    { formerFieldManagers: ['ok', 'a\nb'] },
    "formerFieldManagers[1]: 'a\nb' is not the name of a field manager; see metadata.managedFields of a child",
  ],
  [
    'a watch of metadata that writes',
    { watches: { a: watch(Pod, { metadataOnly: true, verbs: ['delete'] }) } },
    'watches.a.metadataOnly: is set beside verbs, whose answers are whole objects; leave it out, or declare a second handle that writes',
  ],
  [
    'an optional kind of which only what is named is watched',
    { watches: { a: watch(Pod, { optional: true, only: referenced(Cache, () => ['x']) }) } },
    'watches.a.optional: is set beside only, which has no watch while nothing is named, and so cannot say whether the kind is served; write enqueue: toReferrers(...) in place of only',
  ],
  ['a time limit that is none', { timeLimit: '0s' }, "timeLimit: is '0s'; write a span of time such as '30s', or milliseconds"],
  ['a reserved name', { owns: { log: Deployment } }, "owns.log: 'log' is a reserved name: the context itself uses it; choose another"],
  [
    'a name twice',
    { owns: { a: Deployment }, reads: { a: Pod } },
    "reads.a: 'a' is declared twice, here and at owns.a; choose another name for one",
  ],
  [
    'a child that is not a kind',
    { owns: { a: 'Deployment' } },
    'owns.a: is not a kind; give a kind of keelson/kinds, or own(Kind, { ... })',
  ],
  ['a watch of no kind', { watches: { a: {} } }, 'watches.a: is not a kind; give a kind of keelson/kinds, or watch(Kind, { ... })'],
  [
    'an owner of another kind, under which nothing would ever be found',
    { watches: { a: watch(Pod, { enqueue: toOwner(Deployment) as never }) } },
    'watches.a.enqueue: follows the changed object to its owner among Deployment of apps, but the controller is for Cache of cache.example.com; write toOwner(Cache), or a function that returns the keys',
  ],
  ['itself as a child', { owns: { a: Cache } }, 'owns.a: Cache is the kind that the controller is for; an object is not its own child'],
  [
    'a cluster-scoped child of a namespaced object, which the garbage collector would delete',
    { owns: { a: Namespace } },
    'owns.a: Namespace is cluster-scoped and Cache is namespaced; an object cannot be owned from inside a namespace: declare it under watches with verbs, and delete it in finalize',
  ],
  [
    'an unknown verb',
    { watches: { a: watch(Pod, { verbs: ['del' as 'delete'] }) } },
    "watches.a.verbs[0]: 'del' is not a verb; known are create, update, patch, apply, delete, evict",
  ],
  [
    'a verb twice',
    { watches: { a: watch(Pod, { verbs: ['delete', 'delete'] }) } },
    "watches.a.verbs[1]: 'delete' is listed twice; leave one out",
  ],
  [
    'eviction of what is not a Pod',
    { watches: { a: watch(ConfigMap, { verbs: ['evict'] }) } },
    "watches.a.verbs[0]: ConfigMap cannot be evicted; only Pods can: use 'delete'",
  ],
  [
    'an enqueue that is not a function',
    { watches: { a: watch(Pod, { enqueue: 'Cache' as never }) } },
    'watches.a.enqueue: is not a function; write toOwner(Kind), toReferrers(Kind, ...), toSelectors(Kind, ...), through(Kind, ...), toAll(Kind), or a function from the object to keys { name, namespace }',
  ],
  [
    'a status that is not there',
    { for: Bare, writesStatus: true },
    'writesStatus: Bare has no status subresource; declare a status schema in this version',
  ],
  [
    "another's status that is not there",
    { for: ConfigMap, writesStatus: true },
    'writesStatus: ConfigMap has no status subresource; leave writesStatus out',
  ],
  [
    "a finalizer on another's kind without a name",
    { for: Pod, finalize: () => undefined },
    'finalizer: is missing, and Pod is not a kind of yours; write <domain that you own>/<name>, for example example.com/cleanup',
  ],
  [
    'a finalizer without a domain',
    { finalizer: 'cleanup', finalize: () => undefined },
    "finalizer: 'cleanup' is not qualified by a domain; write <domain that you own>/<name>, for example example.com/cleanup",
  ],
  ['a finalizer without a function', { finalizer: 'a.b/c' }, 'finalizer: is named, but there is no finalize; leave it out'],
  [
    'a rule without verbs',
    { permissions: [{ apiGroups: [''], resources: ['pods/log'], verbs: [] }] },
    'permissions[0].verbs: is empty; the rule grants nothing: name the verbs',
  ],
  [
    'a rule about nothing',
    { permissions: [{ verbs: ['get'] }] },
    'permissions[0]: must have either resources with their apiGroups, or nonResourceURLs',
  ],
  [
    'a rule without a group',
    { permissions: [{ resources: ['pods/log'], verbs: ['get'] }] },
    "permissions[0].apiGroups: is empty; name the group, '' for the core group",
  ],
  [
    'a rule about everything',
    { permissions: [{ apiGroups: ['*'], resources: ['pods'], verbs: ['get'] }] },
    "permissions[0]: grants '*'; name the groups, resources and verbs that the code uses",
  ],
  [
    'every subresource of a kind',
    { permissions: [{ apiGroups: [''], resources: ['pods/*'], verbs: ['get'] }] },
    "permissions[0]: grants '*'; name the groups, resources and verbs that the code uses",
  ],
  [
    'bindings without the right to bind',
    { owns: { bindings: RoleBinding } },
    "owns.bindings: writes RoleBindings, which the API server refuses without the right to bind the role; add it, with the role's name, for example permissions: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], resourceNames: ['view'], verbs: ['bind'] }]",
  ],
  [
    'bindings of the cluster without the right to bind',
    { watches: { bindings: watch(ClusterRoleBinding, { verbs: ['create'], enqueue: () => [] }) } },
    "watches.bindings: writes ClusterRoleBindings, which the API server refuses without the right to bind the role; add it, with the role's name, for example permissions: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], resourceNames: ['view'], verbs: ['bind'], clusterScoped: true }]",
  ],
  [
    'deletion of collections',
    { permissions: [{ apiGroups: [''], resources: ['pods'], verbs: ['deletecollection'] }] },
    'permissions[0].verbs: grants deletecollection, which can empty a namespace in one call; delete objects one by one',
  ],
  [
    'creation by name, which RBAC cannot check',
    { permissions: [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['a'], verbs: ['create'] }] },
    'permissions[0].resourceNames: cannot restrict create: the API server checks it before it knows the name; give create a rule of its own',
  ],
])('%s is refused', (_, change, message) => {
  expect(messageOf(() => define(change))).toBe(`controller ${String(change['name'] ?? 'cache')}: 1 problem\n  ${message}`);
});

test('a controller carries what it declares, completed', () => {
  const enqueue = toOwner(Cache);
  const controller = defineController({
    name: 'cache',
    for: Cache,
    owns: { deployments: Deployment },
    watches: { pods: watch(Pod, { enqueue, verbs: ['delete'] }), configs: ConfigMap },
    reconcile: ({ done }) => done(),
    finalize: () => undefined,
  });
  expect(controller).toMatchObject({
    writesStatus: true,
    finalizer: 'cache.example.com/cache',
    watches: { pods: { kind: Pod, verbs: ['delete'], enqueue }, configs: { kind: ConfigMap, verbs: [], indexes: {} } },
    reads: {},
    permissions: [],
  });
  expect(Object.isFrozen(controller) && Object.isFrozen(controller.watches)).toBe(true);
});

test('the status is written only where it is ours', () => {
  expect(define({ for: Cache }).writesStatus).toBe(true);
  expect(define({ for: Bare }).writesStatus).toBe(false);
  expect(define({ for: Deployment }).writesStatus).toBe(false);
  expect(define({ for: Deployment, writesStatus: true }).writesStatus).toBe(true);
});

describe('toOwner', () => {
  const pod = (...ownerReferences: object[]) =>
    ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n', ownerReferences } }) as never;
  const owner = { apiVersion: 'cache.example.com/v1alpha1', kind: 'Cache', name: 'a', uid: 'u', controller: true };

  test('finds the controller owner, in any version of its group', () => {
    expect(toOwner(Cache)(pod(owner))).toEqual([{ name: 'a', namespace: 'n' }]);
    expect(toOwner('Cache')(pod(owner))).toEqual([{ name: 'a', namespace: 'n' }]);
  });

  test('leaves other owners alone', () => {
    const others = [
      { ...owner, controller: undefined },
      { ...owner, kind: 'Store' },
      { ...owner, apiVersion: 'other.example.com/v1' },
    ];
    expect(toOwner(Cache)(pod(...others))).toEqual([]);
    expect(toOwner(Cache)(pod())).toEqual([]);
  });

  test('a cluster-scoped owner has no namespace', () => {
    expect(toOwner(Namespace)(pod({ ...owner, apiVersion: 'v1', kind: 'Namespace' }))).toEqual([{ name: 'a' }]);
  });
});

test('errors of a reconcile say who acts, by a stable code', () => {
  expect(new TerminalError('no such image')).toMatchObject({ name: 'TerminalError', actor: 'user', code: 'KEELSON_TERMINAL' });
  expect(new RetryLater('1.5m', 'quota')).toMatchObject({ afterMs: 90_000, message: 'retry after 1.5m: quota', actor: 'nobody' });
  expect(() => new RetryLater('soon' as '1s')).toThrow(
    "RetryLater: 'soon' is not a duration; write a number and ms, s, m or h, for example '30s'",
  );
});

test('bindings are taken with the right to bind, beside roles that the controller writes, and where they are only read', () => {
  const bind = [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], resourceNames: ['view'], verbs: ['bind'] }];
  const base = { name: 'tenant', for: Cache, reconcile: ({ done }: { done: () => Done }) => done() };
  expect(() => defineController({ ...base, owns: { bindings: RoleBinding }, permissions: bind })).not.toThrow();
  expect(() => defineController({ ...base, owns: { bindings: RoleBinding, roles: Role } })).not.toThrow();
  expect(() =>
    defineController({ ...base, watches: { bindings: watch(RoleBinding, { verbs: ['delete'], enqueue: () => [] }) } }),
  ).not.toThrow();
});
