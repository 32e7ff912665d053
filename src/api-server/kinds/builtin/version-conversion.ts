import type { Draft, JsonObject } from '../../contract/index.js';

/** How a kind of several versions changes from one to another. */
export interface VersionConversion {
  /** The object at another version of its kind (`autoscaling/v2`), in normal form, as a new object. */
  convert(object: JsonObject, apiVersion: string): Draft;
  /** The defaults of the versions that are not stored; the stored one has those of its behaviour. */
  readonly setDefaults?: Readonly<Record<string, (draft: Draft) => void>>;
  /**
   * Group and version in which the store holds the objects, where that is not the first version of the resource's own group (`v1` for
   * `events.k8s.io/events`, which shares the table of the core group).
   */
  readonly storedAs?: { readonly group: string; readonly version: string };
}
