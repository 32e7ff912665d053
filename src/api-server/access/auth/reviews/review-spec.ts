import type { ObjectMeta } from '@keelson/kubernetes/apimachinery';

/** Specs of `authorization.k8s.io/v1`, decoded. Absent and null fields are empty. */
export interface ResourceAttributesSpec {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: SelectorSpec | null;
  readonly labelSelector?: SelectorSpec | null;
}

export interface SelectorSpec {
  readonly rawSelector?: string;
  readonly requirements?: readonly SelectorRequirement[] | null;
}

export interface SelectorRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[] | null;
}

export interface PathAttributesSpec {
  readonly path?: string;
  readonly verb?: string;
}

export interface SelfAccessSpec {
  readonly resourceAttributes?: ResourceAttributesSpec | null;
  readonly nonResourceAttributes?: PathAttributesSpec | null;
}

export interface AccessSpec extends SelfAccessSpec {
  readonly user?: string;
  readonly groups?: readonly string[] | null;
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[] | null>> | null;
}

/** An object that a client posts in order to get its status back: never stored. */
export interface Review<TSpec> {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: TSpec;
}

/** A review that is answered: the object to send back, with 201. */
export type AnsweredReview = Readonly<Record<string, unknown>>;
