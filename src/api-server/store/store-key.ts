/** Where an object is stored. */
export interface StoreKey {
  /** Name of the resource in its server: `apps/deployments`. The store only compares it. */
  readonly resource: string;
  /** `''` of a cluster-scoped resource. */
  readonly namespace: string;
  /** Without `/`: the registry has checked it. */
  readonly name: string;
}

/** The objects that a list or watch is about. */
export interface Selection {
  readonly resource: string;
  /** Undefined: all namespaces, or a cluster-scoped resource. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** The key inside its resource, as etcd has it below the resource's prefix; lists are sorted by its bytes. */
export function pathOf({ namespace, name }: Pick<StoreKey, 'namespace' | 'name'>): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** The common beginning of all paths of a selection. */
export function prefixOf({ namespace }: Selection): string {
  return namespace === undefined || namespace === '' ? '' : `${namespace}/`;
}

export function covers({ namespace, name }: Selection, key: StoreKey): boolean {
  return (namespace === undefined || namespace === key.namespace) && (name === undefined || name === key.name);
}
