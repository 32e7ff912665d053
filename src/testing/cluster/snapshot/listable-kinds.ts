import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { ApiClient } from '@keelson/runtime/internal/client';

/** The part of aggregated discovery (`apidiscovery.k8s.io/v2`) that is read. */
interface DiscoveredGroup {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly {
    readonly version: string;
    readonly resources?: readonly {
      readonly resource: string;
      readonly responseKind?: { readonly kind: string };
      readonly scope: string;
      readonly verbs: readonly string[];
      readonly subresources?: readonly { readonly subresource: string }[];
    }[];
  }[];
}

const ACCEPT = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** All kinds whose objects can be listed, each at its preferred version. */
export async function listableKinds(client: ApiClient): Promise<readonly KindInfo[]> {
  const kinds = new Map<string, KindInfo>();
  for (const path of ['/api', '/apis']) {
    const { items = [] } = (await client.request({ method: 'GET', path, accept: ACCEPT })) as {
      readonly items?: readonly DiscoveredGroup[];
    };
    for (const kind of items.flatMap(kindsOf)) {
      const name = `${kind.plural}.${kind.group}`;
      // Versions come in the order of preference.
      if (!kinds.has(name)) kinds.set(name, kind);
    }
  }
  return [...kinds.values()];
}

function kindsOf({ metadata: { name: group = '' } = {}, versions = [] }: DiscoveredGroup): readonly KindInfo[] {
  return versions.flatMap(({ version, resources = [] }) =>
    resources
      .filter(({ verbs }) => verbs.includes('list'))
      .map(({ resource, responseKind, scope, subresources = [] }) => ({
        group,
        version,
        kind: responseKind?.kind ?? resource,
        plural: resource,
        scope: scope === 'Cluster' ? ('Cluster' as const) : ('Namespaced' as const),
        subresources: subresources.map(({ subresource }) => subresource),
      })),
  );
}
