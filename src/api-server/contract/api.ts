import type { Json } from '@keelson/kubernetes/apimachinery';
import type { Status } from '../status/index.js';
import type { Served } from './catalog.js';
import type { JsonObject } from './draft.js';
import type { RequestContext } from './request-context.js';

/** The subject of a request. */
export interface Target {
  readonly served: Served;
  /** `''`: cluster-scoped, or (lists and watches) all namespaces. */
  readonly namespace: string;
  /** `''` of a collection. */
  readonly name: string;
  /** `''`, `status`, `scale` or a variant of the version; the other subresources have their own handlers. */
  readonly subresource: string;
}

/** A body after parsing; nothing is known of its kind yet. */
export interface RequestBody {
  readonly value: Json;
  /** Complaints of strict decoding at this point: duplicate fields. */
  readonly strictProblems: readonly string[];
}

export type PatchFormat = 'apply' | 'json' | 'merge' | 'strategic';

export interface PatchRequest extends RequestBody {
  readonly format: PatchFormat;
  /** For an apply: take fields from other managers. */
  readonly force: boolean;
}

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** `metav1.DeleteOptions`, validated. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly preconditions?: Preconditions;
}

/** `metav1.ListOptions` of lists, watches and deletions of collections; the texts are as they were sent. */
export interface ListOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
}

export interface WatchOptions extends Omit<ListOptions, 'continue' | 'limit'> {
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
}

export interface ObjectList {
  /** At the version of the request; the objects of the store themselves where nothing had to be converted. */
  readonly items: readonly JsonObject[];
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export type ApiEvent =
  | { readonly type: 'ADDED' | 'BOOKMARK' | 'DELETED' | 'MODIFIED'; readonly object: JsonObject }
  | { readonly type: 'ERROR'; readonly status: Status };

/** A watch at the version of the request. Taken like the store's: `next()` until undefined, then wait for the listener. */
export interface ApiWatch {
  /** A promise where a webhook has to convert the object; the next one must not be asked for before it is there. Undefined: nothing now. */
  next(): ApiEvent | Promise<ApiEvent> | undefined;
  /** All has been taken and nothing will come. */
  readonly isEnded: boolean;
  onEvent(listener: () => void): void;
  /** No events from now on; what waits can still be taken, behind it a last bookmark if bookmarks were asked for. */
  finish(): void;
  close(): void;
}

export interface WrittenObject {
  readonly object: JsonObject;
  readonly isCreated: boolean;
}

/** The answer to a deletion: the object (still there, or as it was), or that it is gone. `isPending`: it is still there. */
export type Deleted = { readonly isPending: boolean } & ({ readonly object: JsonObject } | { readonly status: Status });

/**
 * The verbs of the API over all resources, behind HTTP, authentication and authorization. Also what the server's own controllers write through.
 *
 * All objects that come out are frozen, at the version of the target. @throws StatusError for every refusal.
 */
export interface Api {
  create(target: Target, body: RequestBody, context: RequestContext): Promise<JsonObject>;
  get(target: Target, options: Pick<ListOptions, 'resourceVersion'>): Promise<JsonObject>;
  list(target: Target, options: ListOptions): Promise<ObjectList>;
  watch(target: Target, options: WatchOptions): Promise<ApiWatch>;
  update(target: Target, body: RequestBody, context: RequestContext): Promise<WrittenObject>;
  patch(target: Target, patch: PatchRequest, context: RequestContext): Promise<WrittenObject>;
  delete(target: Target, options: DeleteOptions, context: RequestContext): Promise<Deleted>;
  /** The objects that were there. */
  deleteCollection(
    target: Target,
    options: { readonly list: ListOptions; readonly delete: DeleteOptions },
    context: RequestContext,
  ): Promise<ObjectList>;
}
