import { createHash } from 'node:crypto';
import generated from '../../../../imports/stored-versions.json';
import type { Resource, Served, Subresource, Verb } from '../../contract/index.js';

/** Group-versions of built-in kinds that are stored in another than the preferred one. Clients see it by this hash alone. */
const storedVersions: Readonly<Record<string, string>> = generated.stored;

/** Custom resources list their verbs in this order, built-in ones in that of the alphabet. */
const CUSTOM_VERBS: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

export type Row = Readonly<Record<string, unknown>>;

/** `APIResource`s of the older documents: the resource, then its subresources. */
export function legacyRows(served: Served): readonly Row[] {
  const { resource, version } = served;
  const namespaced = resource.scope === 'Namespaced';
  const hash = storageVersionHash(served);
  return [
    {
      name: resource.plural,
      singularName: resource.singular,
      namespaced,
      kind: resource.kind,
      verbs: verbsOf(resource, version.verbs),
      ...namesOf(resource),
      ...(hash === undefined ? {} : { storageVersionHash: hash }),
    },
    ...subresourcesOf(served).map((subresource) => ({
      name: `${resource.plural}/${subresource.name}`,
      singularName: '',
      namespaced,
      ...foreignKind(subresource, served),
      kind: subresource.kind,
      verbs: verbsOf(resource, subresource.verbs),
    })),
  ];
}

/** `APIResourceDiscovery` of the aggregated document. */
export function aggregatedRow(served: Served): Row {
  const { resource, version } = served;
  // Built-in resources leave their own group and version empty.
  const own = resource.isCustom ? { group: resource.group, version: version.version } : { group: '', version: '' };
  const subresources = subresourcesOf(served).map((subresource) => ({
    subresource: subresource.name,
    responseKind: { ...own, ...foreignKind(subresource, served), kind: subresource.kind },
    verbs: verbsOf(resource, subresource.verbs),
  }));
  return {
    resource: resource.plural,
    responseKind: { ...own, kind: resource.kind },
    scope: resource.scope,
    singularResource: resource.singular,
    verbs: verbsOf(resource, version.verbs),
    ...namesOf(resource),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

function namesOf({ shortNames, categories }: Resource): Row {
  return { ...(shortNames.length === 0 ? {} : { shortNames }), ...(categories.length === 0 ? {} : { categories }) };
}

function foreignKind({ group, version }: Subresource, served: Served): Row {
  if (group === undefined || version === undefined) return {};
  return group === served.resource.group && version === served.version.version ? {} : { group, version };
}

function subresourcesOf({ resource, version: { subresources } }: Served): readonly Subresource[] {
  // For a custom resource: status, then scale.
  return [...subresources].sort((a, b) => (a.name < b.name === resource.isCustom ? 1 : -1));
}

function verbsOf({ isCustom }: Resource, verbs: readonly Verb[]): readonly Verb[] {
  if (!isCustom) return [...verbs].sort();
  return [...verbs].sort((a, b) => CUSTOM_VERBS.indexOf(a) - CUSTOM_VERBS.indexOf(b));
}

/**
 * Changes with the stored form of a kind, for clients that migrate objects. `undefined` for kinds that are not stored.
 * Source: apiserver `pkg/endpoints/discovery/storageversionhash.go`.
 */
function storageVersionHash({ resource, version }: Served): string | undefined {
  if (!version.verbs.includes('watch')) return undefined;
  const { group, plural, kind, storageVersion, isCustom } = resource;
  const stored = (isCustom ? undefined : storedVersions[`${group}/${plural}`]) ?? `${group}/${storageVersion}`;
  return createHash('sha256').update(`${stored}/${kind}`).digest().subarray(0, 8).toString('base64');
}
