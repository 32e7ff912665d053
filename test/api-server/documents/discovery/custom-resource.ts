import type { Resource, ServedVersion, Verb } from '../../../../src/api-server/contract/index.js';

const VERBS: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

export interface CustomNames {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
  readonly scope?: Resource['scope'];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Of the first version. */
  readonly subresources?: readonly ('scale' | 'status')[];
}

/** As much of a custom resource as documents show. */
export function customResource({ group, kind, versions, scope = 'Namespaced', ...rest }: CustomNames): Resource {
  const { shortNames = [], categories = [], subresources = [] } = rest;
  const singular = kind.toLowerCase();
  const refuse = (): never => {
    throw new Error('a document needs the names alone');
  };
  const at = (version: string, isFirst: boolean): ServedVersion => ({
    version,
    verbs: VERBS,
    subresources: (isFirst ? subresources : []).map((name) => ({
      name,
      ...(name === 'scale' ? { group: 'autoscaling', version: 'v1', kind: 'Scale' } : { kind }),
      verbs: ['get', 'patch', 'update'],
    })),
    get strategy() {
      return refuse();
    },
    endpoint: refuse,
    get table() {
      return refuse();
    },
    get fieldLabels() {
      return refuse();
    },
  });
  return {
    group,
    kind,
    singular,
    plural: `${singular}s`,
    listKind: `${kind}List`,
    scope,
    shortNames,
    categories,
    storageKey: `${singular}s.${group}`,
    isCustom: true,
    versions: versions.map((version, index) => at(version, index === 0)),
    storageVersion: versions[0] ?? '',
    convert: refuse,
  };
}
