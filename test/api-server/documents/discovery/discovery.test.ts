import { createHash } from 'node:crypto';
import { ResourceCatalog } from '../../../../src/api-server/contract/index.js';
import { Discovery, type DocumentAnswer } from '../../../../src/api-server/documents/discovery/index.js';
import { KUBERNETES_VERSION } from '../../../../src/kubernetes/kinds/index.js';
import { builtinCatalog } from './builtin-catalog.js';
import { customResource } from './custom-resource.js';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const KUBECTL = `${AGGREGATED},application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json`;

const memcached = customResource({
  group: 'cache.example.com',
  kind: 'Memcached',
  versions: ['v1', 'v10', 'v1beta1', 'foo'],
  shortNames: ['z', 'a'],
  subresources: ['scale', 'status'],
});

describe('discovery', () => {
  const catalog = builtinCatalog();
  const discovery = new Discovery({ catalog, otherPaths: ['/healthz'] });
  for (const group of ['z.io', 'a.io']) catalog.put(customResource({ group, kind: 'Thing', versions: ['v1'] }));
  catalog.put(memcached);
  const objectAt = (path: string, accept = 'application/json') => objectOf(discovery.answer({ path, headers: { accept, host: 'h:1' } }));

  test('groups are in the order of their priority, those of custom resources by the least name of version and group', () => {
    const names = (objectAt('/apis')['groups'] as { name: string }[]).map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['apiregistration.k8s.io', 'apps', 'events.k8s.io']);
    expect(names.slice(-4)).toEqual(['storagemigration.k8s.io', 'cache.example.com', 'a.io', 'z.io']);
  });

  test('versions are in the order of preference, though the definition has another', () => {
    const versions = ['v10', 'v1', 'v1beta1', 'foo'].map((version) => ({ groupVersion: `cache.example.com/${version}`, version }));
    expect(objectAt('/apis/cache.example.com')).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'cache.example.com',
      versions,
      preferredVersion: versions[0],
    });
  });

  test('the document of a version tells resources and subresources', () => {
    const common = { singularName: '', namespaced: true, verbs: ['get', 'patch', 'update'] };
    expect(objectAt('/apis/cache.example.com/v1')['resources']).toEqual([
      {
        name: 'memcacheds',
        singularName: 'memcached',
        namespaced: true,
        kind: 'Memcached',
        verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
        shortNames: ['z', 'a'],
        storageVersionHash: 'ArPC+icmask=',
      },
      { ...common, name: 'memcacheds/status', kind: 'Memcached' },
      { ...common, name: 'memcacheds/scale', group: 'autoscaling', version: 'v1', kind: 'Scale' },
    ]);
    const core = objectAt('/api/v1');
    expect(core['apiVersion']).toBeUndefined();
    expect(core['resources']).toContainEqual({
      name: 'pods/eviction',
      singularName: '',
      namespaced: true,
      group: 'policy',
      version: 'v1',
      kind: 'Eviction',
      verbs: ['create'],
    });
  });

  test('the core group is found under /api, at the address that the client used', () => {
    expect(objectAt('/api')).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: 'h:1' }],
    });
  });

  test.each(['/apis/nope', '/apis/nope/v1', '/api/v2', '/apis/apps/v1/deployments', '/metrics', '/apis/cache.example.com/v9'])(
    '%s is not a document of discovery',
    (path) => {
      const answer = discovery.answer({ path, headers: {} });
      if (path === '/api/v2') expect(answer?.status).toBe(404);
      else expect(answer).toBeUndefined();
    },
  );

  test('a version that a built-in group lacks is not found', () => {
    expect(objectAt('/apis/apps/v9')).toMatchObject({ kind: 'Status', reason: 'NotFound', details: {}, code: 404 });
  });

  test('/ lists the paths of the API and those it was told of', () => {
    const paths = (bodyOf(discovery.answer({ path: '/', headers: {} })) as { paths: string[] }).paths;
    expect(paths).toEqual([...paths].sort());
    expect(paths).toEqual(
      expect.arrayContaining(['/api', '/api/v1', '/apis/', '/apis/cache.example.com/foo', '/apis/apps/v1', '/healthz', '/version']),
    );
  });

  test('the version is the one that the package is made of', () => {
    expect(bodyOf(discovery.answer({ path: '/version', headers: {} }))).toMatchObject({ gitVersion: KUBERNETES_VERSION });
  });
});

describe('aggregated discovery', () => {
  const catalog = new ResourceCatalog();
  const discovery = new Discovery({ catalog });
  const ask = (headers: Record<string, string>) => discovery.answer({ path: '/apis', headers }) as DocumentAnswer & { body: string };
  beforeAll(() => catalog.put(memcached));

  test('is what kubectl asks for, with a tag of its content', () => {
    const answer = ask({ accept: KUBECTL });
    const etag = `"${createHash('sha512').update(answer.body.trimEnd()).digest('hex').toUpperCase()}"`;
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'Content-Type': AGGREGATED, ETag: etag, Vary: 'Accept', 'Cache-Control': 'public' },
    });
    expect(JSON.parse(answer.body)).toMatchObject({
      items: [{ metadata: { name: 'cache.example.com' }, versions: [{ version: 'v10' }, { version: 'v1' }, {}, {}] }],
    });
    expect(ask({ accept: KUBECTL, 'if-none-match': etag })).toMatchObject({ status: 304, body: '' });
  });

  test('is made anew when the catalog changes, and then alone', () => {
    const before = ask({ accept: AGGREGATED });
    catalog.put(customResource({ group: 'other.io', kind: 'Other', versions: ['v1'] }));
    const after = ask({ accept: AGGREGATED, 'if-none-match': 'headers' in before ? (before.headers['ETag'] ?? '') : '' });
    expect(after.status).toBe(200);
    expect(after.body).toContain('other.io');
    expect(ask({ accept: AGGREGATED }).body).toBe(after.body);
  });

  test.each([
    ['*/*'],
    ['application/json'],
    ['application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList'],
    [`text/html,application/json,${AGGREGATED}`],
    [`${AGGREGATED};q=0.5,application/json`],
    [''],
  ])('is not for who accepts %s', (accept) => {
    expect(ask({ accept })).toHaveProperty('object.kind', 'APIGroupList');
  });
});

function objectOf(answer: DocumentAnswer | undefined): Readonly<Record<string, unknown>> {
  if (answer === undefined || !('object' in answer)) throw new Error(`no object: ${JSON.stringify(answer)}`);
  return answer.object;
}

function bodyOf(answer: DocumentAnswer | undefined): unknown {
  if (answer === undefined || !('body' in answer)) throw new Error(`no document: ${JSON.stringify(answer)}`);
  return JSON.parse(answer.body);
}
