import type { IsUnknown, KindInfo, KubernetesObject, NamedMeta, ObjectMeta, Scope } from '@keelson/kubernetes/apimachinery';
import type { Stored } from 'keelson/internal/definition';

/** An object of which only the form that all share is known. */
export interface UntypedObject extends KubernetesObject {
  metadata: NamedMeta;
  [field: string]: unknown;
}

/** The object of a kind as it is read. */
export type ObjectOf<TKind extends KindInfo> = IsUnknown<TKind['~object']> extends true ? UntypedObject : NonNullable<TKind['~object']>;

/** The object of a kind as the API server returns it. */
export type StoredOf<TKind extends KindInfo> = Stored<ObjectOf<TKind>>;

/** The object of a kind as a user writes it: what has a default may be left out. */
export type InputOf<TKind extends KindInfo> = TKind extends { readonly '~input'?: infer TInput }
  ? IsUnknown<TInput> extends true
    ? ObjectOf<TKind>
    : NonNullable<TInput>
  : ObjectOf<TKind>;

type Body<TObject> = Omit<TObject, 'apiVersion' | 'kind' | 'metadata'> & {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
};

/** An object to be created: `apiVersion` and `kind` are filled in, and `generateName` may stand for the name. */
export type NewObject<TKind extends KindInfo> = Body<InputOf<TKind>> & { readonly metadata: ObjectMeta };

/** An object to be replaced or applied: it has a name. */
export type NamedObject<TKind extends KindInfo> = Body<InputOf<TKind>> & { readonly metadata: NamedMeta };

export interface NamespacedKey {
  readonly namespace: string;
  readonly name: string;
}

export interface ClusterKey {
  readonly namespace?: undefined;
  readonly name: string;
}

/** The key of an object of a kind: with its namespace exactly where the kind has one. */
export type KeyOf<TKind extends KindInfo> = ByScope<
  TKind,
  { namespaced: NamespacedKey; cluster: ClusterKey; either: NamespacedKey | ClusterKey }
>;

/** Which part of a collection is meant. */
export type NamespaceOf<TKind extends KindInfo> = ByScope<
  TKind,
  {
    namespaced: {
      /** @defaultValue all namespaces */
      readonly namespace?: string | undefined;
    };
    cluster: { readonly namespace?: undefined };
    either: { readonly namespace?: string | undefined };
  }
>;

type ByScope<TKind extends KindInfo, TForms extends { namespaced: unknown; cluster: unknown; either: unknown }> = [TKind['scope']] extends [
  'Namespaced',
]
  ? TForms['namespaced']
  : [TKind['scope']] extends ['Cluster']
    ? TForms['cluster']
    : TForms['either'];

/** Metadata alone: what a watch of many large objects keeps when only labels and owners count. */
export interface MetadataObject extends KubernetesObject {
  metadata: NamedMeta;
}

/** A kind of which only metadata is asked for. Reads give {@link MetadataObject}; writes and deletions are the kind's own. */
export interface MetadataKind<out TScope extends Scope = Scope> extends KindInfo<MetadataObject, TScope> {
  readonly metadataOnly: true;
}

/** The kind, of which reads, lists and watches bring metadata alone (`PartialObjectMetadata`): a fraction of the bytes. */
export function metadataOf<TScope extends Scope>(kind: KindInfo<unknown, TScope>): MetadataKind<TScope> {
  const { group, version, kind: name, plural, scope, subresources } = kind;
  return Object.freeze({ group, version, kind: name, plural, scope, subresources, metadataOnly: true });
}

export function isMetadataOnly(kind: KindInfo): boolean {
  return (kind as Partial<MetadataKind>).metadataOnly === true;
}
