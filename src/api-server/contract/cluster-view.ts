import type { JsonObject } from './draft.js';

export interface ObjectName {
  /** `''` of a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** What strategies, admission and authorization may look up: stored objects, at the storage version, as of now. */
export interface ClusterView {
  /** Of the last write of any object: what was computed from objects holds as long as it stays. */
  readonly revision: number;
  get(resource: { readonly group: string; readonly plural: string }, name: ObjectName): JsonObject | undefined;
  /** Of one namespace, or of all. */
  list(resource: { readonly group: string; readonly plural: string }, namespace?: string): readonly JsonObject[];
}
