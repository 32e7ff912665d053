/** Identity and bookkeeping that every stored object carries. Times are RFC 3339 strings: the API's wire form, never a Date. */
export interface ObjectMeta {
  name?: string | undefined;
  generateName?: string | undefined;
  namespace?: string | undefined;
  labels?: Record<string, string> | undefined;
  annotations?: Record<string, string> | undefined;
  finalizers?: string[] | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  readonly uid?: string | undefined;
  /** Opaque: compare for equality only. */
  readonly resourceVersion?: string | undefined;
  readonly generation?: number | undefined;
  readonly creationTimestamp?: string | undefined;
  readonly deletionTimestamp?: string | undefined;
  readonly deletionGracePeriodSeconds?: number | undefined;
  readonly managedFields?: ManagedFieldsEntry[] | undefined;
}

/** The fields of metadata in the order of the Go type, in which the API server writes them. Source: apimachinery 1.34 `pkg/apis/meta/v1/types.go`. */
export const METADATA_FIELDS = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const;

/** Metadata of an object that was read from the API: it has a name. */
export interface NamedMeta extends ObjectMeta {
  name: string;
}

/** Points from a child to the object that owns it; the garbage collector follows it. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  /** At most one owner is the controller. */
  controller?: boolean | undefined;
  blockOwnerDeletion?: boolean | undefined;
}

/** Which fields a manager owns: written by the API server under server-side apply. */
export interface ManagedFieldsEntry {
  manager?: string | undefined;
  operation?: 'Apply' | 'Update' | undefined;
  apiVersion?: string | undefined;
  time?: string | undefined;
  fieldsType?: string | undefined;
  fieldsV1?: Record<string, unknown> | undefined;
  subresource?: string | undefined;
}

/** The shape that all API objects share. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  metadata: ObjectMeta;
}

/** One observation about an object (`metav1.Condition`). */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number | undefined;
}

/** Key of a namespaced or cluster-scoped object. */
export interface ObjectKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}
