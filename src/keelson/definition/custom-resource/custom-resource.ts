import type { Kind, NamedMeta, ObjectMeta, Scope } from '@keelson/kubernetes/apimachinery';
import type { CustomResourceModel } from '../model.js';

/** Metadata of an object that lives in a namespace. */
export interface NamespacedMeta extends NamedMeta {
  readonly namespace: string;
}

/** A custom object as the API server returns it: defaults applied. */
export interface CustomResource<out TApiVersion extends string, out TKind extends string, TSpec, TStatus, out TScope extends Scope> {
  readonly apiVersion: TApiVersion;
  readonly kind: TKind;
  readonly metadata: TScope extends 'Namespaced' ? NamespacedMeta : NamedMeta;
  readonly spec: TSpec;
  /** Absent until a controller has written it. */
  readonly status?: TStatus | undefined;
}

/** A custom object as a user writes it: what has a default may be left out. */
export interface CustomResourceInput<out TApiVersion extends string, out TKind extends string, TSpecInput, TStatusInput> {
  readonly apiVersion: TApiVersion;
  readonly kind: TKind;
  readonly metadata: ObjectMeta;
  readonly spec: TSpecInput;
  readonly status?: TStatusInput | undefined;
}

/** The plain types of a version: what is read and what is written, of spec, status and the fields beside them. */
export interface VersionTypes {
  readonly spec: unknown;
  readonly specInput: unknown;
  readonly status: unknown;
  readonly statusInput: unknown;
  /** Fields beside spec and status, where there are any. */
  readonly fields?: unknown;
  readonly fieldsInput?: unknown;
  /** `false` where the status is a field like others. */
  readonly statusSubresource?: false;
}

type ReadFields<TTypes extends VersionTypes> = TTypes extends { readonly fields: infer T } ? T : unknown;
type WrittenFields<TTypes extends VersionTypes> = TTypes extends { readonly fieldsInput: infer T } ? T : unknown;
type StatusToWrite<TTypes extends VersionTypes> = TTypes extends { readonly statusSubresource: false } ? never : TTypes['statusInput'];
/** An optional spec may be left out. */
type Written<TInput, TSpec> = undefined extends TSpec ? Omit<TInput, 'spec'> & { readonly spec?: TSpec } : TInput;

/** One served version of a custom resource: descriptor and typed factory. */
export interface CustomResourceVersion<
  TGroup extends string,
  TKind extends string,
  TVersion extends string,
  TTypes extends VersionTypes,
  TScope extends Scope,
> extends Kind<
    CustomResource<`${TGroup}/${TVersion}`, TKind, TTypes['spec'], TTypes['status'], TScope> & ReadFields<TTypes>,
    TScope,
    Written<CustomResourceInput<`${TGroup}/${TVersion}`, TKind, TTypes['specInput'], TTypes['statusInput']>, TTypes['specInput']> &
      WrittenFields<TTypes>
  > {
  /** The custom resource that this is a version of. */
  readonly customResource: CustomResourceModel;
  /** Type only: the status as a controller writes it; `never` without a status subresource. */
  readonly '~status'?: StatusToWrite<TTypes> | undefined;
}

/** The result of `defineCustomResource`: the CRD's model, and its storage version as a kind and factory. */
export interface CustomResourceDefinition<
  TGroup extends string,
  TKind extends string,
  TVersions extends Readonly<Record<string, VersionTypes>>,
  TStorage extends string,
  TScope extends Scope,
> extends CustomResourceVersion<TGroup, TKind, TStorage, TVersions[TStorage & keyof TVersions], TScope>,
    CustomResourceModel {
  readonly kind: string;
  readonly scope: TScope;
  /**
   * Each served version as a kind of its own.
   *
   * A property, not a method: TypeScript leaves a generic call that returns something callable out of the first inference pass, and a `reconcile` beside it would
   * see an untyped object.
   */
  readonly versions: {
    readonly [TVersion in keyof TVersions & string]: CustomResourceVersion<TGroup, TKind, TVersion, TVersions[TVersion], TScope>;
  };
}

/** The object of a kind as it is read: for a custom resource its storage version, defaults applied. */
export type Resource<TKind extends { readonly '~object'?: unknown }> = NonNullable<TKind['~object']>;

/** The object of a kind as a user writes it: what has a default may be left out. */
export type ResourceInput<TKind extends { readonly '~input'?: unknown }> = NonNullable<TKind['~input']>;
