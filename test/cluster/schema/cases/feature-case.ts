import type { Json, StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';

/** One line of a refusal, as the API server's Status carries it: reason, field, message. */
export type Cause = readonly [reason: string, field: string, message: string];

/**
 * One feature of the structural schema. Its schema stands under `spec.<name of the case>` of a custom resource, beside the other cases of its file.
 *
 * All texts and stored values are what kube-apiserver answers.
 */
export interface FeatureCase {
  readonly schema: StructuralSchema;
  /** Refused, for exactly these causes in any order. */
  readonly invalid?: readonly { readonly value: Json; readonly causes: readonly Cause[] }[];
  /**
   * Taken; `stored` where the value read back differs: pruned, defaulted. `decoded`: the difference is not the schema's doing, the server has read
   * embedded metadata into its own type and written it again (apiextensions-apiserver, `objectmeta.Coerce`).
   */
  readonly valid?: readonly { readonly value: Json; readonly stored?: Json; readonly decoded?: true }[];
  /** Changes of a stored value; what is left out is absent. No causes: the change is taken. */
  readonly updates?: readonly { readonly old?: Json; readonly value?: Json; readonly causes: readonly Cause[] }[];
}

export type FeatureCases = Readonly<Record<string, FeatureCase>>;
