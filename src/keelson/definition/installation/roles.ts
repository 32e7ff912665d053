import type { PolicyRule } from '@keelson/kubernetes/apimachinery';
import { mergeRules, type Permissions } from '../permissions/index.js';
import { RUNTIME_CONTRACT } from '../runtime-settings.js';
import type { InstalledObject } from './installed-object.js';
import type { InstallationNames } from './names.js';

const GROUP = 'rbac.authorization.k8s.io';
const API_VERSION = `${GROUP}/v1`;

interface Account {
  readonly name: string;
  readonly namespace: string;
}

export interface RolesOptions {
  readonly name: string;
  /** The namespace of the process and of its ServiceAccount. */
  readonly namespace: string;
  readonly names: Pick<InstallationNames, 'runtimeRole' | 'metricsReader'>;
  readonly labels: Readonly<Record<string, string>>;
  readonly serviceAccount: string;
  readonly permissions: Permissions;
  /** Namespaces in which `permissions.watched` is granted; none where the process watches the whole cluster. */
  readonly watchedNamespaces?: readonly string[];
  /** Rights beyond the derived ones. */
  readonly extraRules?: { readonly cluster?: readonly PolicyRule[] | undefined; readonly own?: readonly PolicyRule[] | undefined };
  /** ServiceAccounts that may read the metrics; `undefined` if reading them needs no right. */
  readonly metricsReaders: readonly Account[] | undefined;
}

/** A role and the binding that grants it. A role without subjects has no binding. */
export interface GrantedRole {
  readonly role: InstalledObject;
  readonly binding: InstalledObject | undefined;
}

/** The roles of an installation. A role that would grant nothing is `undefined`, or no member of the map. */
export interface InstalledRoles {
  readonly cluster: GrantedRole | undefined;
  /** By namespace, sorted: what is granted in namespaces that are watched or named by a declaration. */
  readonly byNamespace: ReadonlyMap<string, GrantedRole>;
  /** In the operator's own namespace. */
  readonly runtime: GrantedRole | undefined;
  readonly metricsReader: GrantedRole | undefined;
}

/** Exactly the rights of `permissions` (and `extraRules`), granted to the ServiceAccount of the process. */
export function installedRoles(options: RolesOptions): InstalledRoles {
  const { name, namespace, names, permissions, watchedNamespaces = [], extraRules = {} } = options;
  const byNamespace = new Map<string, GrantedRole>();
  for (const place of [...new Set([...watchedNamespaces, ...Object.keys(permissions.named)])].sort()) {
    const watched = watchedNamespaces.includes(place) ? permissions.watched : [];
    const granted = grantedRole({ name, namespace: place }, [...watched, ...(permissions.named[place] ?? [])], options);
    if (granted !== undefined) byNamespace.set(place, granted);
  }
  return {
    cluster: grantedRole({ name }, [...permissions.cluster, ...(extraRules.cluster ?? [])], options),
    byNamespace,
    runtime: grantedRole({ name: names.runtimeRole, namespace }, [...permissions.own, ...(extraRules.own ?? [])], options),
    metricsReader: options.metricsReaders === undefined ? undefined : metricsReader(options.metricsReaders, options),
  };
}

/** The objects of {@link installedRoles}, each role before its binding. */
export function roleObjects({ cluster, byNamespace, runtime, metricsReader: reader }: InstalledRoles): readonly InstalledObject[] {
  return [cluster, ...byNamespace.values(), runtime, reader].flatMap((granted) =>
    granted === undefined ? [] : [granted.role, ...(granted.binding === undefined ? [] : [granted.binding])],
  );
}

function grantedRole(place: Place, rules: readonly PolicyRule[], options: RolesOptions): GrantedRole | undefined {
  if (rules.length === 0) return undefined;
  const { serviceAccount: name, namespace } = options;
  return granted(place, mergeRules(rules), { labels: options.labels, subjects: [{ name, namespace }] });
}

function metricsReader(readers: readonly Account[], { names, labels }: RolesOptions): GrantedRole {
  const rules = [{ nonResourceURLs: [RUNTIME_CONTRACT.paths.metrics], verbs: ['get'] }];
  return granted({ name: names.metricsReader }, rules, { labels, subjects: readers });
}

interface Place {
  readonly name: string;
  readonly namespace?: string;
}

interface Granting {
  readonly labels: Readonly<Record<string, string>>;
  readonly subjects: readonly Account[];
}

function granted(place: Place, rules: readonly object[], { labels, subjects }: Granting): GrantedRole {
  const kind = place.namespace === undefined ? 'ClusterRole' : 'Role';
  const metadata = { ...place, labels };
  const role = { apiVersion: API_VERSION, kind, metadata, rules };
  if (subjects.length === 0) return { role, binding: undefined };
  const binding = {
    apiVersion: API_VERSION,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: GROUP, kind, name: place.name },
    subjects: subjects.map(({ name, namespace }) => ({ kind: 'ServiceAccount', name, namespace })),
  };
  return { role, binding };
}
