import type { FieldError, Json } from '@keelson/kubernetes/apimachinery';
import type { Draft, JsonObject } from './draft.js';
import type { RequestContext } from './request-context.js';

/** A request body in the form that the server keeps it in. */
export interface Decoded {
  /** Fields in their order, normal form, not yet defaulted. */
  readonly draft: Draft;
  /** A complaint of strict decoding: `unknown field "spec.foo"`, `duplicate field "spec.foo"`. */
  readonly strictProblems: readonly string[];
  /** The decoder does not look into fields that it does not know: keys given twice there are not reported. Default: it does. */
  readonly skipsUnknown?: boolean;
}

/** Deletion as it was asked for, after defaulting. */
export interface DeleteRequest {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

/**
 * The differences between kinds on their way through the registry, at one version: built-in kinds and custom resources alike.
 *
 * Order of a create: `decode`, `setDefaults`, checks of name and namespace, system metadata, managed fields, mutating admission, `prepareForCreate`,
 * `validate` with the metadata's rules, `warningsOnCreate`, validating admission, store. An update goes the same way with the `…Update` functions, `old` being
 * the stored object at this version. Drafts are changed in place; `old` is frozen.
 * Source: apiserver `pkg/registry/rest/{create,update,delete}.go`.
 */
export interface Strategy {
  /** @throws StatusError 400 when the body is not an object of this kind (a wrong type somewhere). */
  decode(body: Json): Decoded;
  /** The problem with the result of a strategic merge patch, which is not a body: the server has other words for it. `undefined`: none. */
  unstructuredProblem?(result: Json): string | undefined;
  /** Also called on what a patch or an admission webhook has made. */
  setDefaults(draft: Draft): void;
  /** The zero value of the kind: what an apply that creates starts from. */
  readonly empty: JsonObject;
  /** Rule for `metadata.name`; texts of what is wrong. With `isPrefix` it is a generateName. */
  nameProblems(name: string, isPrefix: boolean): readonly string[];

  /** Drops what a client may not set (status), sets generation. */
  prepareForCreate(draft: Draft, context: RequestContext): void | Promise<void>;
  /** @param metadata what is wrong with the metadata: it may keep the rest from being looked at */
  validate(
    object: JsonObject,
    context: RequestContext,
    metadata?: readonly FieldError[],
  ): readonly FieldError[] | Promise<readonly FieldError[]>;
  warningsOnCreate?(object: JsonObject): readonly string[];

  /** Keeps what a client may not change (status), counts generation. */
  prepareForUpdate(draft: Draft, old: JsonObject, context: RequestContext): void | Promise<void>;
  /** Without the metadata's own rules of updates, which the registry applies. */
  validateUpdate(
    object: JsonObject,
    old: JsonObject,
    context: RequestContext,
    metadata?: readonly FieldError[],
  ): readonly FieldError[] | Promise<readonly FieldError[]>;
  warningsOnUpdate?(object: JsonObject, old: JsonObject): readonly string[];
  /** All errors of a create or an update, in the order and number that clients get. Default: as they are. */
  settleErrors?(errors: readonly FieldError[]): readonly FieldError[];
  /** Its update is also held to the metadata's rules of a create, after those of an update (ConfigMap, Pod, Service …). Default false. */
  readonly revalidatesMetadata?: boolean;
  /** Last touches after validation. */
  canonicalize?(draft: Draft): void;

  /** PUT on a name that does not exist creates it (Leases, Events …). */
  readonly allowsCreateOnUpdate: boolean;
  /** PUT without a resourceVersion is taken. */
  readonly allowsUnconditionalUpdate: boolean;

  /** Refuses a deletion, or warns. @throws StatusError */
  checkDelete?(object: JsonObject, context: RequestContext, request: DeleteRequest): void;
  /** Seconds that the object stays with a deletionTimestamp; undefined: the kind knows no grace. */
  gracePeriodSeconds?(object: JsonObject, request: DeleteRequest): number | undefined;
  /** The fate of dependents if the request does not say; Unsupported: none, even if the request asks for one (Events). Default Background. */
  readonly defaultPropagation?: 'Background' | 'Orphan' | 'Unsupported';
  /**
   * The first DELETE only marks the object (Namespace, CustomResourceDefinition), and others finish. Called on the object that has its deletionTimestamp
   * already: sets phase, condition, finalizers.
   */
  terminate?(draft: Draft, request: DeleteRequest, context: RequestContext): void;
  /** DELETE answers with the object, not with a Status. */
  readonly returnsDeleted: boolean;
  /** False: neither a DELETE nor the end of its finalizers takes the object away yet (a namespace waits for the finalizers in its spec). */
  mayBeRemoved?(object: JsonObject): boolean;
}

/** The part of a strategy that `/status` replaces. */
export type StatusStrategy = Pick<Strategy, 'prepareForUpdate' | 'validateUpdate'> &
  Partial<Pick<Strategy, 'warningsOnUpdate' | 'settleErrors' | 'canonicalize'>>;
