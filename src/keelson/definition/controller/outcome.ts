import type { IsUnknown, KindInfo, Span } from '@keelson/kubernetes/apimachinery';
import type { ConditionTypesOf } from './status-share.js';

/**
 * The opaque result of a reconcile.
 *
 * It is made by `done(...)` only: TypeScript does not check an object that an unannotated method returns for unknown fields, but it checks an argument.
 */
export interface Done {
  readonly '~done': 'return done({...})';
}

/** A condition as a reconciler states it; the framework keeps `lastTransitionTime` and `observedGeneration`. */
export interface ConditionInput {
  /** In CamelCase, for example `Ready`. */
  readonly type: string;
  readonly status: boolean | 'Unknown';
  /** One word in CamelCase that a program can act on, for example `PodsReady`. */
  readonly reason: string;
  /** For people. @defaultValue empty */
  readonly message?: string | undefined;
}

/** The objects that the declared kinds stand for. */
export type ObjectOf<TKind> = TKind extends { readonly '~object'?: infer T } ? NonNullable<T> : never;

/** Tells a bare kind from what a helper declares: any interface of optional phantoms would match both. */
export interface IsKind {
  readonly plural: string;
}

/** The objects of a declared handle as a reconciler writes them: what the API server fills in may be left out. */
export type ChildOf<TDeclared> = TDeclared extends IsKind
  ? TDeclared extends { readonly '~input'?: infer I }
    ? IsUnknown<I> extends true
      ? ObjectOf<TDeclared>
      : NonNullable<I>
    : ObjectOf<TDeclared>
  : TDeclared extends { readonly '~own'?: infer W }
    ? NonNullable<W> extends { readonly input: infer I }
      ? I
      : never
    : never;

/** Children by handle: of each handle that is named, all that should exist. Handles that are only acted upon are not part of it. */
export type Owned<TOwns> = TOwns extends infer O
  ? {
      readonly [N in keyof O as O[N] extends IsKind
        ? N
        : O[N] extends { readonly '~own'?: { readonly desired: false } | undefined }
          ? never
          : N]?: readonly ChildOf<O[N]>[] | undefined;
    }
  : never;

/** A part of a status. Opaque: made by {@link merge}. */
export interface Merged<out T> {
  readonly '~merged': T;
}

/**
 * Keeps of the status what is not named: `done({ status: merge({ lastBackup }) })`.
 *
 * Written inside of `done`, so that the compiler knows the fields. A field that is `undefined` is removed.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'backup',
 *   for: Memcached,
 *   reconcile: async ({ done }) => done({ status: merge({ lastBackup: new Date().toISOString() }) }),
 * });
 * ```
 */
export function merge<T>(part: NoInfer<T>): Merged<T> {
  return Object.freeze({ '~merged': part });
}

export interface Outcome<TOwned, TStatus> {
  /**
   * The object is another controller's: its status and conditions stay as they are, the framework's own included. Not beside anything else.
   * @defaultValue `false`: without conditions of yours there is a `Ready`
   */
  readonly ignored?: boolean | undefined;
  /**
   * By handle all children that should exist: `owned: { services: [service] }`. A handle that is left out keeps its children as they are; `[]` deletes them.
   * They are applied in the order of the handles, and what is desired no longer is deleted last.
   */
  readonly owned?: TOwned | undefined;
  /** The whole status, without what `conditions` says; or `merge({ ... })`, a part of it. */
  readonly status?: StatusInput<TStatus> | undefined;
  readonly conditions?: ConditionsInput<TStatus> | undefined;
  /** Runs again after this time, even if nothing changes: a text such as `30s`, or milliseconds; with up to a tenth more, so that not all objects come at once. At least 100 ms. */
  readonly requeueAfter?: Span | undefined;
  /**
   * Runs again at this time, to the millisecond: for schedules. A time that is over means at once. Not beside `requeueAfter`.
   * @defaultValue no time of its own
   */
  readonly requeueAt?: Date | undefined;
  /** The error of a run whose status is written all the same: it is retried as after an error that is thrown. `undefined`: it did not fail. */
  readonly retry?: unknown;
}

/** The result of `finalize` for an object that is being deleted. */
export interface FinalOutcome<TStatus> {
  /** The whole status, without what `conditions` says; or `merge({ ... })`, a part of it. Left out: it stays as it is. */
  readonly status?: StatusInput<TStatus> | undefined;
  /** Beside those that reconciling has left; one of the same type is replaced. */
  readonly conditions?: ConditionsInput<TStatus> | undefined;
  /** It is not clean yet: the finalizer stays, and `finalize` runs again after this time. Left out: the object may go. */
  readonly requeueAfter?: Span | undefined;
  /** As `requeueAfter`, at this time to the millisecond. */
  readonly requeueAt?: Date | undefined;
  /** The error: the finalizer stays, and the run is retried as after an error that is thrown. `undefined`: it did not fail. */
  readonly retry?: unknown;
}

/** Writes status amid a run. */
export interface StatusWriting<TStatus> {
  /**
   * Merges a part into the status, so that people see how far a long run is. Written at most once a second for an object: what comes sooner is written
   * together, and the outcome of the run replaces it.
   */
  write(part: PartInput<TStatus>): Promise<void>;
}

/** Applies children amid a run. */
export interface OwnedWriting<TOwned> {
  /** Makes the children what is desired now, as the outcome does at the end: for what an action of the same run needs. Deletes nothing. */
  apply(children: TOwned): Promise<void>;
}

/** `unknown` is the status of a kind that the controller does not write. */
type Stateable<TStatus, T> =
  IsUnknown<TStatus> extends true
    ? 'no status is known here: declare a status schema, or writesStatus; give a kind that is defined inline a const of its own'
    : [TStatus] extends [never]
      ? 'declare a status schema for this version'
      : T;

type StatusPart<TStatus> = TStatus extends infer S ? { readonly [P in keyof S]?: S[P] | undefined } : never;
type PartInput<TStatus> = Stateable<TStatus, StatusPart<TStatus>>;
type StatusInput<TStatus> = Stateable<TStatus, TStatus | Merged<StatusPart<TStatus>>>;
type ConditionsInput<TStatus> = Stateable<
  TStatus,
  'conditions' extends keyof TStatus
    ? readonly (ConditionInput & { readonly type: ConditionTypesOf<TStatus> })[]
    : 'declare status.conditions with k.conditions(); a share of the status names its types too'
>;

/** A kind with the status that a controller may write to it. */
export interface Primary<out TObject, out TStatus> extends KindInfo<TObject> {
  readonly '~status'?: TStatus | undefined;
}
