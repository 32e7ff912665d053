import type { IsUnknown, Span } from '@keelson/kubernetes/apimachinery';
import type { ControllerModel, RawPermission } from '../model.js';
import type { Annotations } from './annotations.js';
import type { BackgroundContext } from './background.js';
import type { Context, FinalizeContext, HandleFor, ReadHandles, ReservedName } from './context.js';
import type { ObserveBuilder } from './observes.js';
import type { Done, IsKind, Owned, Primary } from './outcome.js';
import type { Released } from './release.js';
import type { SharedStatus, ShareProblems } from './status-share.js';
import type { Given, Nothing } from './uses.js';

/**
 * A controller as `defineOperator` takes it: what it needs from outside, by name, and what a test may say of its sources.
 *
 * Contravariant: one that needs nothing stands for one that needs something, never the other way round, so that no union or annotation loses a need.
 */
export interface Controller<in TExternals = Nothing, in TSeen = Nothing> extends ControllerModel {
  readonly '~controller'?: never;
  readonly '~externals'?: ((externals: TExternals) => void) | undefined;
  readonly '~seen'?: ((seen: TSeen) => void) | undefined;
}

/** Says in the compiler's message what is wrong with a name. */
type HandleNames<TMap, TOther> = {
  readonly [N in keyof TMap as N extends ReservedName | TOther ? N : never]: N extends ReservedName
    ? `'${N & string}' is a reserved name`
    : `'${N & string}' is declared twice`;
};

/** Names of the kinds that a change can go on through: those of watches that say by themselves whom a change concerns. */
type LeadingKinds<TWatches> = {
  readonly [N in keyof TWatches]: TWatches[N] extends {
    readonly '~watch'?: { readonly object: { readonly kind: infer L } } | undefined;
    readonly '~primary'?: infer P;
  }
    ? [Extract<P, `~through ${string}`>] extends [never]
      ? L
      : never
    : never;
}[keyof TWatches];

/** Says why the changes of a watch reconcile nothing. `K` is the kind that the controller is for. */
type LeadProblem<TPrimary, TWatches, K> = TPrimary extends K | undefined
  ? never
  : TPrimary extends `~through ${infer L}`
    ? string extends L
      ? never
      : L extends LeadingKinds<TWatches>
        ? never
        : `it goes through ${L}, which no watch of the controller reconciles by`
    : `it finds objects of ${TPrimary & string}, but the controller is for ${K & string}`;

type WatchProblem<TWatch, TWatches, K> = TWatch extends IsKind
  ? never
  : TWatch extends { readonly '~primary'?: infer P }
    ? LeadProblem<P, TWatches, K>
    : never;

/** Says in the compiler's message that a watch finds objects of another kind, or goes through one that leads nowhere. */
type WrongPrimary<TWatches, T> = T extends { readonly kind: infer K }
  ? {
      readonly [N in keyof TWatches as [WatchProblem<TWatches[N], TWatches, K>] extends [never] ? never : N]: WatchProblem<
        TWatches[N],
        TWatches,
        K
      >;
    }
  : unknown;

/** The status of our own kind, or of another one. */
type WholeStatus<T, TStatus> =
  IsUnknown<TStatus> extends true ? (T extends { readonly status?: infer S } ? NonNullable<S> : unknown) : TStatus;

/** The status that is written: our own kind's, another kind's when `writesStatus` says so, a share of it, or none (`unknown`). */
export type WrittenStatus<T, TStatus, TWrites> = TWrites extends boolean
  ? TWrites extends true
    ? WholeStatus<T, TStatus>
    : TStatus
  : SharedStatus<WholeStatus<T, TStatus>, TWrites>;

/**
 * The declarations of a controller beside its functions; {@link declareAccess} makes them apart.
 *
 * `observes` and `background` stand above `reconcile`: the compiler reads the functions of a literal from top to bottom.
 */
export interface Declared<T, TStatus, TOwns, TUses, TWatches, TReads, TObserves, TBackground, TWrites> {
  /** The kind whose objects are reconciled: a custom resource (its storage version, or `X.versions.v1beta1`) or any other kind. */
  readonly for: Primary<T, TStatus>;
  /** Children, which carry the object as their controller owner: a bare kind is applied, watched and pruned; `own(Kind, { ... })` says otherwise. */
  readonly owns?: TOwns & HandleNames<TOwns, keyof TWatches | keyof TReads | keyof TUses>;
  /** Everything from outside of the cluster's API: `external<T>()`. The key is its name. */
  readonly uses?: TUses & HandleNames<TUses, keyof TOwns | keyof TWatches | keyof TReads>;
  /** Other kinds that trigger a reconcile: `watch(Kind, { ... })`, or the bare kind where reading is all. */
  readonly watches?: TWatches & HandleNames<TWatches, keyof TOwns | keyof TReads | keyof TUses> & WrongPrimary<TWatches, T>;
  /** Kinds that are read from the API server on demand, without a cache: the bare kind, or `read(Kind, { verbs: ['get'] })`. */
  readonly reads?: TReads & HandleNames<TReads, keyof TOwns | keyof TWatches | keyof TUses>;
  /** Raw rights, for what no kind stands for: sub-resources such as `pods/exec`, non-resource URLs. */
  readonly permissions?: readonly RawPermission[];
  /**
   * Whether the status is written, and which part of it. `true` for a kind that is not a custom resource of yours means that you implement a foreign API.
   * If a kind has several controllers, one writes the whole status; the others name their share: `{ summary: 'BackupsReady', fields: ['lastBackup'] }`.
   * @defaultValue `true` for a custom resource of yours with a status schema: all of it but what other controllers name; otherwise `false`, another controller
   * owns that status
   */
  readonly writesStatus?: TWrites & ShareProblems<TWrites, WholeStatus<T, TStatus>>;
  /**
   * Name of the finalizer under which `finalize` runs: `<domain>/<name>`, the domain your own.
   * @defaultValue `<group>/<name of the controller>` for a custom resource of yours; for other kinds it must be said
   */
  readonly finalizer?: string;
  /**
   * Field managers under which another operator wrote children and status, where this one takes its place: `['manager']` for one of kubebuilder. With the first
   * write their fields become the controller's own, so that what it does not state goes away; otherwise it would stay for ever. It needs `get` on these kinds, and `patch` on this one.
   * Take it out again when all objects have been written once.
   * @defaultValue none
   */
  readonly formerFieldManagers?: readonly string[];
  /**
   * Names that the controller had in releases before, or those of controllers whose work it took over: `['cache']`. The controller takes over what such a name
   * left on objects: finalizers, children, fields of the status, the memory of children that were made once.
   * `keelson_former_names_left` says when a name can be taken out again.
   * @defaultValue none
   */
  readonly formerNames?: readonly string[];
  /**
   * Finalizers of releases before that do not follow from `formerNames`: one that was named by hand, or that of a controller which has no `finalize` any more.
   * They are replaced by the controller's own finalizer, or taken off where it has none.
   * @defaultValue `<group>/<former name>` for each of `formerNames`, for a custom resource of yours
   */
  readonly formerFinalizers?: readonly string[];
  /**
   * Handles that were taken out of `owns`, by the names that they had: `{ configs: release(ConfigMap, 'delete') }`. Take an entry out when its children are gone.
   * @defaultValue none: children of handles that are not declared any more stay until their owner goes
   */
  readonly released?: Readonly<Record<string, Released>>;
  /**
   * The annotations by which people direct the controller, object by object: their domain and their keys.
   * @defaultValue `<group>/paused` for a custom resource of yours; none for other kinds
   */
  readonly annotations?: Annotations;
  /**
   * How long one call of `reconcile` or `finalize` may take. `run` may say otherwise.
   * @defaultValue 5 minutes
   */
  readonly timeLimit?: Span;
  /**
   * Objects that are worked on at the same time. `run` may say otherwise.
   * @defaultValue 10
   */
  readonly concurrency?: number;
  /**
   * Waits between the runs of an object that fail: the first one, doubled up to the longest. `run` may say otherwise.
   * @defaultValue `{ first: '20ms', most: '5m' }`
   */
  readonly backoff?: { readonly first?: Span; readonly most?: Span };
  /**
   * How often a failed `reconcile` is tried again. Then the object is `Stalled`, reason `RetriesExhausted`, and runs when it, a child or a watched object changes. Conflicts with other
   * writers and waits (`RetryLater`) do not count, and `finalize` is tried for ever: a deletion must not hang. `run` may say otherwise.
   * @defaultValue for ever
   */
  readonly retries?: number;
  /**
   * Most runs that begin within a minute, for all objects of the controller together: the quota of an external system. A run that has to wait keeps its worker. `run` may say otherwise.
   * @defaultValue as many as come
   */
  readonly rate?: { readonly perMinute: number };
  /**
   * Events that end a run of `reconcile` early, by its `signal`: deletion of the object, or a change of its spec. The next run begins when the function has returned.
   * @defaultValue nothing: a run goes on to its end
   */
  readonly abortOn?: readonly ('deletion' | 'spec')[];
  /** Sources outside of the cluster: `({ poll, subscribe }) => ({ members: poll({ ... }) })`. Called once, when the controller is defined. */
  readonly observes?: (declare: ObserveBuilder<NoInfer<T>, Given<NoInfer<TUses>>>) => TObserves;
  /**
   * Long work, by name: one piece per object and key, ended by deletion and lost leadership. Its end reconciles the object. A function takes the context, with
   * what the controller uses and reads, and an input, if it says its type: `copy: async ({ object, secrets }, part: Part) => ...` for `copy.start(key, part)`.
   */
  readonly background?: {
    readonly [N in keyof TBackground]: TBackground[N] &
      ((context: Given<NoInfer<TUses>> & ReadHandles<NoInfer<TReads>> & BackgroundContext<NoInfer<T>>, input: never) => unknown);
  };
}

export interface ControllerOptions<T, TStatus, TOwns, TUses, TWatches, TReads, TObserves, TBackground, TWrites>
  extends Declared<T, TStatus, TOwns, TUses, TWatches, TReads, TObserves, TBackground, TWrites> {
  /** Unique in its operator: it names the field manager, the finalizer and the metrics. */
  readonly name: string;
  /** From what is observed to what is wanted. It ends with `return done({ ... })`. */
  reconcile(
    context: {
      readonly [N in
        | keyof NoInfer<TOwns>
        | keyof NoInfer<TUses>
        | keyof NoInfer<TWatches>
        | keyof NoInfer<TReads>
        | keyof NoInfer<TObserves>
        | keyof NoInfer<TBackground>]: HandleFor<
        N,
        NoInfer<TOwns>,
        NoInfer<TWatches>,
        NoInfer<TReads>,
        NoInfer<TUses>,
        NoInfer<TObserves>,
        NoInfer<TBackground>
      >;
    } & Context<T, NoInfer<WrittenStatus<T, TStatus, TWrites>>, Owned<NoInfer<TOwns>>>,
  ): Done | Promise<Done>;
  /**
   * Cleans up what the garbage collector cannot see. It runs when the object is being deleted, under a finalizer that keeps it; it is retried until it returns.
   * `return done({ conditions })` records progress in the status; with `requeueAfter` the object waits for another run.
   * @defaultValue none, and no finalizer
   */
  finalize?(
    context: FinalizeContext<
      T,
      NoInfer<TOwns>,
      NoInfer<TWatches>,
      NoInfer<TReads>,
      NoInfer<WrittenStatus<T, TStatus, TWrites>>,
      NoInfer<TUses>
    >,
  ): void | Done | Promise<void> | Promise<Done | undefined>;
}
