import { ConfigMap, Deployment, defineKind, KindError } from 'keelson/kinds';

const memcached = { group: 'cache.example.com', version: 'v1', kind: 'Memcached', plural: 'memcacheds', scope: 'Namespaced' } as const;

test('a factory writes apiVersion and kind first and keeps the order of the rest', () => {
  const spec = { selector: {}, template: { spec: { containers: [{ name: 'a' }] } } };
  const deployment = Deployment({ spec, metadata: { name: 'a' } });
  expect(Object.keys(deployment)).toEqual(['apiVersion', 'kind', 'spec', 'metadata']);
  expect(deployment).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec });
});

test('the core group has no slash', () => {
  expect(ConfigMap({ metadata: { name: 'a' } }).apiVersion).toBe('v1');
});

test('a manifest of another kind, from untyped code, cannot change the kind', () => {
  const wrong = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
  expect(ConfigMap(wrong)).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
});

test('a kind is frozen, and no view of what it was made from', () => {
  const subresources = ['status'];
  const kind = defineKind({ ...memcached, subresources });
  subresources.push('scale');
  expect(kind.subresources).toEqual(['status']);
  expect(Object.isFrozen(kind) && Object.isFrozen(kind.subresources)).toBe(true);
  expect(defineKind(memcached).subresources).toEqual([]);
});

test.each([
  [{ kind: 'memcached' }, 'defineKind(memcached): kind "memcached" is not a kind\'s name: Pascal case, for example "Deployment"'],
  [
    { group: 'cache.example.com/v1' },
    'group "cache.example.com/v1" is not an API group: a DNS name in lower case, or "" for the core group',
  ],
  [{ version: 'cache.example.com/v1' }, 'version "cache.example.com/v1" is not a version: lower case'],
  [{ plural: 'Memcacheds' }, 'plural "Memcacheds" is not a resource name: lower case'],
  [{ scope: 'Everywhere' as 'Cluster' }, 'scope "Everywhere" is not "Namespaced" or "Cluster"'],
  [{ subresources: ['memcacheds/status'] }, 'subresource "memcacheds/status" is not the name of a subresource alone'],
])('%j is refused', (wrong, message) => {
  const define = () => defineKind({ ...memcached, ...wrong });
  expect(define).toThrow(KindError);
  expect(define).toThrow(message);
});
