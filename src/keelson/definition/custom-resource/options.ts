import type { DeepReadonly, NamedMeta, ObjectMeta, Scope, StructuralSchema, ValidationRule } from '@keelson/kubernetes/apimachinery';
import type { PrinterColumn, ScalePaths } from '../model.js';

/**
 * A zod schema as a type parameter sees it.
 *
 * No class of zod may stand in a parameter's type: with two zod versions in one program the compiler would compare them member by member, for minutes.
 */
export interface SchemaLike {
  readonly _zod: { readonly def: { readonly type: string }; readonly input: unknown; readonly output: unknown };
}

/**
 * A schema whose values are objects: `z.object`, `z.record` or a discriminated union of objects. Existing resources may have more, such as a default or what `k.structural()` says: new
 * ones are refused for that when the definition is made.
 */
export interface ObjectSchemaLike extends SchemaLike {
  readonly _zod: {
    readonly def: { readonly type: 'object' | 'union' | 'record' | 'custom' | 'nullable' | 'default' | 'prefault' };
    readonly input: unknown;
    readonly output: unknown;
  };
}

/** A schema whose values are objects, which may be absent: `.optional()`, `.default()` or `.prefault()`. */
export interface SpecSchemaLike extends SchemaLike {
  readonly _zod: {
    readonly def: { readonly type: 'object' | 'union' | 'record' | 'custom' | 'nullable' | 'optional' | 'default' | 'prefault' };
    readonly input: unknown;
    readonly output: unknown;
  };
}

/** A `z.object`. */
export interface FieldsSchemaLike extends SchemaLike {
  readonly _zod: { readonly def: { readonly type: 'object' }; readonly input: object; readonly output: object };
}

/** Options of one version of a custom resource. */
export interface VersionOptions {
  /** The desired state. Needed unless there are `fields`; `.optional()` for kinds whose stored objects may lack it. */
  readonly spec?: SpecSchemaLike;
  /** Declares what the controller writes; it switches the status subresource on. */
  readonly status?: ObjectSchemaLike;
  /**
   * Whether the status is written through a subresource of its own. `false` for CRDs that never had one: users may write the status then, and `done()` takes none.
   * @defaultValue `true` with a status schema: the status of existing objects would be dropped from their updates when this changes
   */
  readonly statusSubresource?: boolean;
  /** Fields beside spec and status, as ConfigMaps have them: `z.object({ data: z.record(z.string(), z.string()) })`. */
  readonly fields?: FieldsSchemaLike;
  /**
   * Whether the API server offers this version.
   * @defaultValue `true`
   */
  readonly served?: boolean;
  /**
   * Whether objects are stored in this version; exactly one is.
   * @defaultValue `true` for the only version
   */
  readonly storage?: boolean;
  /** `true`, or the warning that clients get; the API server writes one itself if the text is absent. */
  readonly deprecated?: boolean | string;
  /** Shown by `kubectl explain`. */
  readonly description?: string;
  /** Columns of `kubectl get`. */
  readonly columns?: readonly PrinterColumn[];
  /** Makes `kubectl scale` and the HorizontalPodAutoscaler work. */
  readonly scale?: ScalePaths;
  /** At most eight paths that field selectors may use, for example `.spec.nodeName`. */
  readonly selectableFields?: readonly string[];
  /** CEL rules on the whole object: `self.metadata.name`, `self.spec` and `self.status` are in reach. */
  readonly rules?: readonly ValidationRule[];
  /**
   * Keywords of the schema that no other option can say, word for word, from the root: `{ properties: { metadata: { properties: { name: { maxLength: 40 } } } } }`. They are merged
   * into the schema of the other options, and cannot change what that says.
   */
  readonly structural?: StructuralSchema;
}

export interface CustomResourceOptions<TGroup extends string, TKind extends string, TScope extends Scope> {
  /** A domain that you own, for example `cache.example.com`. */
  readonly group: TGroup;
  /** In CamelCase and singular, for example `Memcached`. */
  readonly kind: TKind;
  /** @defaultValue the plural of `kind` by English rules, in lower case */
  readonly plural?: string;
  /** @defaultValue `kind` in lower case */
  readonly singular?: string;
  /** @defaultValue `kind` followed by `List` */
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  /** Groups of kinds that kubectl knows by one word, for example `all`. */
  readonly categories?: readonly string[];
  /** @defaultValue `'Namespaced'`: most objects belong to a team, and namespaced rights are the smaller ones */
  readonly scope?: TScope;
  /** Labels of the CRD itself. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Annotations of the CRD itself. */
  readonly annotations?: Readonly<Record<string, string>>;
  /**
   * `'drop'` leaves the descriptions out of the CRD: client-side `kubectl apply` fails above 256 KiB.
   * @defaultValue `'keep'`: `kubectl explain` shows them
   */
  readonly descriptions?: 'keep' | 'drop';
  /**
   * `true` for a CustomResourceDefinition that clusters have already, and that is taken as it is: of the rules for definitions only those of the API server remain. Columns may
   * show nothing, the status may have defaults, the kind may be in lower case, versions may differ without `convert`.
   * @defaultValue `false`: a new definition is refused for what is almost always a mistake
   */
  readonly existing?: boolean;
}

type VersionMap = Readonly<Record<string, VersionOptions>>;

/** Inference into `const TVersions` switches the check for unknown properties off; this one says it in a sentence. */
export type KnownKeys<TVersions extends VersionMap> = {
  readonly [V in keyof TVersions]: {
    readonly [P in Exclude<keyof TVersions[V], keyof VersionOptions>]: `'${P & string}' is not a property of a version`;
  };
};

type Marked<TVersions extends VersionMap> = {
  [V in keyof TVersions]: TVersions[V] extends { readonly storage: true } ? V : never;
}[keyof TVersions];

type IsUnion<T, TAll = T> = [T] extends [never] ? false : T extends unknown ? ([TAll] extends [T] ? false : true) : never;

/** The version that objects are stored in: the only one, or the one that is marked. */
export type StorageOf<TVersions extends VersionMap> = ([Marked<TVersions>] extends [never] ? keyof TVersions : Marked<TVersions>) & string;

export type OneStorage<TVersions extends VersionMap> =
  IsUnion<StorageOf<TVersions>> extends true
    ? [Marked<TVersions>] extends [never]
      ? { readonly 'one version must have storage: true': never }
      : { readonly 'only one version can have storage: true': never }
    : unknown;

/** The metadata that a conversion may change: the API server refuses everything else. */
export interface ConvertedMeta extends Readonly<Partial<Record<Exclude<keyof ObjectMeta, 'labels' | 'annotations'>, never>>> {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

type ReadSide<TVersion extends VersionOptions> = {
  readonly metadata: NamedMeta;
  readonly spec: DeepReadonly<NonNullable<TVersion['spec']>['_zod']['output']>;
  readonly status?: DeepReadonly<NonNullable<TVersion['status']>['_zod']['output']> | undefined;
} & (TVersion extends { readonly fields: { readonly _zod: { readonly output: infer T } } } ? DeepReadonly<T> : unknown);

/** The plain type beside the readonly one: with the latter alone the literals that a conversion returns would be widened to strings. */
type WriteSide<TVersion extends VersionOptions> = {
  /** Left out: labels and annotations stay. */
  readonly metadata?: ConvertedMeta | undefined;
  readonly spec: NonNullable<TVersion['spec']>['_zod']['input'] | DeepReadonly<NonNullable<TVersion['spec']>['_zod']['input']>;
  readonly status?:
    | NonNullable<TVersion['status']>['_zod']['input']
    | DeepReadonly<NonNullable<TVersion['status']>['_zod']['input']>
    | undefined;
} & (TVersion extends { readonly fields: { readonly _zod: { readonly input: infer T } } } ? T | DeepReadonly<T> : unknown);

type FieldsBelow<TName extends string, T> = T extends unknown ? `${TName}.${keyof T & string}` : never;
type PartFields<TVersion extends VersionOptions> =
  | FieldsBelow<'spec', NonNullable<NonNullable<TVersion['spec']>['_zod']['input']>>
  | FieldsBelow<'status', NonNullable<NonNullable<TVersion['status']>['_zod']['input']>>
  | (TVersion extends { readonly fields: { readonly _zod: { readonly input: infer T } } } ? keyof T & string : never);

/** Reasons by path. The compiler knows the first two names of a path, `defineCustomResource` checks the rest. */
type LossyFields<TVersion extends VersionOptions> = {
  readonly [P in PartFields<TVersion> | `${PartFields<TVersion>}${'.' | '['}${string}`]?: string;
};

/** For each version but the storage version, both ways; pure functions. */
export type Conversions<TVersions extends VersionMap> = {
  readonly [V in Exclude<keyof TVersions, StorageOf<TVersions>>]: {
    toStorage(object: ReadSide<TVersions[V]>): WriteSide<TVersions[StorageOf<TVersions>]>;
    fromStorage(object: ReadSide<TVersions[StorageOf<TVersions>]>): WriteSide<TVersions[V]>;
    /**
     * Fields that do not survive a round trip, with the reason: under `toStorage` those of this version, under `fromStorage` those of the stored one. A path means
     * all below it; items of lists are `spec.hosts[].port`.
     * @defaultValue none: `defineOperator` refuses a conversion that loses a field
     */
    readonly lossy?: {
      readonly toStorage?: LossyFields<TVersions[V]>;
      readonly fromStorage?: LossyFields<TVersions[StorageOf<TVersions>]>;
    };
    /**
     * Objects of this version that `defineOperator` tries the functions with, beside those that it makes up from the schema.
     * @defaultValue none; needed where the schema has patterns or rules that nothing made up fits
     */
    readonly samples?: readonly WriteSide<TVersions[V]>[];
  };
};
