import type { KindInfo, LabelSelectorFields } from '@keelson/kubernetes/apimachinery';
import type { ServerWarning } from '../http/index.js';
import type { NamespaceOf } from './kind-types.js';

/** Options of every call. */
export interface CallOptions {
  /** Ends the call: it rejects with the reason of the signal. A request that has left may still take effect. @defaultValue none */
  readonly signal?: AbortSignal | undefined;
  /** For all attempts and pauses together, in milliseconds. @defaultValue none */
  readonly deadlineMs?: number | undefined;
  /** Gets every warning of this call's answer; the client's own listener gets each text once. */
  readonly onWarning?: ((warning: ServerWarning) => void) | undefined;
}

/** The server's treatment of unknown fields: refuse, warn, drop them in silence. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** Options of calls that write. */
export interface WriteOptions extends CallOptions {
  /** Goes through everything but storing. @defaultValue the client's */
  readonly dryRun?: boolean | undefined;
  /** The owner of the fields, as managed fields name it. @defaultValue the client's */
  readonly fieldManager?: string | undefined;
  /** How the server treats fields that the schema lacks. @defaultValue the client's, else the server's: `Warn` */
  readonly fieldValidation?: FieldValidation | undefined;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Takes over fields that other managers own with other values. @defaultValue false — a conflict is an error */
  readonly force?: boolean | undefined;
}

/** Options of a read of one object. */
export interface GetOptions extends CallOptions {
  /** `'0'`: whatever the server has at hand. @defaultValue the newest */
  readonly resourceVersion?: string | undefined;
}

/** Options of a deletion. */
export interface DeleteOptions extends CallOptions {
  /** Refuses to delete another object of the same name. */
  readonly uid?: string | undefined;
  /** Refuses to delete what has changed since. */
  readonly resourceVersion?: string | undefined;
  /** The fate of the children. @defaultValue the kind's own, for most `Background` */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  /** Time that the object has to end by itself, in seconds; 0 deletes it immediately. @defaultValue the object's own */
  readonly gracePeriodSeconds?: number | undefined;
  /** Goes through everything but the deletion. @defaultValue the client's */
  readonly dryRun?: boolean | undefined;
}

/** Which objects are meant; what is left out does not restrict. */
export interface Selection {
  /** Equality for each label. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The text of a query, or what an object carries as its selector. With `labels`, both must be met. */
  readonly labelSelector?: string | LabelSelectorFields | undefined;
  /** The text of a query, or equality for each field, for example `{ 'metadata.name': 'a' }`. */
  readonly fieldSelector?: string | Readonly<Record<string, string>> | undefined;
}

interface ListCallOptions extends CallOptions, Selection {
  /** Objects of one page at most. @defaultValue 500 for what pages by itself, else none */
  readonly limit?: number | undefined;
  /** The state that the list shows, as `resourceVersionMatch` says. @defaultValue the newest */
  readonly resourceVersion?: string | undefined;
  /** Whether the list shows exactly this state, or this or a newer one. @defaultValue `NotOlderThan`, where a resourceVersion is given */
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
}

/** Options of a list: a selection, pages, the state that it shows. */
export type ListOptions<TKind extends KindInfo = KindInfo> = ListCallOptions & NamespaceOf<TKind>;

/** Options of a list of one page. */
export type PageOptions<TKind extends KindInfo = KindInfo> = ListOptions<TKind> & {
  /** Where the last page ended. */
  readonly continue?: string | undefined;
};

/** Options of the deletion of all selected objects. */
export type DeleteCollectionOptions<TKind extends KindInfo = KindInfo> = Omit<DeleteOptions, 'uid' | 'resourceVersion'> &
  Selection &
  NamespaceOf<TKind>;

interface WatchCallOptions extends CallOptions, Selection {
  /** Events after this one. @defaultValue first all that there is, as ADDED */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'NotOlderThan' | undefined;
  /** Sends what there is as ADDED and then a bookmark with `initialEventsEnd`; needs `resourceVersionMatch`. @defaultValue false */
  readonly sendInitialEvents?: boolean | undefined;
  /** @defaultValue true: without them the resourceVersion of a quiet kind grows too old to resume from (H14) */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** When the server ends the watch, in seconds. @defaultValue 290 — under the five minutes of common load balancers */
  readonly timeoutSeconds?: number | undefined;
  /** Silence after which the connection is taken for dead, in milliseconds. @defaultValue five seconds more than `timeoutSeconds` (H11, H12) */
  readonly silentMs?: number | undefined;
  /** Size of one event at most, in bytes. @defaultValue 16_777_216 — 16 MiB, as client-go */
  readonly maxFrameBytes?: number | undefined;
}

/** Options of a watch: a selection, and where it begins. */
export type WatchOptions<TKind extends KindInfo = KindInfo> = WatchCallOptions & NamespaceOf<TKind>;
