import type { Served } from './catalog.js';
import type { JsonObject } from './draft.js';
import type { RequestContext } from './request-context.js';

/** A write as admission sees it (`admission.Attributes`), at the version of the request. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly served: Served;
  /** `''` of the object itself. */
  readonly subresource: string;
  /** Kind of the body where a subresource has its own (Scale, Eviction …). */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** `''` of a cluster-scoped object; of a Namespace its own name. */
  readonly namespace: string;
  /** `''` of a create with generateName. */
  readonly name: string;
  /** Undefined on DELETE. */
  readonly object?: JsonObject;
  /** On UPDATE and DELETE. */
  readonly oldObject?: JsonObject;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of `meta.k8s.io/v1`; null of a connection. */
  readonly options: JsonObject | null;
  readonly context: RequestContext;
}

/** Says whether a write may be made, and may change it before. */
export interface Admission {
  /** @returns the object to go on with: the given one, or a new one, decoded and defaulted again. @throws StatusError to refuse. */
  mutate(request: AdmissionRequest): Promise<JsonObject | undefined>;
  /** @throws StatusError to refuse. */
  validate(request: AdmissionRequest): Promise<void>;
}
