import type { JsonObject, ObjectList, Served, SubresourceConnection } from '../contract/index.js';
import type { Status } from '../status/index.js';

/** The answer to a resource request, before it is known in which form the client wants it. */
export type Answer =
  | { readonly type: 'object'; readonly code: number; readonly object: JsonObject; readonly served: Served }
  | { readonly type: 'list'; readonly code: number; readonly list: ObjectList; readonly served: Served }
  /** An object without columns and metadata of its own: a review, a scale. */
  | { readonly type: 'value'; readonly code: number; readonly value: JsonObject }
  | { readonly type: 'text'; readonly code: number; readonly text: string }
  | { readonly type: 'status'; readonly status: Status }
  /** Text piece by piece. */
  | { readonly type: 'stream'; readonly stream: AsyncIterable<Uint8Array> }
  /** Another protocol. */
  | { readonly type: 'connection'; readonly connection: SubresourceConnection };
