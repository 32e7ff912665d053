import type { Json, KindInfo, ObjectKey, PolicyRule, StructuralSchema } from '@keelson/kubernetes/apimachinery';

/**
 * The values of the builders (`defineCustomResource`, `defineController`, …), with their types erased.
 *
 * Constructs, packaging, permissions and the runtime read definitions through these interfaces alone; the typed faces live beside the builders.
 */

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly priority?: number | undefined;
}

export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string | undefined;
}

/** A built-in type of Kubernetes within a schema. */
export interface EmbeddedTypeModel {
  /** Keys that lead from the root to its schema: `['properties', 'spec', 'properties', 'template']`. */
  readonly path: readonly string[];
  readonly type: string;
}

export interface CustomResourceVersionModel {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning?: string | undefined;
  /** The root: `type: object` with `apiVersion`, `kind`, `metadata`, `spec` and, where declared, `status`. */
  readonly schema: StructuralSchema;
  /** Where the schema has built-in types of Kubernetes, so that their descriptions can be added. Absent: nowhere. */
  readonly builtinTypes?: readonly EmbeddedTypeModel[] | undefined;
  /** Whether the status subresource is served. */
  readonly status: boolean;
  readonly scale?: ScalePaths | undefined;
  readonly columns: readonly PrinterColumn[];
  readonly selectableFields: readonly string[];
  /**
   * The API server's objections to a new object of this version, in its words; `[]` if it would take it. Defaults are filled in before.
   * Absent in a model that was not made by `defineCustomResource`: its objects cannot be judged then.
   */
  readonly problemsOf?: ((object: Json) => readonly string[]) | undefined;
}

/** Pure conversion between one version and the storage version. */
export interface ConversionModel {
  toStorage(object: unknown): unknown;
  fromStorage(object: unknown): unknown;
  /** Fields that do not come back from a round trip that begins with the function, by path, each with the reason. Absent: none. */
  readonly lossy?: { readonly [Direction in 'toStorage' | 'fromStorage']?: Readonly<Record<string, string>> | undefined } | undefined;
  /** Objects of the version that the round trip is tried with, beside those that are made up. */
  readonly samples?: readonly object[] | undefined;
}

export interface CustomResourceModel {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** In order of Kubernetes' version priority, the highest first (v1, v1beta1, v1alpha1). */
  readonly versionList: readonly CustomResourceVersionModel[];
  readonly storageVersion: string;
  /** By version name, storage version left out. Absent: conversion strategy `None`. */
  readonly conversions?: Readonly<Record<string, ConversionModel>> | undefined;
  /** Warnings for careful authors about a CRD that the API server accepts (its size, rules without size bounds). */
  readonly warnings: readonly string[];
}

/** A way to write through a handle. `apply` is server-side apply; `evict` deletes a Pod only when its disruption budgets allow it. */
export type Verb = 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'evict';

/** A raw right, for what no kind stands for: sub-resources such as `pods/exec`, non-resource URLs. */
export interface RawPermission extends PolicyRule {
  /** Set for a cluster-scoped resource: under a namespaced operator the rule goes to the ClusterRole. */
  readonly clusterScoped?: boolean | undefined;
  /** The only namespaces that the right is granted in, whatever the operator's scope is. Absent: where the operator looks for its objects. */
  readonly namespaces?: readonly string[] | undefined;
}

/** Which objects of a kind take part. Evaluated by the API server. */
export interface SelectModel {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly labelSelector?: LabelSelectorModel | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** The only namespaces that are watched, and that rights are granted in. An operator for some namespaces watches those that are among its own. */
  readonly namespaces?: readonly string[] | undefined;
}

export interface LabelSelectorModel {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?:
    | readonly {
        readonly key: string;
        readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
        readonly values?: readonly string[] | undefined;
      }[]
    | undefined;
}

/**
 * Enqueueing by reference: the runtime indexes the objects of `referrer`, which are those that the controller is for and so in its cache, by what `references`
 * returns for each. When a watched object changes, appears or goes, all that stand under its key are reconciled. See `referencedKeys` for the keys.
 */
export interface ReferrersModel {
  readonly referrer: KindInfo;
  /** From an object of `referrer` to what it refers to, as the author wrote it. Pure. */
  readonly references: (object: never) => readonly Reference[];
}

/** A label selector as objects carry it: the API server, or the author's schema, has checked its operators, not the compiler. */
export interface SelectingLabels {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined }[]
    | undefined;
}

/**
 * Enqueueing by selection: the runtime indexes the objects of `selecting`, which are those that the controller is for, by their selectors. When a watched object
 * changes, appears or goes, all that select it are reconciled, and so when its namespace becomes another one to their namespace selectors.
 */
export interface SelectorsModel {
  readonly selecting: KindInfo;
  /** From an object of `selecting` to its selectors, as the author wrote it. Pure. */
  readonly selectors: (object: never) => {
    readonly labels: SelectingLabels | null | undefined;
    readonly namespaces?: SelectingLabels | null | undefined;
  };
  /** Whether only objects in the selecting object's own namespace are selected. */
  readonly ownNamespace: boolean;
}

/**
 * Enqueueing through another watched kind: a change counts as one of each object of `through` that refers to the changed object. Their own watch says whom that
 * concerns.
 */
export interface ThroughModel {
  readonly through: KindInfo;
  /** From an object of `through` to what it refers to, as the author wrote it. Pure. */
  readonly references: (object: never) => readonly Reference[];
}

/** Enqueueing of all objects that the controller is for. */
export interface AllModel {
  readonly all: KindInfo;
}

/** A reference of an object by name. An optional field may be passed as it is: without a name it refers to nothing. */
export interface Reference {
  readonly name: string | undefined;
  /** @defaultValue the namespace of the object that refers; cluster-scoped kinds have none */
  readonly namespace?: string | undefined;
}

/** The treatment of the children of one handle. */
export interface OwnPolicy {
  /** Whether `done({ owned })` says which of them should exist. */
  readonly desired: boolean;
  /** Verbs of the handle; the owner reference is written with each object. */
  readonly verbs: readonly Verb[];
  readonly existence: 'always' | 'once';
  readonly onImmutable: 'fail' | 'recreate' | 'keep';
  readonly onDelete: 'delete' | 'orphan';
  readonly adopt: 'never' | 'unowned';
  /** An adopted object is let go of, not deleted, when it is desired no longer or its owner goes. */
  readonly keepsAdopted: boolean;
  readonly propagation: 'Background' | 'Foreground' | 'Orphan';
  /** Labels of each child, by which the cache finds them. Absent: it holds all objects of the kind. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** A handle that was taken out of `owns`, and whose children are still on the cluster. */
export interface ReleasedModel {
  readonly kind: KindInfo;
  readonly children: 'delete' | 'keep';
  /** The labels by which its objects are selected. Absent: all objects of the kind. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

export interface OwnModel {
  readonly kind: KindInfo;
  readonly policy: OwnPolicy;
  /** Names that the handle had, under which children that were made once are remembered. Absent: none. */
  readonly formerNames?: readonly string[] | undefined;
  /** The API server may not serve the kind, for now or ever. Absent: it is needed, and waited for. */
  readonly optional?: true | undefined;
}

/** A kind that is read from the API server on demand. */
export interface ReadModel {
  readonly kind: KindInfo;
  readonly verbs: readonly ('get' | 'list')[];
  /** The only namespaces that are read, whatever the operator's scope is. Absent: all that it looks for its objects in. */
  readonly namespaces?: readonly string[] | undefined;
  /** The API server may not serve the kind, for now or ever. Absent: it is needed, and waited for. */
  readonly optional?: true | undefined;
}

export interface WatchModel {
  readonly kind: KindInfo;
  readonly select?: SelectModel | undefined;
  readonly verbs: readonly Verb[];
  /**
   * Which objects a change concerns: a function of the changed object, references or selectors of the reconciled ones, or all of them.
   * Absent: the watched object only feeds the handle and triggers nothing.
   */
  readonly enqueue?: ((object: never) => readonly ObjectKey[]) | ReferrersModel | SelectorsModel | ThroughModel | AllModel | undefined;
  /** Only what the reconciled objects refer to is watched, object by object. Absent: every selected object of the kind. */
  readonly only?: ReferrersModel | undefined;
  /** Functions from an object to the values it is indexed by; a handle finds objects by `list({ index: { name: value } })`. */
  readonly indexes: Readonly<Record<string, unknown>>;
  /** Only `apiVersion`, `kind` and `metadata` of the objects are fetched and kept. Absent: the whole objects. */
  readonly metadataOnly?: boolean | undefined;
  /** A change of the status alone reconciles nothing. Absent: every change counts. */
  readonly ignoreStatus?: boolean | undefined;
  /** The API server may not serve the kind, for now or ever. Absent: it is needed, and waited for. */
  readonly optional?: true | undefined;
}

/** A controller's sources outside of the cluster's API, by their name in the context. */
export interface UseModel {
  readonly sort: 'external' | 'settings' | 'metric';
}

/** A client of a system outside. */
export interface ExternalModel extends UseModel {
  readonly sort: 'external';
  /** Settings that it is made from. Absent: none. */
  readonly settings?: SettingsModel | undefined;
}

/** One setting of an operator. */
export interface SettingField {
  readonly name: string;
  /** The environment variable that holds it. */
  readonly variable: string;
  readonly type: 'text' | 'number' | 'boolean' | 'json';
  /** The texts that it may be, where the schema lists them. */
  readonly choices?: readonly string[] | undefined;
  /** The numbers that it may be, where the schema has bounds. */
  readonly bounds?: NumberBounds | undefined;
  /** It must be given: it has no default, and is not optional. */
  readonly isRequired: boolean;
  /** No manifest and no message shows its value. */
  readonly isSecret: boolean;
  readonly byDefault?: Json | undefined;
  readonly description?: string | undefined;
}

/** Bounds of a number, as JSON Schema has them. */
export interface NumberBounds {
  /** Only whole numbers. */
  readonly isInteger?: boolean | undefined;
  readonly minimum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
}

/** Settings of an operator. */
export interface SettingsModel extends UseModel {
  readonly sort: 'settings';
  readonly fields: readonly SettingField[];
  /** Checks values, and fills in the defaults. */
  readonly parse: (values: Readonly<Record<string, unknown>>) => {
    readonly value?: unknown;
    readonly problems?: readonly { readonly name: string; readonly message: string }[] | undefined;
  };
}

/** A metric of the operator's own. */
export interface MetricModel extends UseModel {
  readonly sort: 'metric';
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's ranges. Absent: those of Prometheus. */
  readonly buckets?: readonly number[] | undefined;
  /** Label sets that it may have; further ones are not recorded. */
  readonly maxSeries: number;
}

/** A value of the world outside that is read again and again, for each object. */
export interface PollModel {
  readonly sort: 'poll';
  readonly everyMs: number;
  /** Share of `everyMs` by which the times differ at random. */
  readonly jitter: number;
  readonly read: (context: never) => unknown;
  /** Whether two values are the same, so that nothing runs. Absent: as JSON. */
  readonly equals?: ((a: never, b: never) => boolean) | undefined;
}

/** Something outside that says by itself which objects to look at. */
export interface SubscriptionModel {
  readonly sort: 'subscription';
  readonly start: (context: never) => unknown;
}

export type ObservedModel = PollModel | SubscriptionModel;

/** The part of a status that one of several controllers of a kind writes. */
export interface StatusShareModel {
  /** The condition that says how its runs end. Absent: none does. */
  readonly summary?: string | undefined;
  /** Whether `Ready` is not `True` as long as the summary is not. */
  readonly neededForReady: boolean;
  /** Types of conditions beside the summary. */
  readonly conditions: readonly string[];
  /** Fields of the status, beside its conditions. */
  readonly fields: readonly string[];
}

/** The annotations of its objects that a controller reads. */
export interface AnnotationsModel {
  /** Pauses the object, with any value but `false`. Absent: objects cannot be paused. */
  readonly paused?: string | undefined;
  /** `finalize` waits until a paused object is resumed. Absent: it runs. */
  readonly pausedDeletionWaits?: boolean | undefined;
  /** With the value `observe`, runs write nothing. Absent: no annotation does that. */
  readonly mode?: string | undefined;
  /** Its value is the token that a run answers. Absent: none is answered. */
  readonly reconcile?: string | undefined;
  /** With the value `orphan`, the children of a deleted object stay. Absent: no annotation does that. */
  readonly deletion?: string | undefined;
}

/** The waits between failed runs of an object, which double. */
export interface BackoffModel {
  readonly firstMs?: number | undefined;
  readonly mostMs?: number | undefined;
}

export interface ControllerModel {
  readonly name: string;
  readonly for: KindInfo;
  /** Which objects of the kind; without namespaces. Absent: all. */
  readonly select?: SelectModel | undefined;
  readonly owns: Readonly<Record<string, OwnModel>>;
  readonly watches: Readonly<Record<string, WatchModel>>;
  readonly reads: Readonly<Record<string, ReadModel>>;
  readonly uses: Readonly<Record<string, UseModel>>;
  /** Values of the world outside that are observed, by the names that the context has for them: what the builders of `observes` made. */
  readonly observes: Readonly<Record<string, ObservedModel>>;
  /** Functions for long work, by the names that the context has for them. */
  readonly background: Readonly<Record<string, unknown>>;
  readonly permissions: readonly RawPermission[];
  /** Whether the primary's status subresource is written. */
  readonly writesStatus: boolean;
  /** The part of the status that it writes. Absent: all but what other controllers of the kind name as theirs. */
  readonly statusShare?: StatusShareModel | undefined;
  /** How long one call of `reconcile` or `finalize` may take; absent: what `run` says. */
  readonly timeLimitMs?: number | undefined;
  /** Objects that are worked on at the same time; absent: what `run` says. */
  readonly concurrency?: number | undefined;
  /** Waits between failed runs of an object; absent: what the runtime has. */
  readonly backoff?: BackoffModel | undefined;
  /** Failed runs in a row, after the first one, until an object is left alone. Absent: it is tried for ever. */
  readonly retries?: number | undefined;
  /** Runs that may begin within a minute, for all objects together. Absent: as many as come. */
  readonly rate?: { readonly perMinute: number } | undefined;
  /** Events that end a run of `reconcile` early, so that the next one begins with the newest state. */
  readonly abortOn: readonly ('deletion' | 'spec')[];
  /** Name of the finalizer that the framework manages; absent when the controller declares no `finalize`. */
  readonly finalizer?: string | undefined;
  /** Field managers of the operator that was there before, whose fields become the controller's own. Absent: none. */
  readonly formerFieldManagers?: readonly string[] | undefined;
  /** Names that the controller had in releases before. Absent: none. */
  readonly formerNames?: readonly string[] | undefined;
  /** Finalizers of releases before, which become the controller's own, or go where it has none. Absent: none. */
  readonly formerFinalizers?: readonly string[] | undefined;
  /** Handles that were taken out of `owns`. Absent: none. */
  readonly released?: Readonly<Record<string, ReleasedModel>> | undefined;
  /** Absent: none. */
  readonly annotations?: AnnotationsModel | undefined;
  readonly reconcile: unknown;
  readonly finalize?: unknown;
}

export type WebhookOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

export interface AdmissionWebhookModel {
  readonly type: 'mutating' | 'validating';
  /** Fully qualified, for example `defaulting.memcacheds.cache.example.com`. */
  readonly name: string;
  /** Path that the webhook server serves, one per handler. */
  readonly path: string;
  /** The kinds that it is called for; `webhookRules` makes the rules of the configuration from it. */
  readonly kinds: readonly [KindInfo, ...KindInfo[]];
  /** A subresource of each kind, for example `ephemeralcontainers`. Absent: the objects themselves. */
  readonly subresource?: string | undefined;
  readonly operations: readonly WebhookOperation[];
  readonly namespaceSelector?: LabelSelectorModel | undefined;
  readonly objectSelector?: LabelSelectorModel | undefined;
  /** It is called only for objects that the installation's selector selects. Absent: for all. */
  readonly ofInstance?: true | undefined;
  readonly matchConditions: readonly MatchCondition[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly matchPolicy: 'Equivalent' | 'Exact';
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
  readonly sideEffects: 'None' | 'NoneOnDryRun';
  readonly timeoutSeconds: number;
  /** Kinds that the handler reads from the cache, by the names of their handles; without verbs and triggers. Absent: none. */
  readonly watches?: Readonly<Record<string, WatchModel>> | undefined;
  /** The handler's externals, by name. Absent: nothing. */
  readonly uses?: Readonly<Record<string, UseModel>> | undefined;
  readonly handle: unknown;
}

/** A ValidatingAdmissionPolicy and its binding: CEL that the API server evaluates itself. */
export interface ValidatingPolicyModel {
  readonly type: 'policy';
  readonly name: string;
  readonly kind: KindInfo;
  readonly operations: readonly WebhookOperation[];
  readonly validations: readonly {
    readonly expression: string;
    readonly message?: string | undefined;
    readonly messageExpression?: string | undefined;
    readonly reason?: string | undefined;
  }[];
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly matchConditions: readonly MatchCondition[];
  readonly namespaceSelector?: LabelSelectorModel | undefined;
  readonly objectSelector?: LabelSelectorModel | undefined;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly validationActions: readonly ('Deny' | 'Warn' | 'Audit')[];
}

/** A MutatingAdmissionPolicy and its binding: changes in CEL that the API server makes itself. */
export interface MutatingPolicyModel {
  readonly type: 'mutating-policy';
  readonly name: string;
  readonly kind: KindInfo;
  readonly operations: readonly WebhookOperation[];
  readonly mutations: readonly { readonly patchType: 'ApplyConfiguration' | 'JSONPatch'; readonly expression: string }[];
  /** Absent: it has no parameters. */
  readonly params?: PolicyParamsModel | undefined;
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly matchConditions: readonly MatchCondition[];
  readonly namespaceSelector?: LabelSelectorModel | undefined;
  readonly objectSelector?: LabelSelectorModel | undefined;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly reinvocationPolicy: 'IfNeeded' | 'Never';
}

/** The objects that a policy is evaluated with, once for each. */
export interface PolicyParamsModel {
  readonly kind: KindInfo;
  /** One object. Absent: those that {@link selector} selects. */
  readonly name?: string | undefined;
  readonly selector?: LabelSelectorModel | undefined;
  /** Absent: of a namespaced kind, that of the object that is changed. */
  readonly namespace?: string | undefined;
  readonly parameterNotFoundAction: 'Allow' | 'Deny';
}

/** A condition of `/readyz` or `/healthz`; it throws what is wrong. */
export interface CheckModel {
  readonly name: string;
  /** The function's externals, settings and metrics, by name. Absent: nothing. */
  readonly uses?: Readonly<Record<string, UseModel>> | undefined;
  readonly readiness: boolean;
  readonly liveness: boolean;
  readonly run: (context: never) => unknown;
}

/** A server of the author's own on a port of the pod. */
export interface EndpointModel {
  /** The name of the container port, and of the Service after the installation's name. */
  readonly name: string;
  /** The function's externals, settings and metrics, by name. Absent: nothing. */
  readonly uses?: Readonly<Record<string, UseModel>> | undefined;
  readonly port: number;
  /** Answers one `Request` with a `Response`. */
  readonly handle: (request: Request, context: never) => unknown;
}

/** Work beside the reconcilers. */
export interface TaskModel {
  readonly name: string;
  /** The function's externals, settings and metrics, by name. Absent: nothing. */
  readonly uses?: Readonly<Record<string, UseModel>> | undefined;
  /** Absent: it runs once. */
  readonly everyMs?: number | undefined;
  readonly on: 'leader' | 'all';
  /** Absent: a run lasts as long as it likes. */
  readonly timeLimitMs?: number | undefined;
  readonly run: (context: never) => unknown;
}

export interface OperatorModel {
  readonly name: string;
  /** Names that the operator had in releases before. Absent: none. */
  readonly formerNames?: readonly string[] | undefined;
  readonly controllers: readonly ControllerModel[];
  readonly webhooks: readonly AdmissionWebhookModel[];
  readonly policies: readonly ValidatingPolicyModel[];
  /** Absent: none. */
  readonly mutatingPolicies?: readonly MutatingPolicyModel[] | undefined;
  /** Every custom resource that a controller or a webhook names as its own, each once, in order of first mention. */
  readonly customResources: readonly CustomResourceModel[];
  readonly checks?: readonly CheckModel[] | undefined;
  readonly endpoints?: readonly EndpointModel[] | undefined;
  readonly tasks?: readonly TaskModel[] | undefined;
}

/** A CRD as the API takes it: the result of `customResourceDefinitionManifest`. */
export type CustomResourceDefinitionManifest = { readonly [key: string]: Json };
