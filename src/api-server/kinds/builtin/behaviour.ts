import type { FieldError } from '@keelson/kubernetes/apimachinery';
import type { Authorizer } from '../../access/index.js';
import type {
  ClusterView,
  DeleteRequest,
  FieldLabels,
  RequestContext,
  ResourceCatalog,
  ScalePaths,
  TableConvertor,
} from '../../contract/index.js';

/** The questions that the behaviours of built-in kinds may ask of their server. */
export interface Surroundings {
  readonly cluster: ClusterView;
  /** IPv4 range of which Services get their addresses, for example `10.0.0.0/24`. */
  readonly serviceRange: string;
  /** Whether endpoints may be loopback addresses. Default false, as on a real server. */
  readonly hasLoopbackPods?: boolean;
  /** Asked where a write needs the right to read something else. Default: every user may read everything. */
  readonly authorizer?: Authorizer;
  /** Default: no kind is known by its name. */
  readonly catalog?: ResourceCatalog;
}

/** Makes the behaviour of a kind, at the first request for it. */
export type BehaviourMaker = (surroundings: Surroundings) => Behaviour<object>;

/** By group and plural: `apps/deployments`, and `/pods` for the core group. */
export type BehaviourMakers = Readonly<Record<string, BehaviourMaker>>;

/**
 * The server's treatment of one built-in kind beyond decoding: defaults, what clients may not set, validation, deletion. A kind without behaviour is
 * decoded, stored and given back.
 *
 * Objects are in Go's normal form at the storage version (`T` is the interface of `keelson/kinds`). `set…` and `prepare…` change them in place; `old` is
 * frozen. Sources: kubernetes `pkg/apis/<group>/<version>/defaults.go`, `pkg/registry/<group>/<kind>/strategy.go`, `pkg/apis/<group>/validation`.
 */
export interface Behaviour<T> {
  setDefaults?(object: T): void;

  prepareForCreate?(object: T, context: RequestContext): void;
  validate?(object: T, context: RequestContext): readonly FieldError[];
  warningsOnCreate?(object: T): readonly string[];

  prepareForUpdate?(object: T, old: T, context: RequestContext): void;
  validateUpdate?(object: T, old: T, context: RequestContext): readonly FieldError[];
  warningsOnUpdate?(object: T, old: T): readonly string[];

  /** For `/status`; the registry keeps spec and metadata (but for managed fields, labels and annotations as the kind has it). */
  prepareForStatusUpdate?(object: T, old: T, context: RequestContext): void;
  validateStatusUpdate?(object: T, old: T, context: RequestContext): readonly FieldError[];

  /** Subresources that are an update of the object under rules of their own, by name (`finalize`, `approval`); all must be in `VARIANTS` of `builtin-resource`. */
  readonly variants?: Readonly<Record<string, Variant<T>>>;
  /** Its update is also held to the metadata's rules of a create (see `Strategy.revalidatesMetadata`). Default false. */
  readonly revalidatesMetadata?: boolean;

  readonly scale?: ScalePaths;
  readonly fieldLabels?: FieldLabels;
  readonly table?: TableConvertor;
  /** Default: DNS subdomain. */
  nameProblems?(name: string, isPrefix: boolean): readonly string[];
  /** Default false. */
  readonly allowsCreateOnUpdate?: boolean;
  /** Default true. */
  readonly allowsUnconditionalUpdate?: boolean;

  /** Refuses, or warns. @throws StatusError */
  checkDelete?(object: T, context: RequestContext, request: DeleteRequest): void;
  gracePeriodSeconds?(object: T, request: DeleteRequest): number | undefined;
  readonly defaultPropagation?: 'Background' | 'Orphan' | 'Unsupported';
  /** See `Strategy.terminate`: the first DELETE only marks the object. */
  terminate?(object: T, request: DeleteRequest, context: RequestContext): void;
  readonly returnsDeleted?: boolean;
  mayBeRemoved?(object: T): boolean;
  /** Paths that each endpoint resets and therefore does not track: `''`, `status` and variants, dotted (`status`, `spec.containers`). Default: `status` of the object itself, `spec` of its status. */
  readonly resetFields?: Readonly<Record<string, readonly string[]>>;
}

/** The rules of a subresource that is an update of the object. */
export interface Variant<T> {
  prepareForUpdate(object: T, old: T, context: RequestContext): void;
  validateUpdate?(object: T, old: T, context: RequestContext): readonly FieldError[];
  warningsOnUpdate?(object: T, old: T): readonly string[];
}
