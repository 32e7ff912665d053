import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { LabelSelectorModel, SelectModel, Stored } from 'keelson/internal/definition';
import type { UntypedObject } from '../client/index.js';

/** An object as the cache holds it: without `managedFields`, and frozen, since equal parts of objects are one part in memory. */
export type StoredObject = Stored<UntypedObject>;

/** Finds the values under which an object is looked up. Pure. */
export type IndexFunction = (object: StoredObject) => readonly string[];

/** The kind and the selection to hold. */
export interface CacheRequest {
  readonly kind: KindInfo;
  /** Evaluated by the API server. @defaultValue every object of the kind, in the cache's namespaces */
  readonly select?: SelectModel | undefined;
  /** Metadata alone: a fraction of the bytes where only labels and owners count. @defaultValue false */
  readonly metadataOnly?: boolean | undefined;
  /** Names belong to this request: another request of the same kind may use them for other functions. */
  readonly indexes?: Readonly<Record<string, IndexFunction>> | undefined;
}

/** Which of the held objects are meant; what is left out does not restrict. */
export interface InformerListOptions {
  readonly namespace?: string | undefined;
  /** Equality for each label. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly labelSelector?: LabelSelectorModel | undefined;
  /** A value for each named index; all must be met. */
  readonly index?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A change of one object, as the API server reported it. */
export interface CacheChange {
  readonly type: 'added' | 'modified' | 'deleted';
  /** As it is now; of a deleted object the last that is known. */
  readonly object: StoredObject;
  /** The object of the last change that listeners got; `undefined` for `added`. */
  readonly previous?: StoredObject | undefined;
  /** It was there when the cache, or this listener, began. */
  readonly isInitial: boolean;
  /** A deletion that was not seen: a list lacked the object, which may have changed before it went. */
  readonly isLastStateUnknown: boolean;
}

export type ChangeListener = (change: CacheChange) => void;

/** An object that an own DELETE ended. */
export interface OwnDeletion {
  readonly key: ObjectKey;
  readonly uid: string;
  /** The version of the deletion, where the answer has it. */
  readonly resourceVersion?: string | undefined;
}

/** An object that could not be taken in as it should. The others are not affected (H21). */
export interface InvalidObject {
  /** `undefined` when it has no name. */
  readonly key: ObjectKey | undefined;
  readonly message: string;
}

/**
 * The objects of one request, kept up to date: one face over one watch per namespace.
 *
 * Guarantees: reads show one whole state per namespace, never half a list and never an older state than shown before; own writes are in it at once. Listeners
 * get each change once and in order; from the beginning on, the changes add up to the state of the API server. Listeners may be behind reads by own writes,
 * never ahead of them.
 * Errors: {@link CacheNotSyncedError} from reads before the first complete list.
 */
export interface Informer {
  readonly kind: KindInfo;
  /** A complete list is held and the listeners have been called with it. Stays true: later events are news, not a beginning. */
  readonly hasSynced: boolean;
  /** Up to where the held state is complete; `undefined` before that, and where several namespaces are watched each by itself. */
  readonly resourceVersion: string | undefined;
  /** False while it is not known what exists: before the first list, and from the moment that history was lost until the next list is complete (H17). */
  readonly isComplete: boolean;
  /** False from when the API server said that it does not serve the kind until a complete list shows what is left of what is held (H28). */
  readonly isServed: boolean;
  /**
   * Asks the API server what there is at this moment, and lets reads show that at least: a watch that has died without a word is behind by minutes, without
   * notice (H6). Listeners hear of it by the watch, when it has come as far.
   *
   * Costs one list; to be called when a complete list is held. Errors: those of the client; what was found until then is shown.
   */
  refresh(signal: AbortSignal): Promise<void>;
  get(key: ObjectKey): StoredObject | undefined;
  /** In no particular order. */
  list(options?: InformerListOptions): StoredObject[];
  /**
   * Calls the listener with every change, synchronously and in order; first with each present object, as an initial `added`. An error that it throws is logged
   * and stops nothing (H23).
   *
   * @returns what ends it
   */
  onChange(listener: ChangeListener): () => void;
  /** Hands in the answer of an own create, update, patch or apply, which is frozen: reads show it until the watch has come as far (H1-H5). */
  written(object: StoredObject): void;
  /** Hands in an own DELETE that ended the object: reads do not show it any more. */
  deleted(object: OwnDeletion): void;
  /** Objects that could not be taken in as they should, as they are now. */
  readonly invalidObjects: readonly InvalidObject[];
}
