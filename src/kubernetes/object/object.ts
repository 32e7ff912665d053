/** Identity and bookkeeping that every stored object carries. Times are RFC 3339 strings: the API's wire form, never a Date. */
export interface ObjectMeta {
  readonly name?: string | undefined;
  readonly generateName?: string | undefined;
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly finalizers?: readonly string[] | undefined;
  readonly ownerReferences?: readonly OwnerReference[] | undefined;
  readonly uid?: string | undefined;
  /** Opaque: compare for equality only. */
  readonly resourceVersion?: string | undefined;
  readonly generation?: number | undefined;
  readonly creationTimestamp?: string | undefined;
  readonly deletionTimestamp?: string | undefined;
  readonly deletionGracePeriodSeconds?: number | undefined;
  readonly managedFields?: readonly ManagedFieldsEntry[] | undefined;
}

/** A field of metadata as JSON has it. Servers before Kubernetes 1.24 wrote `selfLink` too; the Go type still has it. */
export type MetadataField = keyof ObjectMeta | 'selfLink';

/** The writer of each field, in the order of the Go type. Source: apimachinery `pkg/apis/meta/v1/types.go`. */
const WRITERS: Readonly<Record<MetadataField, 'client' | 'server'>> = {
  name: 'client',
  generateName: 'client',
  namespace: 'client',
  selfLink: 'server',
  uid: 'server',
  resourceVersion: 'server',
  generation: 'server',
  creationTimestamp: 'server',
  deletionTimestamp: 'server',
  deletionGracePeriodSeconds: 'server',
  labels: 'client',
  annotations: 'client',
  ownerReferences: 'client',
  finalizers: 'client',
  managedFields: 'server',
};

/** In the order in which the API server writes them. */
export const METADATA_FIELDS = Object.keys(WRITERS) as readonly MetadataField[];

/** The fields that a client may read and not set. */
export const SERVER_FIELDS: ReadonlySet<string> = new Set(METADATA_FIELDS.filter((field) => WRITERS[field] === 'server'));

/** The fields that change with the writes of every client. */
export const BOOKKEEPING_FIELDS: ReadonlySet<string> = new Set<MetadataField>(['resourceVersion', 'generation', 'managedFields']);

/** Metadata of an object that was read from the API: it has a name. */
export interface NamedMeta extends ObjectMeta {
  readonly name: string;
}

/** Points from a child to the object that owns it; the garbage collector follows it. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** At most one owner is the controller. */
  readonly controller?: boolean | undefined;
  readonly blockOwnerDeletion?: boolean | undefined;
}

/** Which fields a manager owns: written by the API server under server-side apply. */
export interface ManagedFieldsEntry {
  readonly manager?: string | undefined;
  readonly operation?: 'Apply' | 'Update' | undefined;
  readonly apiVersion?: string | undefined;
  readonly time?: string | undefined;
  readonly fieldsType?: string | undefined;
  readonly fieldsV1?: Readonly<Record<string, unknown>> | undefined;
  readonly subresource?: string | undefined;
}

/** The shape that all API objects share. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** One observation about an object (`metav1.Condition`). */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number | undefined;
}

/** Key of a namespaced or cluster-scoped object. */
export interface ObjectKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}
