import type { PolicyRule } from 'keelson';
import type { Cluster } from './harness/index.js';

export type Place = 'cluster' | 'watched' | 'own';

/** One line of what an operator is expected to be allowed, written by hand from its declarations. */
export interface Row {
  /** `cluster`: everywhere; `watched`: in each watched namespace; `own`: where the operator runs; or the namespaces that the declaration names. */
  readonly where: Place | { readonly namespaces: readonly string[] };
  /** `<resource>.<group>` as kubectl writes it, with `/<subresource>` behind: `deployments.apps`, `pods/eviction`. */
  readonly on: string;
  readonly verbs: string;
  /** Absent: every object. */
  readonly names?: readonly string[];
}

export interface ResourceName {
  readonly group: string;
  readonly resource: string;
}

/** All that RBAC knows, and those that only some resources have. */
export const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;
const SPECIAL_VERBS = ['impersonate', 'bind', 'escalate', 'approve', 'sign', 'attest', 'use', '*'] as const;

/** `memcacheds.cache.example.com/status` → its group, and the resource as RBAC writes it. */
export function resourceOf(on: string): ResourceName {
  const [qualified = '', ...subresource] = on.split('/');
  const [plural = '', ...group] = qualified.split('.');
  return { group: group.join('.'), resource: [plural, ...subresource].join('/') };
}

interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly resources?: readonly { readonly resource: string; readonly subresources?: readonly { readonly subresource: string }[] }[];
    }[];
  }[];
}

/** Every resource and subresource that the server serves; `finalizers` beside them, which are nowhere served and yet asked for. */
export async function discoveredResources(cluster: Cluster): Promise<ResourceName[]> {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const documents = await Promise.all(['/api', '/apis'].map((path) => cluster.must<Discovery>('GET', path, undefined, { accept })));
  const found = documents.flatMap(({ items }) =>
    items.flatMap(({ metadata: { name: group = '' }, versions }) =>
      versions.flatMap(({ resources = [] }) =>
        resources.flatMap(({ resource, subresources = [] }) => [
          { group, resource },
          { group, resource: `${resource}/finalizers` },
          ...subresources.map(({ subresource }) => ({ group, resource: `${resource}/${subresource}` })),
        ]),
      ),
    ),
  );
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
}

/** `<verb> <resource>.<group>[<name>]` for each thing that the rules allow on these resources; wildcards are spelt out, so that they are seen. */
export function rightsIn(rules: readonly PolicyRule[], resources: readonly ResourceName[]): Set<string> {
  const rights = new Set<string>();
  for (const { verbs, apiGroups = [], resources: ruled = [], resourceNames = [] } of rules) {
    const matching = resources.filter(
      ({ group, resource }) => (apiGroups.includes(group) || apiGroups.includes('*')) && (ruled.includes(resource) || ruled.includes('*')),
    );
    const spelt = verbs.includes('*') ? [...VERBS, ...SPECIAL_VERBS] : verbs;
    for (const { group, resource } of matching) {
      for (const verb of spelt) {
        for (const name of resourceNames.length === 0 ? ['*'] : resourceNames) rights.add(`${verb} ${resource}.${group}[${name}]`);
      }
    }
  }
  return rights;
}

/** The rules that the rows amount to in a namespace; without one: to what is granted everywhere. */
export function rulesIn(rows: readonly Row[], places: readonly Place[], namespace?: string): PolicyRule[] {
  return rows
    .filter(({ where }) => (typeof where === 'string' ? places.includes(where) : where.namespaces.includes(namespace ?? '')))
    .map(({ on, verbs, names }) => {
      const { group, resource } = resourceOf(on);
      return {
        apiGroups: [group],
        resources: [resource],
        verbs: verbs.split(' '),
        ...(names === undefined ? {} : { resourceNames: names }),
      };
    });
}

interface RulesReview {
  readonly status: {
    readonly incomplete: boolean;
    readonly resourceRules: readonly PolicyRule[];
    readonly nonResourceRules: readonly PolicyRule[];
  };
}

/** What the API server itself says (`incomplete` when a binding refers to a role that is not there) that an account may do in a namespace (a SelfSubjectRulesReview in its name). */
export async function reviewedRules(
  cluster: Cluster,
  account: { readonly namespace: string; readonly serviceAccount: string },
  namespace: string,
): Promise<RulesReview['status']> {
  const { namespace: home, serviceAccount } = account;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${home}`, 'system:authenticated'];
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } };
  const { status } = await cluster.must<RulesReview>('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', review, {
    impersonate: { user: `system:serviceaccount:${home}:${serviceAccount}`, groups },
  });
  return status;
}
