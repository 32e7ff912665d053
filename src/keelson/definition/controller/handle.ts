import type { ObjectKey, ObjectMeta } from '@keelson/kubernetes/apimachinery';
import type { LabelSelectorModel, Verb } from '../model.js';

/** Metadata of an object that the API server has stored. */
export interface StoredMeta extends ObjectMeta {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** An object as the API server returns it. */
export type Stored<T> = T & { readonly metadata: StoredMeta };

export interface ListOptions {
  /** Equality for each label. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly labelSelector?: LabelSelectorModel | undefined;
  /**
   * Another namespace than the object's own, or `'*'` for every namespace that the operator serves; of `reads` one request for each, where it
   * does not serve all.
   * @defaultValue the namespace of the reconciled object; every namespace when that is cluster-scoped. A single namespace that the declaration names comes first
   */
  readonly namespace?: string | undefined;
}

/** Objects from the cache: no request is made, so reading is free and never fails. */
export interface Cached<out T> {
  /** A plain name means the namespace of the reconciled object, or the only one that the declaration names. */
  get(key: string | ObjectKey): Stored<T> | undefined;
  list(options?: ListOptions): Stored<T>[];
}

/** Finds objects by the indexes that `watch(Kind, { indexes })` declares. */
export interface Indexed<out T, in TIndex extends string> {
  list(options?: ListOptions & { readonly index?: { readonly [I in TIndex]?: string } | undefined }): Stored<T>[];
}

/** Objects from the API server: each call is a request. */
export interface Live<out T> {
  get(key: string | ObjectKey): Promise<Stored<T> | undefined>;
  list(options?: ListOptions): Promise<Stored<T>[]>;
}

/** Which object a write means: by name in the object's namespace, by key, or the object itself. */
export type Target<T> = string | ObjectKey | T;

export interface DeleteOptions {
  /** Refuses the deletion when the object is another one of the same name by now. */
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  /** @defaultValue `'Background'`, as the API server does for most kinds */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly gracePeriodSeconds?: number | undefined;
}

/** The partial form of an object, as a merge patch takes it: `null` removes a field. */
export type Patch<T> = T extends readonly unknown[] ? T : T extends object ? { readonly [P in keyof T]?: Patch<T[P]> | null } : T;

/** One method per verb; a handle has those that its controller declares. */
export interface Writes<T, TInput = T> {
  create(object: TInput): Promise<Stored<T>>;
  /** Replaces the object; its `resourceVersion` must be the newest one. */
  update(object: Stored<T>): Promise<Stored<T>>;
  /** JSON merge patch. */
  patch(target: Target<T>, patch: Patch<T>): Promise<Stored<T>>;
  /** Server-side apply under the controller's own field manager. */
  apply(object: TInput): Promise<Stored<T>>;
  /** Does nothing when the object is gone already. */
  delete(target: Target<T>, options?: DeleteOptions): Promise<void>;
  /** Deletes the Pod unless a disruption budget forbids it; `false` when one does. */
  evict(target: Target<T>, options?: DeleteOptions): Promise<boolean>;
}

/** A cached kind with the declared verbs and no others. */
export type Handle<T, TVerb extends Verb> = Cached<T> & { readonly [V in TVerb]: Writes<T>[V] };

/** A {@link Handle} for a kind whose written form may leave out what the read one has. */
export type InputHandle<T, TVerb extends Verb, TInput> = Cached<T> & { readonly [V in TVerb]: Writes<T, TInput>[V] };
