import type { Draft, KindInfo, ObjectMeta } from '@keelson/kubernetes/apimachinery';
import type { HandleFor, Nothing, UsesMap, WatchesMap } from '../controller/index.js';
import type { CustomResourceModel, LabelSelectorModel, MatchCondition, WebhookOperation } from '../model.js';

/** An object on its way in: with `generateName` it has no name yet. */
export type Admitted<T> = Omit<T, 'metadata'> & { readonly metadata: ObjectMeta };

/** The user that sends the request. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Objects of one or several kinds on their way in. */
export type AdmittedOf<TKinds> = TKinds extends readonly (infer TKind)[]
  ? AdmittedOf<TKind>
  : TKinds extends KindInfo<infer T>
    ? Admitted<T>
    : never;

/** The kinds that a webhook covers: one, or several for one handler. */
export type AdmissionKinds = KindInfo | readonly [KindInfo, ...KindInfo[]];

/** One request as a webhook sees it. */
export interface AdmissionContext<T> {
  readonly operation: WebhookOperation;
  /** The object, or the one whose subresource the request is about, has this name; absent while an object with `generateName` has none. */
  readonly name?: string | undefined;
  /** The stored object; absent when it is being created. */
  readonly old?: T | undefined;
  /** Nothing will be stored: a handler with effects elsewhere must leave them out. */
  readonly dryRun: boolean;
  readonly userInfo: UserInfo;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  /** Aborted when the API server waits no longer. */
  readonly signal: AbortSignal;
  /** Shown by kubectl; at most 256 characters are useful. */
  warn(message: string): void;
}

/** The context of an update: there is a stored object. */
export interface UpdateContext<T> extends AdmissionContext<T> {
  readonly old: T;
}

/** No kinds: the webhook looks at the request alone. */
export type NoWatches = Record<never, never>;

/** One handle for each kind that `watches` declares, as a controller has them; a webhook only reads. */
export type AdmissionHandles<TWatches, TUses = Nothing> = {
  readonly [N in keyof TWatches | keyof TUses]: HandleFor<N, NoWatches, TWatches, NoWatches, TUses>;
};

/** Names that the context itself uses. */
export type ReservedAdmissionName = keyof UpdateContext<unknown>;

/** A field that the object must not have as it is; it renders as the API server's own field errors do. */
export interface Refusal {
  /** For example `spec.size` or `spec.ports[0].name`. */
  readonly path: string;
  readonly message: string;
  /** @defaultValue `'Invalid'` */
  readonly type?: 'Invalid' | 'Required' | 'Forbidden' | 'Duplicate' | 'NotSupported' | undefined;
  /** The value to show. @defaultValue the value at `path` */
  readonly value?: unknown;
}

/** Nothing or an empty list: allowed. A text: refused as a whole. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement allows the object
export type Verdict = readonly Refusal[] | string | void;

/** Checks by operation; the webhook is not called for an operation without a function. */
export interface ValidatingHandlers<T, TWatches = NoWatches, TUses = Nothing> {
  create?(object: T, context: AdmissionContext<T> & AdmissionHandles<TWatches, TUses>): Verdict | Promise<Verdict>;
  update?(object: T, context: UpdateContext<T> & AdmissionHandles<TWatches, TUses>): Verdict | Promise<Verdict>;
  delete?(object: T, context: AdmissionContext<T> & AdmissionHandles<TWatches, TUses>): Verdict | Promise<Verdict>;
  /** `exec`, `attach`, `portforward` and `proxy`: the object holds the options of the call. */
  connect?(object: T, context: AdmissionContext<T> & AdmissionHandles<TWatches, TUses>): Verdict | Promise<Verdict>;
}

/** Checks an object that is created or updated. */
export type Validate<T, TWatches = NoWatches, TUses = Nothing> = (
  object: T,
  context: AdmissionContext<T> & AdmissionHandles<TWatches, TUses>,
) => Verdict | Promise<Verdict>;

/** The new object; nothing when the given one was changed in place; refusals (a list, or a text) when it cannot be completed: then it is denied. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement has changed the object in place
export type Mutation<T> = void | T | readonly Refusal[] | string;

/** Changes the object in place, or returns the new one; the JSON patch is computed. */
export type Mutate<T, TWatches = NoWatches, TUses = Nothing> = (
  object: Draft<T>,
  context: AdmissionContext<T> & AdmissionHandles<TWatches, TUses>,
) => Mutation<T> | Promise<Mutation<T>>;

/** A kind from `defineCustomResource`: only for kinds of yours are defaults yours to set. */
export interface OwnKind<out T, out TInput> extends KindInfo<T> {
  readonly customResource: CustomResourceModel;
  readonly '~input'?: TInput | undefined;
}

export interface DefaultingOptions<TWatches = WatchesMap, TUses = UsesMap> extends BaseOptions<TWatches, TUses> {
  /**
   * Whether it is called again after a later webhook has changed the object.
   * @defaultValue `'Never'`: defaults that are set stay set
   */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
}

export interface AdmissionOptions<TWatches = WatchesMap, TUses = UsesMap, TSubresource extends string = string>
  extends BaseOptions<TWatches, TUses> {
  /**
   * Calls for a subresource instead of the object: `scale`, `eviction`, `exec`, `ephemeralcontainers`. The handler gets what the API defines for it.
   * @defaultValue none: the objects themselves
   */
  readonly subresource?: TSubresource | undefined;
}

interface BaseOptions<TWatches, TUses> {
  /**
   * Kinds that the handler looks up, by the names of their handles: `{ sets: SidecarSet }`, or `watch(Kind, { select, indexes })`. They are kept in the cache,
   * so reading makes no request, and are as old as a cache is: what was created a moment ago may be missing.
   * @defaultValue none
   */
  readonly watches?: TWatches | undefined;
  /**
   * The handler's externals, by name: `external<T>()`.
   * @defaultValue nothing
   */
  readonly uses?: TUses | undefined;
  /**
   * Tells several webhooks of one sort and kind apart; part of name and path. A webhook that covers several kinds needs one.
   * @defaultValue none
   */
  readonly name?: string | undefined;
  /**
   * Where the webhook server answers, for example `/mutate-v1-pod`: for taking over an operator whose configurations name its paths.
   * @defaultValue follows from what the webhook does to which kind
   */
  readonly path?: string | undefined;
  /**
   * Which objects take part, by their labels; the API server does not call for others. With `ofInstance`, an installation that has a selector is called only for the
   * objects that this selects; the other objects are checked only by the instance that they belong to.
   */
  readonly select?:
    | {
        readonly labels?: Readonly<Record<string, string>> | undefined;
        readonly labelSelector?: LabelSelectorModel | undefined;
        readonly ofInstance?: boolean | undefined;
      }
    | undefined;
  /**
   * Which namespaces take part, by their labels. For a kind of others, a webhook with `failurePolicy: 'Fail'` leaves out the operator's own namespace and
   * kube-system besides (the construct's `exemptNamespaces`).
   * @defaultValue all
   */
  readonly namespaceSelector?: LabelSelectorModel | undefined;
  /** CEL that the API server evaluates before it calls; all must be true. */
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  /**
   * The verdict while the operator does not answer.
   * @defaultValue `'Fail'`: a check that can be skipped is not a check
   */
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /**
   * Whether requests in other versions of the kind are converted and asked about too.
   * @defaultValue `'Equivalent'`, as the API server: else an old version is a way around the check
   */
  readonly matchPolicy?: 'Equivalent' | 'Exact' | undefined;
  /** @defaultValue `'None'`; a handler with effects elsewhere must heed `dryRun` and say `'NoneOnDryRun'` */
  readonly sideEffects?: 'None' | 'NoneOnDryRun' | undefined;
  /**
   * How long the API server waits, 1 to 30 seconds.
   * @defaultValue 5: the API server's own 10 holds up every write of a cluster twice as long when the operator is gone
   */
  readonly timeoutSeconds?: number | undefined;
}

export interface MutatingOptions<TWatches = WatchesMap, TUses = UsesMap, TSubresource extends string = string>
  extends AdmissionOptions<TWatches, TUses, TSubresource> {
  /** @defaultValue `['CREATE', 'UPDATE']`; of a subresource, the operations that it has */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'CONNECT')[] | undefined;
  /**
   * Whether it is called again after a later webhook has changed the object.
   * @defaultValue `'IfNeeded'`: a later webhook may add what yours looks at
   */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
}
