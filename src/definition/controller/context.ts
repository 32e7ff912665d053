import type { KindInfo, KubernetesObject, ObjectKey } from '../../kubernetes/index.js';
import type { Verb } from '../model.js';
import type { Cached, Handle, Indexed, Live, Stored } from './handle.js';
import type { Done, ObjectOf, Outcome } from './outcome.js';
import type { Watch } from './watch.js';

export type OwnsMap = Readonly<Record<string, KindInfo<KubernetesObject>>>;
export type WatchesMap = Readonly<Record<string, KindInfo<KubernetesObject> | Watch<KubernetesObject, Verb, string>>>;
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
  /** The time; tests move it by hand. */
  now(): Date;
  readonly trigger: Trigger;
}

export interface Context<T, TStatus, TChild> extends Base<T> {
  /** Makes the result: `return done({ owned, status, conditions, requeueAfter })`; `done()` alone writes nothing. */
  done(outcome?: Outcome<TChild, TStatus>): Done;
}

/** Names that the context itself uses. */
export type ReservedName = 'object' | 'log' | 'signal' | 'events' | 'now' | 'trigger' | 'done';

type WatchHandle<TDeclared> = TDeclared extends { readonly '~watch'?: infer W }
  ? NonNullable<W> extends { readonly object: infer T; readonly verb: infer V; readonly index: infer I }
    ? [I] extends [never]
      ? Handle<T, V & Verb>
      : Indexed<T, I & string> & Handle<T, V & Verb>
    : never
  : never;

/** One handle for each declared name. */
export type Handles<TOwns, TWatches, TReads> = {
  readonly [N in keyof TOwns | keyof TWatches | keyof TReads]: N extends keyof TOwns
    ? Handle<ObjectOf<TOwns[N]>, never>
    : N extends keyof TWatches
      ? TWatches[N] extends { readonly '~watch'?: unknown }
        ? WatchHandle<TWatches[N]>
        : Handle<ObjectOf<TWatches[N]>, never>
      : N extends keyof TReads
        ? Live<ObjectOf<TReads[N]>>
        : never;
};

/** The handles come first: in a compiler message about a missing one, 400 characters of spec would hide them. */
export type ReconcileContext<T, TStatus, TOwns, TWatches, TReads> = Handles<TOwns, TWatches, TReads> &
  Context<T, TStatus, ObjectOf<TOwns[keyof TOwns]>>;

/** On deletion there is no outcome: the finalizer is removed when the function returns. */
export type FinalizeContext<T, TOwns, TWatches, TReads> = Handles<TOwns, TWatches, TReads> & Base<T>;

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

export type { Cached };
