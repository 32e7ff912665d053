import { defineCustomResource, defineOperator, k } from 'keelson';
import { ManifestObject } from 'keelson/constructs';
import { defineOperatorPackage, definePackage, kustomizeFiles, type Package, PackageError } from 'keelson/packaging';
import { z } from 'zod';

const Website = defineCustomResource({
  group: 'example.com',
  kind: 'Website',
  versions: {
    v1: {
      spec: z.object({
        hosts: k.listMap(z.object({ name: z.string(), paths: k.listMap(z.object({ path: z.string() }), 'path') }), 'name'),
        tags: k.set(z.string()).optional(),
        steps: z.array(z.string()).optional(),
      }),
    },
  },
});
const website = defineOperatorPackage({
  operator: defineOperator({ name: 'websites', customResources: [Website.customResource] }),
  image: 'registry.example.com/websites:1',
  version: '1.0.0',
  overlays: { production: { replicas: 3 } },
});

/** A package of one ConfigMap. */
function settings(
  data: (namespace: string, region: string) => Readonly<Record<string, string>>,
  overlays: Readonly<Record<string, object>> = {},
): Package {
  return definePackage({
    name: 'settings',
    version: '1.0.0',
    namespace: 'system',
    values: z.object({ region: z.enum(['eu', 'us']).default('eu') }),
    overlays,
    build: (chart, { values, release: { name, namespace } }) => {
      new ManifestObject(chart, 'settings', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        scope: 'Namespaced',
        metadata: { name, namespace },
        body: { data: data(namespace, values.region) },
      });
    },
  });
}

const fileOf = (source: Package, path: string): string | undefined => kustomizeFiles(source).find((file) => file.path === path)?.text;

test('an operator has the overlays that every operator has, and those of its author', () => {
  const folders = new Set(kustomizeFiles(website).flatMap(({ path }) => /^overlays\/([^/]+)\//.exec(path)?.[1] ?? []));
  expect([...folders].sort()).toEqual(['cert-manager', 'cluster-wide', 'metrics', 'namespaced', 'production']);
});

test('an overlay holds what differs from the base, and nothing else', () => {
  const source = settings((_namespace, region) => ({ region, other: 'a' }), { us: { region: 'us' } });
  expect(fileOf(source, 'overlays/us/patches/settings.yaml')).toBe('- op: replace\n  path: /data/region\n  value: us\n');
  expect(fileOf(source, 'overlays/us/kustomization.yaml')).toContain(
    'resources:\n  - ../../base\npatches:\n  - path: patches/settings.yaml\n',
  );
});

test('lists with keys, lists within them, and sets are merged; other lists are not named', () => {
  const schema = JSON.parse(fileOf(website, 'base/openapi.json') ?? '') as { definitions: Record<string, object> };
  expect(schema.definitions['com.example.v1.Website']).toEqual({
    'x-kubernetes-group-version-kind': [{ group: 'example.com', kind: 'Website', version: 'v1' }],
    properties: {
      metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
      spec: {
        properties: {
          hosts: {
            type: 'array',
            'x-kubernetes-patch-strategy': 'merge',
            'x-kubernetes-patch-merge-key': 'name',
            'x-kubernetes-list-map-keys': ['name'],
            items: {
              properties: {
                paths: {
                  type: 'array',
                  'x-kubernetes-patch-strategy': 'merge',
                  'x-kubernetes-patch-merge-key': 'path',
                  'x-kubernetes-list-map-keys': ['path'],
                },
              },
            },
          },
          tags: { type: 'array', 'x-kubernetes-patch-strategy': 'merge' },
        },
      },
    },
  });
});

test('a text that names the namespace follows it; the README names one that no delimiter sets apart', () => {
  const dotted = settings((namespace) => ({ host: `db.${namespace}.svc` }));
  expect(fileOf(dotted, 'base/follow-namespace/transformer.yaml')).toContain(
    '- data.host\n        options:\n          delimiter: "."\n          index: 1\n',
  );
  const glued = settings((namespace) => ({ host: `db-${namespace}` }));
  expect(fileOf(glued, 'base/follow-namespace/transformer.yaml')).toBeUndefined();
  expect(fileOf(glued, 'README.md')).toContain('`base` is bound to the namespace system by /ConfigMap/system/settings: data.host.');
});

test.each([
  [{ Prod: {} }, 'overlays.Prod: the name of an overlay is a folder; write lower case letters, digits and dashes'],
  [{ wrong: { region: 'ap' } }, 'overlays.wrong: values.region: Invalid option'],
])('%j is refused', (overlays, message) => {
  const source = settings(() => ({}), overlays);
  expect(() => kustomizeFiles(source)).toThrow(PackageError);
  expect(() => kustomizeFiles(source)).toThrow(message);
});
