import discovery from '../../../../imports/discovery.json';
import type { Resource, ServerFeature, Verb } from '../../contract/index.js';

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

/** The entry of one resource in discovery. */
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
 * The resources that a kube-apiserver serves whose flags say nothing of APIs, those of stable versions, and those of features. (The recorded document has
 * every API switched on.) Groups in the order of discovery.
 */
export function servedKinds(features: readonly ServerFeature[] = []): readonly KindRow[] {
  const more = features.map((feature) => VERSIONS_OF_FEATURES[feature]);
  const rows = new Map<string, KindRow>();
  for (const { group, versions } of discovery.groups) {
    for (const { version, resources } of versions) {
      if (!STABLE.test(version) && !more.includes(`${group}/${version}`)) continue;
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

/** The API version that a feature brings. */
const VERSIONS_OF_FEATURES: Readonly<Record<ServerFeature, string>> = {
  MutatingAdmissionPolicy: 'admissionregistration.k8s.io/v1beta1',
};
