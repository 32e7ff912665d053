import { isRecord, type KindInfo, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { SelectModel, Verb, WatchModel } from '../model.js';
import { anything, callback, flag, isKind, listOf, mapOf, mustHaveShape, nameOr, record, selection, text } from '../option-shape.js';
import type { Enqueue, Towards } from './enqueue.js';
import { type MarkedOptional, optionalMark } from './optional.js';
import type { Referenced } from './referrers.js';

export interface WatchOptions<
  in T,
  TVerb extends Verb,
  TIndex extends string,
  TPrimary extends string = string,
  TMeta extends boolean = false,
  TOptional extends boolean = false,
> {
  /**
   * Which objects take part; evaluated by the API server, so the others cost nothing.
   * @defaultValue every object that the operator may see
   */
  readonly select?: SelectModel | undefined;
  /**
   * Verbs of the handle.
   * @defaultValue nothing
   */
  readonly verbs?: readonly TVerb[] | undefined;
  /**
   * Which objects to reconcile when this one changes: {@link toOwner}, {@link toReferrers}, {@link toSelectors}, {@link through}, {@link toAll}, or a function of the changed object.
   * @defaultValue none: the objects only fill the handle
   */
  readonly enqueue?: Enqueue<T> | Towards<TPrimary> | undefined;
  /**
   * Only the objects that those of the controller name, one watch for each name: {@link referenced}. A change of one reconciles all that name it, so `enqueue` and
   * `select` are left out.
   * @defaultValue every selected object of the kind
   */
  readonly only?: Referenced<TPrimary> | undefined;
  /** Values to find objects by: `list({ index: { node: 'a' } })`. Pure functions. */
  readonly indexes?: { readonly [I in TIndex]: (object: T) => readonly string[] } | undefined;
  /**
   * Fetches and keeps `apiVersion`, `kind` and `metadata` alone: for kinds of which only that counts, and there are many. Such a handle has no verbs.
   * @defaultValue false
   */
  readonly metadataOnly?: TMeta | undefined;
  /**
   * Whether a change of the status alone reconciles nothing: for objects whose spec and labels are all that counts here. A change of generation, labels, annotations
   * or deletion counts still, as it does for the object that the controller is for. The handle shows the new status all the same.
   * @defaultValue `false`: every change counts
   */
  readonly ignoreStatus?: boolean | undefined;
  /**
   * Whether the operator works without the kind: its handle has `isServed`, and the kind is watched as soon as its CustomResourceDefinition is installed. The rights are the same.
   * @defaultValue `false`: the controller waits until the API server serves the kind
   */
  readonly optional?: TOptional | undefined;
}

const SHAPE = record(
  {
    select: selection,
    verbs: listOf(text),
    // The controller says what is wrong with it, under the name of the handle.
    enqueue: anything,
    only: anything,
    indexes: mapOf(callback('the object and returns the values it is found by')),
    metadataOnly: flag,
    ignoreStatus: flag,
    optional: flag,
  },
  'not an option of a watch',
);

/** A declaration that `watches` takes beside a bare kind; without type parameters, as `DeclaredOwn`. */
export interface DeclaredWatch {
  readonly kind: KindInfo;
  readonly indexes: object;
}

/** A watched kind with what the controller does to it. Opaque: made by {@link watch}. */
export interface Watch<out T, out TVerb extends Verb, out TIndex extends string, out TInput = T, out TPrimary extends string = never>
  extends WatchModel {
  readonly '~watch'?: { readonly object: T; readonly input: TInput; readonly verb: TVerb; readonly index: TIndex } | undefined;
  /** Name of the kind whose objects its changes reconcile. */
  readonly '~primary'?: TPrimary | undefined;
}

/** The part of an object that a watch of metadata alone has. */
export type Known<T, TMeta> = true extends TMeta ? Pick<T, keyof T & ('apiVersion' | 'kind' | 'metadata')> : T;

/**
 * Declares a watched kind.
 *
 * A function rather than a literal: no form of a literal keeps both the type of the object in `enqueue` and the exact verbs.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   watches: { pods: watch(Pod, { select: { labels: { app: 'memcached' } }, enqueue: toOwner(Memcached), verbs: ['evict'] }) },
 *   async reconcile({ pods, done }) {
 *     for (const pod of pods.list()) if (pod.status?.phase === 'Failed') await pods.evict(pod);
 *     return done();
 *   },
 * });
 * ```
 */
export function watch<
  T extends KubernetesObject,
  const TVerb extends Verb = never,
  const TIndex extends string = never,
  const TPrimary extends string = never,
  const TMeta extends boolean = false,
  TInput = T,
  const TOptional extends boolean = false,
>(
  kind: KindInfo<T> & { readonly '~input'?: TInput | undefined },
  options: WatchOptions<NoInfer<Known<T, TMeta>>, TVerb, TIndex, TPrimary, TMeta, TOptional> = {},
): Watch<Known<T, TMeta>, TVerb, TIndex, TInput, TPrimary> & MarkedOptional<TOptional> {
  mustHaveShape(`watch of ${nameOr(kind, 'kind', 'an unknown kind')}`, options, SHAPE);
  const declared: Watch<Known<T, TMeta>, TVerb, TIndex, TInput, TPrimary> = {
    kind,
    verbs: Object.freeze([...(options.verbs ?? [])]),
    indexes: Object.freeze({ ...options.indexes }),
    ...(options.select === undefined ? {} : { select: options.select }),
    ...(options.enqueue === undefined ? {} : { enqueue: options.enqueue as NonNullable<WatchModel['enqueue']> }),
    ...(options.only === undefined ? {} : { only: options.only, enqueue: (options.enqueue as WatchModel['enqueue']) ?? options.only }),
    ...(options.metadataOnly === true ? { metadataOnly: true } : {}),
    ...(options.ignoreStatus === true ? { ignoreStatus: true } : {}),
    ...optionalMark(options),
  };
  return Object.freeze(declared) as Watch<Known<T, TMeta>, TVerb, TIndex, TInput, TPrimary> & MarkedOptional<TOptional>;
}

/** A watch in whole, from what is declared: a bare kind is read and triggers nothing. */
export function watchOf(declared: KindInfo | WatchModel): WatchModel {
  return isKind(declared) ? Object.freeze({ kind: declared, verbs: [], indexes: {} }) : declared;
}

/** Whether it comes from `watch()`; its form is checked there. */
export function isWatch(value: unknown): value is WatchModel {
  return isRecord(value) && Array.isArray(value['verbs']) && isRecord(value['indexes']);
}
