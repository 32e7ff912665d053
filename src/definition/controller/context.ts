import type { KindInfo, KubernetesObject, ObjectKey } from '../../kubernetes/index.js';
import type { Verb, WatchModel } from '../model.js';
import type { Handle, Indexed, InputHandle, Live, Stored } from './handle.js';
import type { ChildOf, Done, FinalOutcome, ObjectOf, Outcome } from './outcome.js';

export type OwnsMap = Readonly<Record<string, KindInfo<KubernetesObject>>>;
/**
 * Not `Watch<KubernetesObject, Verb, string>`: an inline `watch(Pod)` would take its missing type arguments from there, and have every verb.
 */
export type WatchesMap = Readonly<Record<string, KindInfo<KubernetesObject> | WatchModel>>;
export type ReadsMap = Readonly<Record<string, KindInfo<KubernetesObject>>>;

/** Structured logging; controller, object and reconcile id are already in every line. */
export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface EventOptions {
  /** What the controller did or tried, for example `ScalingUp`. @defaultValue the reason */
  readonly action?: string | undefined;
  /** A second object that took part. */
  readonly related?: KubernetesObject | undefined;
}

/** Records events about the reconciled object (`events.k8s.io/v1`); a repeated event becomes a series. */
export interface Events {
  normal(reason: string, note: string, options?: EventOptions): void;
  warning(reason: string, note: string, options?: EventOptions): void;
}

/** Why the reconcile runs. Several causes that came together run it once; the first one is told. */
export type Trigger =
  | { readonly cause: 'object' | 'retry' | 'resync' | 'timer' }
  | {
      readonly cause: 'owned' | 'watched';
      /** Name of the handle whose object changed. */
      readonly handle: string;
      readonly object: ObjectKey;
    };

/** What every reconcile has, whatever its controller declares. */
export interface Base<T> {
  /** The object with defaults applied; not to be changed. */
  readonly object: Stored<T>;
  readonly log: Logger;
  /** Aborted on shutdown, on lost leadership and when the time limit is over. */
  readonly signal: AbortSignal;
  readonly events: Events;
  /** The time; tests move it by hand. A property, so that it may be taken out of the context by destructuring. */
  readonly now: () => Date;
  readonly trigger: Trigger;
}

export interface Context<T, TStatus, TChild> extends Base<T> {
  /** Makes the result: `return done({ owned, status, conditions, requeueAfter })`; `done()` alone writes nothing. A property, so that it may be destructured. */
  readonly done: (outcome?: Outcome<TChild, TStatus>) => Done;
}

/** Names that the context itself uses. */
export type ReservedName = 'object' | 'log' | 'signal' | 'events' | 'now' | 'trigger' | 'done';

/** A handle whose written form differs from the read one names both; for most kinds they are the same. */
type HandleOf<T, TVerb extends Verb, TInput> = [TInput] extends [T] ? Handle<T, TVerb> : InputHandle<T, TVerb, TInput>;

type WatchHandle<TDeclared> = TDeclared extends { readonly '~watch'?: infer W }
  ? NonNullable<W> extends { readonly object: infer T; readonly input: infer I; readonly verb: infer V; readonly index: infer X }
    ? [X] extends [never]
      ? HandleOf<T, V & Verb, I>
      : Indexed<T, X & string> & HandleOf<T, V & Verb, I>
    : never
  : never;

/** The handle of a declared name. */
export type HandleFor<TName, TOwns, TWatches, TReads> = TName extends keyof TOwns
  ? Handle<ObjectOf<TOwns[TName]>, never>
  : TName extends keyof TWatches
    ? TWatches[TName] extends { readonly '~watch'?: unknown; readonly verbs: unknown }
      ? WatchHandle<TWatches[TName]>
      : Handle<ObjectOf<TWatches[TName]>, never>
    : TName extends keyof TReads
      ? Live<ObjectOf<TReads[TName]>>
      : never;

/**
 * What a reconcile gets: one handle for each declared name, and the rest.
 *
 * `defineController` writes this type out in place, with the handles first: in a compiler message about a missing handle an alias, or 400 characters of spec,
 * would hide those that exist.
 */
export type ReconcileContext<T, TStatus, TOwns, TWatches, TReads> = {
  readonly [N in keyof TOwns | keyof TWatches | keyof TReads]: HandleFor<N, TOwns, TWatches, TReads>;
} & Context<T, TStatus, ChildOf<TOwns[keyof TOwns]>>;

export interface FinalContext<T, TStatus> extends Base<T> {
  /**
   * Tells in the status what has become of the object, before the finalizer is removed: `return done({ conditions })`. With `requeueAfter` the finalizer stays.
   * Whoever has nothing to tell returns nothing.
   */
  readonly done: (outcome?: FinalOutcome<TStatus>) => Done;
}

/** On deletion no children are wanted: the finalizer is removed when the function returns. */
export type FinalizeContext<T, TOwns, TWatches, TReads, TStatus = unknown> = {
  readonly [N in keyof TOwns | keyof TWatches | keyof TReads]: HandleFor<N, TOwns, TWatches, TReads>;
} & FinalContext<T, TStatus>;

/** The declarations of a controller, written apart from it: `const access = { for: Memcached, owns: { ... } } as const`. */
export interface Declarations {
  readonly for: KindInfo<KubernetesObject> & { readonly '~status'?: unknown };
  readonly owns?: OwnsMap;
  readonly watches?: WatchesMap;
  readonly reads?: ReadsMap;
}

type MapOf<T> = [T] extends [undefined] ? Record<never, never> : NonNullable<T>;
type DeclaredMap<TDeclarations, TName extends string> = TDeclarations extends { readonly [N in TName]: infer M }
  ? MapOf<M>
  : Record<never, never>;

/** The context of a `reconcile` that is written apart from its controller. */
export type ContextOf<TDeclarations extends Declarations> = ReconcileContext<
  ObjectOf<TDeclarations['for']>,
  TDeclarations['for'] extends { readonly '~status'?: infer S } ? Exclude<S, undefined> : unknown,
  DeclaredMap<TDeclarations, 'owns'>,
  DeclaredMap<TDeclarations, 'watches'>,
  DeclaredMap<TDeclarations, 'reads'>
>;
