import discovery from '../../../../imports/discovery.json';
import type { Resource, Verb } from '../../contract/index.js';

export interface SubresourceRow {
  readonly name: string;
  /** Empty: as the resource's. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly Verb[];
}

export interface VersionRow {
  readonly version: string;
  readonly verbs: readonly Verb[];
  readonly subresources: readonly SubresourceRow[];
}

/** What discovery says of one resource. */
export interface KindRow {
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly scope: Resource['scope'];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** In the order of preference; never empty. */
  readonly versions: readonly [VersionRow, ...VersionRow[]];
}

/**
 * The resources that a kube-apiserver serves whose flags say nothing of APIs: those of stable versions. (The recorded document has every API switched on.)
 * Groups in the order of discovery.
 */
export function servedKinds(): readonly KindRow[] {
  const rows = new Map<string, KindRow>();
  for (const { group, versions } of discovery.groups) {
    for (const { version, resources } of versions) {
      if (!STABLE.test(version)) continue;
      for (const { plural, singular, kind, scope, shortNames, categories, verbs, subresources } of resources) {
        const key = `${group}/${plural}`;
        const served = { version, verbs, subresources } as VersionRow;
        const known = rows.get(key);
        if (known !== undefined) {
          rows.set(key, { ...known, versions: [...known.versions, served] });
          continue;
        }
        const names = { plural, singular, kind, shortNames, categories, scope: scope as Resource['scope'] };
        rows.set(key, { group, ...names, versions: [served] });
      }
    }
  }
  return [...rows.values()];
}

const STABLE = /^v[0-9]+$/;
