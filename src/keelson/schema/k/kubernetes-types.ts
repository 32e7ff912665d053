import {
  apiVersionOf,
  type Condition,
  isQuantity,
  type Json,
  type KindInfo,
  QUANTITY_PATTERN,
  type StructuralSchema,
} from '@keelson/kubernetes/apimachinery';
import { z } from 'zod';
import type { BuiltinTypes } from '../builtin-types.js';
import { isJson, markCheck, withCheck } from '../marks.js';
import { listMap } from './collections.js';
import { timestamp } from './strings.js';

const INT_OR_STRING: StructuralSchema = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };

/**
 * An amount with a unit: `500m`, `2Gi`, `3`. A whole number or a string; compare with CEL's `quantity()`.
 *
 * @example
 * ```ts
 * z.object({ memory: k.quantity().default('64Mi') });
 * ```
 */
export function quantity(): z.ZodUnion<readonly [z.ZodInt, z.ZodString]> {
  const text = z.string().refine(isQuantity, { error: "must be a quantity, for example '500m', '2Gi' or 3" });
  return withCheck(z.union([z.int(), text]), markCheck({ mark: 'schema', schema: { ...INT_OR_STRING, pattern: QUANTITY_PATTERN } }));
}

/**
 * A whole number of 32 bits or a string, as ports and percentages are: `80`, `'http'`, `'25%'`.
 *
 * @example
 * ```ts
 * z.object({ maxUnavailable: k.intOrString().default('25%') });
 * ```
 */
export function intOrString(): z.ZodUnion<readonly [z.ZodInt32, z.ZodString]> {
  const schema: StructuralSchema = { ...INT_OR_STRING, minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
  return withCheck(z.union([z.int32(), z.string()]), markCheck({ mark: 'schema', schema }));
}

/**
 * An object whose unknown fields the API server keeps.
 *
 * With a schema, its fields are described and the others are kept beside them. Objects below keep pruning unless they are marked too.
 *
 * @example
 * ```ts
 * z.object({ config: k.preserveUnknown(z.object({ logLevel: z.string().optional() })) });
 * ```
 */
export function preserveUnknown(): z.ZodRecord<z.ZodString, z.ZodUnknown>;
export function preserveUnknown<TSchema extends z.core.SomeType & { readonly _zod: { readonly output: object } }>(schema: TSchema): TSchema;
export function preserveUnknown(schema?: z.core.SomeType): z.core.SomeType {
  const mark = markCheck({ mark: 'preserveUnknown' });
  if (schema === undefined) return withCheck(z.record(z.string(), z.unknown()), mark);
  // zod strips what it does not know: a sample would lose the very fields that the server keeps.
  const { loose } = schema as { loose?: () => z.core.SomeType };
  return withCheck(loose === undefined ? schema : loose.call(schema), mark);
}

/**
 * Any JSON value except null (`x-kubernetes-preserve-unknown-fields` without a type).
 *
 * @example
 * ```ts
 * z.object({ values: k.json().optional() });
 * ```
 */
export function json(): z.ZodType<Exclude<Json, null>, Exclude<Json, null>> {
  const value = z.custom<Exclude<Json, null>>((input) => input !== null && isJson(input), {
    error: 'must be a JSON value other than null',
  });
  return withCheck(value, markCheck({ mark: 'schema', schema: { 'x-kubernetes-preserve-unknown-fields': true } }));
}

/** The value of {@link embedded} when no kind is named. */
export interface EmbeddedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly [field: string]: unknown;
}

/**
 * A whole Kubernetes object inside this one (`x-kubernetes-embedded-resource`): the API server checks its apiVersion, kind and metadata and keeps the rest.
 *
 * @example
 * ```ts
 * z.object({ template: k.embedded(Deployment) });
 * ```
 */
export function embedded(): z.ZodType<EmbeddedObject, EmbeddedObject>;
export function embedded<TObject>(kind: KindInfo<TObject>): z.ZodType<TObject, TObject>;
export function embedded(kind?: KindInfo): z.ZodType<unknown, unknown> {
  const apiVersion = kind && apiVersionOf(kind);
  const fits = (input: unknown) => {
    const { apiVersion: version, kind: name } = (input ?? {}) as Partial<EmbeddedObject>;
    return (
      isJson(input) &&
      typeof version === 'string' &&
      typeof name === 'string' &&
      (kind === undefined || (version === apiVersion && name === kind.kind))
    );
  };
  const value = z.custom<unknown>(fits, {
    error: kind ? `must be an object of ${apiVersion} ${kind.kind}` : 'must be an object with apiVersion and kind',
  });
  return withCheck(value, markCheck({ mark: 'schema', schema: embeddedSchema(apiVersion, kind?.kind) }));
}

function embeddedSchema(apiVersion: string | undefined, kind: string | undefined): StructuralSchema {
  const properties =
    apiVersion === undefined || kind === undefined
      ? undefined
      : ({
          apiVersion: { type: 'string', enum: [apiVersion] },
          kind: { type: 'string', enum: [kind] },
          metadata: { type: 'object' },
        } as const);
  return {
    type: 'object',
    ...(properties && { properties }),
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };
}

/**
 * A built-in type of Kubernetes with its whole schema: `k.builtin('PodTemplateSpec')`, `k.builtin('ResourceRequirements')`.
 *
 * The schema itself is looked up when the CRD is made. zod only sees that a value is there; the API server checks all of it.
 *
 * @param options - `open: true` takes values of enumerations that a newer Kubernetes adds; see {@link BuiltinOptions.open}
 * @throws SchemaError when the definition is made, if Kubernetes has no type of that name
 *
 * @example
 * ```ts
 * z.object({ resources: k.builtin('ResourceRequirements').optional() });
 * const spec = z.object({ template: k.builtin('PodTemplateSpec', { open: true }) });
 * ```
 */
export function builtin<TName extends keyof BuiltinTypes & string, TOpen extends boolean = false>(
  name: TName,
  options: BuiltinOptions<TOpen> = {},
): z.ZodType<BuiltinValue<TName, TOpen>, BuiltinValue<TName, TOpen>> {
  const value = z.custom<BuiltinValue<TName, TOpen>>((input) => input !== null && isJson(input), { error: `must be a ${name}` });
  return withCheck(value, markCheck({ mark: 'builtin', name, ...(options.open === true ? { open: true } : {}) }));
}

/** How {@link builtin} takes over a type. */
export interface BuiltinOptions<TOpen extends boolean = boolean> {
  /**
   * Whether enumerations take any text. An API server of a later version may know more values (Kubernetes 1.35 added the toleration operators `Gt` and
   * `Lt`); with `open`, the CRD accepts them, and the API server judges the value when the object that holds it is written. Fields that this version of the
   * type does not have are pruned either way.
   *
   * @defaultValue false: a misspelt value is refused when the custom resource is written, not when its children are
   */
  readonly open?: TOpen;
}

/** The value of {@link builtin}: the type itself, or with open enumerations. */
export type BuiltinValue<TName extends keyof BuiltinTypes, TOpen extends boolean = false> = TOpen extends true
  ? OpenEnums<BuiltinTypes[TName]>
  : BuiltinTypes[TName];

/**
 * A type whose enumerations take any text; the known words are still offered by editors. `apiVersion` and `kind` stay as they are.
 *
 * To pass such a value on to a child, assert the type that you checked it against: `template as PodTemplateSpec`.
 */
export type OpenEnums<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends object
    ? { [K in keyof T]: K extends 'apiVersion' | 'kind' ? T[K] : OpenEnums<T[K]> }
    : T;

/** `metav1.LabelSelector`. */
export interface LabelSelector {
  matchLabels?: Record<string, string> | undefined;
  matchExpressions?: { key: string; operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'; values?: string[] | undefined }[] | undefined;
}

/**
 * A label selector, one unit under server-side apply (`x-kubernetes-map-type: atomic`), as the built-in one is.
 *
 * @example
 * ```ts
 * z.object({ selector: k.labelSelector() });
 * ```
 */
export function labelSelector(): z.ZodType<LabelSelector, LabelSelector> {
  const expression = z.object({
    key: z.string(),
    operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
    values: withCheck(z.array(z.string()), markCheck({ mark: 'atomic' })).optional(),
  });
  const selector = z.object({
    matchLabels: z.record(z.string(), z.string()).optional(),
    matchExpressions: withCheck(z.array(expression), markCheck({ mark: 'atomic' })).optional(),
  });
  return withCheck(selector, markCheck({ mark: 'atomic' }));
}

const CONDITION_TYPE = /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/;
const CONDITION_REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/**
 * The `conditions` of a status: an optional list-map of `metav1.Condition` by type.
 *
 * Source of the limits: apimachinery, `pkg/apis/meta/v1/types.go`.
 *
 * @example
 * ```ts
 * const status = z.object({ ready: k.int32().optional(), conditions: k.conditions() });
 * ```
 */
export function conditions(): z.ZodOptional<z.ZodType<Condition[], Condition[]>> {
  const condition = z.object({
    type: z.string().max(316).regex(CONDITION_TYPE),
    status: z.enum(['True', 'False', 'Unknown']),
    reason: z.string().min(1).max(1024).regex(CONDITION_REASON),
    message: z.string().max(32768),
    lastTransitionTime: timestamp(),
    observedGeneration: z.int().min(0).optional(),
  });
  const list: z.ZodType<Condition[], Condition[]> = listMap(condition, 'type');
  return list.optional();
}

/**
 * A structural schema written by hand, for what has no other form: `k.structural<Color>({ type: 'string', pattern: '^#' })`.
 *
 * zod only sees that a value is there; the schema is checked like every other when the definition is made.
 *
 * @example
 * ```ts
 * z.object({ weight: k.structural<number>({ type: 'integer', minimum: 0 }) });
 * ```
 */
export function structural<T>(schema: StructuralSchema): z.ZodCustom<T, T> {
  const value = z.custom<T>((input) => isJson(input), { error: 'must be a JSON value' });
  return withCheck(value, markCheck({ mark: 'schema', schema }));
}
