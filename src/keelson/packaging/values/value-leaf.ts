import type { Json } from '@keelson/kubernetes/apimachinery';

/** A JSON schema as `z.toJSONSchema` writes it, as far as it is read here. */
export interface JsonSchema {
  readonly type?: string | readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly additionalProperties?: boolean | JsonSchema | undefined;
  readonly items?: JsonSchema | undefined;
  readonly enum?: readonly Json[] | undefined;
  readonly const?: Json | undefined;
  readonly default?: Json | undefined;
  readonly description?: string | undefined;
  readonly examples?: readonly Json[] | undefined;
  readonly [keyword: string]: unknown;
}

/**
 * How a value is carried into a template: `choice` has few values that are known, `text` and the numbers stand for themselves, a `list` and a `map`
 * are written as they are given.
 */
export type LeafType = 'choice' | 'text' | 'integer' | 'number' | 'list' | 'map';

/** One value that an installation may set: a line of `values.yaml`. */
export interface ValueLeaf {
  /** `['image', 'repository']` */
  readonly path: readonly string[];
  /** `image.repository` */
  readonly name: string;
  readonly type: LeafType;
  readonly byDefault: Json;
  /** Values of a `choice`. */
  readonly options: readonly Json[];
  readonly schema: JsonSchema;
}
