import { defineOperatorPackage, kustomizeFiles, type PackageFile } from 'keelson/packaging';
import { operator } from '../../examples/memcached/memcached-operator.js';
import { memcachedPackage } from '../../examples/memcached/package.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { comparable, documentsOf, type ManifestLike } from './helm/chart-folder.js';
import { KustomizeFolder } from './kustomize/kustomize-folder.js';

const kustomize = findTool('kustomize');
// In CI the suite must run: without kustomize it fails, and says how to build it.
const suite = kustomize.found || process.env['CI'] !== undefined ? describe : describe.skip;

const IMAGE = 'registry.example.com/memcached-operator:0.1.0';
/** Values that delete, add and patch objects. */
const PRODUCTION = {
  replicas: 3,
  watchNamespaces: ['team-b', 'team-a'],
  certificates: { mode: 'secret', secret: { name: 'tls', caBundle: 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==' } },
  metrics: { secure: false },
  networkPolicy: { enabled: true },
  crds: { enabled: false },
  rbac: { aggregate: false },
} as const;
const published = (namespace: string) =>
  defineOperatorPackage({
    operator,
    image: IMAGE,
    version: '0.1.0',
    namespace,
    overlays: { production: PRODUCTION },
  });

const OVERLAYS: readonly (readonly [name: string, values: (namespace: string) => object])[] = [
  ['cluster-wide', () => ({})],
  ['namespaced', (namespace) => ({ watchNamespaces: [namespace] })],
  ['cert-manager', () => ({ certificates: { mode: 'certManager' } })],
  ['metrics', () => ({ serviceMonitor: { enabled: true } })],
];

const CUSTOM_RESOURCE = {
  apiVersion: 'cache.example.com/v1alpha1',
  kind: 'Memcached',
  metadata: { name: 'cache', namespace: 'default' },
  spec: {
    size: 3,
    resources: {
      claims: [
        { name: 'gpu', request: 'a' },
        { name: 'disk', request: 'b' },
      ],
    },
  },
};
const CLAIM_PATCH = {
  apiVersion: 'cache.example.com/v1alpha1',
  kind: 'Memcached',
  metadata: { name: 'cache', namespace: 'default' },
  spec: { resources: { claims: [{ name: 'disk', request: 'c' }] } },
};

suite(`the Kustomize base of an operator${kustomize.found ? '' : ` [skipped: ${kustomize.reason}]`}`, () => {
  let folder: KustomizeFolder;
  let files: readonly PackageFile[];

  beforeAll(() => {
    if (!kustomize.found) throw new Error(kustomize.reason);
    files = kustomizeFiles(published('system'));
    folder = new KustomizeFolder(kustomize.path, files);
  });
  afterAll(() => folder?.remove());

  const built = async (name: string): Promise<ManifestLike[]> => documentsOf(await folder.build(name));

  test('the base, and the folder as a whole, are the plain manifests', async () => {
    const plain = comparable(published('system').manifests() as never);
    expect(comparable(await built('operator/base'))).toEqual(plain);
    expect(comparable(await built('operator'))).toEqual(plain);
  });

  test.each(OVERLAYS)('overlay %s is the manifests with its values, to the order of lists', async (name, values) => {
    expect(comparable(await built(`operator/overlays/${name}`))).toEqual(
      comparable(published('system').manifests(values('system')) as never),
    );
  });

  test('an overlay of the author deletes, adds and patches what its values change', async () => {
    expect(comparable(await built('operator/overlays/production'))).toEqual(
      comparable(published('system').manifests(PRODUCTION as never) as never),
    );
  });

  test('two builds, and two writings of one package, are equal byte by byte', async () => {
    expect(await folder.build('operator/overlays/cert-manager')).toBe(await folder.build('operator/overlays/cert-manager'));
    expect(kustomizeFiles(published('system'))).toEqual(files);
  });

  test('a patch on top merges a list of a custom resource by its key; the same without the schema replaces it', async () => {
    const resources = { 'cache.yaml': CUSTOM_RESOURCE, 'patch.yaml': CLAIM_PATCH };
    const patched = folder.overlay(
      'claims',
      { resources: ['../operator/overlays/cluster-wide', 'cache.yaml'], patches: [{ path: 'patch.yaml' }] },
      resources,
    );
    const claimsOf = (objects: readonly ManifestLike[]): unknown =>
      (objects.find(({ kind }) => kind === 'Memcached') as unknown as typeof CUSTOM_RESOURCE).spec.resources.claims;
    expect(claimsOf(await built(patched))).toEqual(
      expect.arrayContaining([
        { name: 'gpu', request: 'a' },
        { name: 'disk', request: 'c' },
      ]),
    );
    const alone = folder.overlay('alone', { resources: ['cache.yaml'], patches: [{ path: 'patch.yaml' }] }, resources);
    expect(claimsOf(await built(alone))).toEqual([{ name: 'disk', request: 'c' }]);
  });

  test('a patch of one variable keeps the others: the schema has the built-in kinds too', async () => {
    const patched = folder.overlay(
      'variable',
      { resources: ['../operator/base'], patches: [{ path: 'patch.yaml' }] },
      {
        'patch.yaml': {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'memcached-operator', namespace: 'system' },
          spec: { template: { spec: { containers: [{ name: 'operator', env: [{ name: 'KEELSON_LOG_LEVEL', value: 'debug' }] }] } } },
        },
      },
    );
    const deployment = (await built(patched)).find(({ kind }) => kind === 'Deployment');
    const { containers } = (
      deployment as unknown as { spec: { template: { spec: { containers: { image: string; env: { name: string }[] }[] } } } }
    ).spec.template.spec;
    expect(containers[0]?.image).toBe(IMAGE);
    expect(containers[0]?.env.map(({ name }) => name)).toEqual(expect.arrayContaining(['POD_NAME', 'KEELSON_LOG_LEVEL', 'NODE_OPTIONS']));
  });

  test.each([['base', () => ({})] as const, ...OVERLAYS])(
    '%s moves to another namespace, with the texts that name it',
    async (name, values) => {
      const base = name === 'base' ? 'base' : `overlays/${name}`;
      const moved = folder.overlay(`moved-${name}`, {
        namespace: 'elsewhere',
        resources: [`../operator/${base}`],
        transformers: [`../operator/${base}/follow-namespace`],
      });
      expect(comparable(await built(moved))).toEqual(comparable(published('elsewhere').manifests(values('elsewhere')) as never));
    },
  );

  test('images and replicas of a kustomization reach the Deployment', async () => {
    const name = folder.overlay('mirror', {
      resources: ['../operator/base'],
      images: [{ name: 'registry.example.com/memcached-operator', newName: 'mirror.example.com/op', newTag: '2' }],
      replicas: [{ name: 'memcached-operator', count: 2 }],
    });
    const text = await folder.build(name);
    expect(text).toContain('image: mirror.example.com/op:2');
    expect(text).toContain('replicas: 2');
  });

  test('the example is built too', async () => {
    const example = new KustomizeFolder(kustomize.found ? kustomize.path : '', kustomizeFiles(memcachedPackage));
    try {
      expect(comparable(documentsOf(await example.build('operator/base')))).toEqual(comparable(memcachedPackage.manifests() as never));
    } finally {
      example.remove();
    }
  });
});
