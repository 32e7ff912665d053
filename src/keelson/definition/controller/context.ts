import type { KindInfo, KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { Verb } from '../model.js';
import type { BackgroundOf } from './background.js';
import type { Base } from './base.js';
import type { Handle, Indexed, InputHandle, Live } from './handle.js';
import type { FromObserved } from './observes.js';
import type { ServedHandle } from './optional.js';
import type { Done, FinalOutcome, IsKind, ObjectOf, Outcome, Owned, OwnedWriting, StatusWriting } from './outcome.js';
import type { DeclaredOwn } from './own.js';
import type { DeclaredRead } from './read.js';
import type { Nothing } from './uses.js';
import type { DeclaredWatch } from './watch.js';

/** Not `Own<KubernetesObject, Verb, boolean>`: an inline `own(Pod, {})` would take its missing type arguments from there, and have every verb. The same holds for the others. */
export type OwnsMap = Readonly<Record<string, KindInfo<KubernetesObject> | DeclaredOwn>>;
export type WatchesMap = Readonly<Record<string, KindInfo<KubernetesObject> | DeclaredWatch>>;
export type ReadsMap = Readonly<Record<string, KindInfo<KubernetesObject> | DeclaredRead>>;

export interface Context<T, TStatus, TOwned> extends Base<T> {
  /** Writes status amid the run. */
  readonly status: StatusWriting<TStatus>;
  /** Applies children amid the run. */
  readonly owned: OwnedWriting<TOwned>;
  /** Makes the result: `return done({ owned, status, conditions, requeueAfter })`; `done()` alone writes nothing. A property, so that it may be destructured. */
  readonly done: (outcome?: Outcome<TOwned, TStatus>) => Done;
}

/** Names that the context itself uses, or that of a source or of long work. */
export type ReservedName =
  | 'object'
  | 'log'
  | 'signal'
  | 'events'
  | 'now'
  | 'trigger'
  | 'attempt'
  | 'done'
  | 'status'
  | 'owned'
  | 'enqueue'
  | 'progress'
  | 'key';

/** A handle whose written form differs from the read one names both; for most kinds they are the same. */
type HandleOf<T, TVerb extends Verb, TInput> = [TInput] extends [T] ? Handle<T, TVerb> : InputHandle<T, TVerb, TInput>;

type FromOwn<TDeclared> = TDeclared extends { readonly '~own'?: infer W }
  ? NonNullable<W> extends { readonly object: infer T; readonly input: infer I; readonly verb: infer V }
    ? ServedHandle<TDeclared, HandleOf<T, V & Verb, I>>
    : never
  : never;

type FromWatch<TDeclared> = TDeclared extends { readonly '~watch'?: infer W }
  ? NonNullable<W> extends { readonly object: infer T; readonly input: infer I; readonly verb: infer V; readonly index: infer X }
    ? [X] extends [never]
      ? ServedHandle<TDeclared, HandleOf<T, V & Verb, I>>
      : ServedHandle<TDeclared, Indexed<T, X & string> & HandleOf<T, V & Verb, I>>
    : never
  : never;

type FromRead<TDeclared> = TDeclared extends IsKind
  ? Live<ObjectOf<TDeclared>>
  : TDeclared extends { readonly '~read'?: infer W }
    ? NonNullable<W> extends { readonly object: infer T; readonly verb: infer V }
      ? ServedHandle<TDeclared, Pick<Live<T>, V & ('get' | 'list')>>
      : never
    : never;

/** The handles of what is read on demand, which background work has as well. */
export type ReadHandles<TReads> = { readonly [N in keyof TReads]: FromRead<TReads[N]> };

/** The handle of a declared name. */
export type HandleFor<
  TName,
  TOwns,
  TWatches,
  TReads,
  TUses = Nothing,
  TObserves = Nothing,
  TBackground = Nothing,
> = TName extends keyof TOwns
  ? TOwns[TName] extends IsKind
    ? Handle<ObjectOf<TOwns[TName]>, never>
    : FromOwn<TOwns[TName]>
  : TName extends keyof TWatches
    ? TWatches[TName] extends IsKind
      ? Handle<ObjectOf<TWatches[TName]>, never>
      : FromWatch<TWatches[TName]>
    : TName extends keyof TReads
      ? FromRead<TReads[TName]>
      : TName extends keyof TUses
        ? TUses[TName] extends { readonly '~use'?: infer T }
          ? NonNullable<T>
          : never
        : TName extends keyof TObserves
          ? FromObserved<TObserves[TName]>
          : TName extends keyof TBackground
            ? BackgroundOf<TBackground[TName]>
            : never;

/**
 * The context of a reconcile: one handle for each declared name, and the rest.
 *
 * `defineController` writes this type out in place, with the handles first: in a compiler message about a missing handle an alias, or 400 characters of spec,
 * would hide those that exist.
 */
export type ReconcileContext<T, TStatus, TOwns, TWatches, TReads, TUses = Nothing, TObserves = Nothing, TBackground = Nothing> = {
  readonly [N in keyof TOwns | keyof TUses | keyof TWatches | keyof TReads | keyof TObserves | keyof TBackground]: HandleFor<
    N,
    TOwns,
    TWatches,
    TReads,
    TUses,
    TObserves,
    TBackground
  >;
} & Context<T, TStatus, Owned<TOwns>>;

export interface FinalContext<T, TStatus> extends Base<T> {
  /** Writes status amid the run. */
  readonly status: StatusWriting<TStatus>;
  /**
   * Says in the status what has become of the object, before the finalizer is removed: `return done({ conditions })`. With `requeueAfter` the finalizer stays.
   * A handler without an outcome returns nothing.
   */
  readonly done: (outcome?: FinalOutcome<TStatus>) => Done;
}

/** On deletion no children are wanted: the finalizer is removed when the function returns. */
export type FinalizeContext<T, TOwns, TWatches, TReads, TStatus = unknown, TUses = Nothing> = {
  readonly [N in keyof TOwns | keyof TUses | keyof TWatches | keyof TReads]: HandleFor<N, TOwns, TWatches, TReads, TUses>;
} & FinalContext<T, TStatus>;
