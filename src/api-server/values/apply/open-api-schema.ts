import type { Json } from '@keelson/kubernetes/apimachinery';

/** The part of an OpenAPI schema that counts for ownership. A structural schema of a CRD has this form; an entry of the server's own documents too. */
export interface OpenApiSchema {
  /** The last segment names the definition. */
  readonly $ref?: string;
  /** Counts where it has one element with a `$ref`: the way that documents write a reference beside other keywords. */
  readonly allOf?: readonly OpenApiSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly default?: Json;
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: OpenApiSchema };
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly items?: OpenApiSchema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  /** Only in documents of built-in types, and older than list types. */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

/** Finds the schema that a `$ref` names. */
export type Definitions = (name: string) => OpenApiSchema | undefined;

export function referenceOf({ $ref, allOf }: OpenApiSchema): string | undefined {
  const path = $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined);
  return path?.slice(path.lastIndexOf('/') + 1);
}
