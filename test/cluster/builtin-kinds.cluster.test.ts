import { builtinResources } from '../../src/api-server/kinds/builtin/index.js';
import { surroundings } from '../api-server/kinds/builtin/surroundings.js';
import { describeCluster } from './harness/index.js';

interface DiscoveredVersion {
  readonly version: string;
  readonly resources: readonly {
    readonly resource: string;
    readonly verbs: readonly string[];
    readonly scope: string;
    readonly responseKind: { readonly kind: string };
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
    readonly subresources?: readonly { readonly subresource: string; readonly verbs: readonly string[] }[];
  }[];
}

interface Discovery {
  readonly items: readonly { readonly metadata: { readonly name?: string }; readonly versions: readonly DiscoveredVersion[] }[];
}

const sorted = (values: readonly string[] = []): readonly string[] => [...values].sort();

/** One line for each resource at each version: a difference names itself. */
describeCluster('the built-in resources', (cluster) => {
  test('are those of a server whose flags say nothing of APIs', async () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const theirs = new Map<string, string>();
    for (const path of ['/api', '/apis']) {
      const { items } = await cluster.must<Discovery>('GET', path, undefined, { accept });
      for (const { metadata, versions } of items) {
        // Other suites define resources on this server, too.
        if (!/^[a-z]*$|\.k8s\.io$/.test(metadata.name ?? '')) continue;
        for (const { version, resources } of versions) {
          for (const { resource, verbs, scope, responseKind, shortNames, categories, subresources = [] } of resources) {
            const parts = subresources.map(({ subresource, verbs: can }) => `${subresource}:${sorted(can).join(',')}`);
            const line = [scope, responseKind.kind, sorted(verbs), sorted(shortNames), sorted(categories), sorted(parts)];
            theirs.set(`${metadata.name ?? ''}/${version}/${resource}`, line.join(' '));
          }
        }
      }
    }
    const ours = new Map<string, string>();
    for (const { group, plural, scope, kind, shortNames, categories, versions } of builtinResources(surroundings)) {
      for (const { version, verbs, subresources } of versions) {
        const parts = subresources.map(({ name, verbs: can }) => `${name}:${sorted(can).join(',')}`);
        const line = [scope, kind, sorted(verbs), sorted(shortNames), sorted(categories), sorted(parts)];
        ours.set(`${group}/${version}/${plural}`, line.join(' '));
      }
    }
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
  });
});
