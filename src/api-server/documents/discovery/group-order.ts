import { compareVersions } from '@keelson/kubernetes/apimachinery';
import type { Resource, ResourceCatalog, Served } from '../../contract/index.js';

/**
 * `groupPriorityMinimum` of the groups that the server is built with; a group of custom resources has 1000.
 * Source: kubernetes `pkg/controlplane/apiserver/aggregator.go` and `cmd/kube-apiserver/app/aggregator.go`.
 */
const PRIORITIES: Readonly<Record<string, number>> = {
  // Not registered as others are: the aggregator puts its own group before them.
  'apiregistration.k8s.io': 20_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'resource.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
  'internal.apiserver.k8s.io': 16_000,
  'storagemigration.k8s.io': 15_800,
};
const CUSTOM_PRIORITY = 1000;

export interface ApiVersion {
  readonly version: string;
  /** In the order of their plurals. */
  readonly resources: readonly Served[];
}

export interface ApiGroup {
  readonly group: string;
  /** The preferred one first. */
  readonly versions: readonly ApiVersion[];
}

/** The contents of the catalog, by group and version, in the order of aggregated discovery; the core group first. */
export function apiGroups(catalog: ResourceCatalog): readonly ApiGroup[] {
  const byGroup = new Map<string, Resource[]>();
  for (const resource of catalog.resources) {
    const found = byGroup.get(resource.group);
    if (found === undefined) byGroup.set(resource.group, [resource]);
    else found.push(resource);
  }
  return [...byGroup]
    .map(([group, resources]) => ({ group, versions: apiVersions(resources) }))
    .sort((a, b) => priorityOf(b.group) - priorityOf(a.group) || compareTexts(a.group, b.group));
}

/** The older document has groups of one priority in the order of `version.group`, the least of them counting. */
export function inLegacyOrder(groups: readonly ApiGroup[]): readonly ApiGroup[] {
  const nameOf = ({ group, versions }: ApiGroup): string => versions.map(({ version }) => `${version}.${group}`).sort()[0] ?? group;
  return [...groups].sort((a, b) => priorityOf(b.group) - priorityOf(a.group) || compareTexts(nameOf(a), nameOf(b)));
}

function apiVersions(resources: readonly Resource[]): readonly ApiVersion[] {
  const byVersion = new Map<string, Served[]>();
  for (const resource of [...resources].sort((a, b) => compareTexts(a.plural, b.plural))) {
    for (const version of resource.versions) {
      const found = byVersion.get(version.version);
      if (found === undefined) byVersion.set(version.version, [{ resource, version }]);
      else found.push({ resource, version });
    }
  }
  return [...byVersion].sort(([a], [b]) => compareVersions(a, b)).map(([version, served]) => ({ version, resources: served }));
}

function priorityOf(group: string): number {
  return group === '' ? Number.MAX_SAFE_INTEGER : (PRIORITIES[group] ?? CUSTOM_PRIORITY);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
