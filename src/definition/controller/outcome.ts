import type { Duration, KindInfo } from '../../kubernetes/index.js';

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

/** The objects of the declared kinds as a reconciler writes them: what the API server fills in may be left out. */
export type ChildOf<TKind> = TKind extends { readonly '~input'?: infer I }
  ? unknown extends I
    ? ObjectOf<TKind>
    : NonNullable<I>
  : ObjectOf<TKind>;

export interface Outcome<TChild, TStatus> {
  /** All children that should exist. Left out: children stay as they are. `[]`: all are deleted. */
  readonly owned?: readonly TChild[] | undefined;
  /** The whole status, without what `conditions` says. */
  readonly status?: StatusInput<TStatus> | undefined;
  readonly conditions?: ConditionsInput<TStatus> | undefined;
  /** Runs again after this time, even if nothing changes. */
  readonly requeueAfter?: Duration | undefined;
}

/** What `finalize` tells of an object that is being deleted. */
export interface FinalOutcome<TStatus> {
  /** The whole status, without what `conditions` says. Left out: it stays as it is. */
  readonly status?: StatusInput<TStatus> | undefined;
  /** Beside those that reconciling has left; one of the same type is replaced. */
  readonly conditions?: ConditionsInput<TStatus> | undefined;
  /** It is not clean yet: the finalizer stays, and `finalize` runs again after this time. Left out: the object may go. */
  readonly requeueAfter?: Duration | undefined;
}

/** `unknown` is the status of a kind that the controller does not write. */
type StatusInput<TStatus> = unknown extends TStatus
  ? 'this kind has no status that the controller declares'
  : [TStatus] extends [never]
    ? 'declare a status schema for this version'
    : TStatus;

type ConditionsInput<TStatus> = unknown extends TStatus
  ? 'this kind has no status that the controller declares'
  : [TStatus] extends [never]
    ? 'declare a status schema for this version'
    : 'conditions' extends keyof TStatus
      ? readonly ConditionInput[]
      : 'declare status.conditions with k.conditions()';

/** A kind with the status that a controller may write to it. */
export interface Primary<out TObject, out TStatus> extends KindInfo<TObject> {
  readonly '~status'?: TStatus | undefined;
}
