import type { JsonObject } from './draft.js';

export interface ObjectName {
  /** `''` of a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** The objects that strategies, admission and authorization may look up: as stored, at the storage version, as of now. */
export interface ClusterView {
  /** The revision of the last write of any object: a value computed from objects holds as long as it stays. */
  readonly revision: number;
  get(resource: { readonly group: string; readonly plural: string }, name: ObjectName): JsonObject | undefined;
  /** Lists one namespace, or all. */
  list(resource: { readonly group: string; readonly plural: string }, namespace?: string): readonly JsonObject[];
}
