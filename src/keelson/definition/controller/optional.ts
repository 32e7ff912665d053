/** The part of a handle that a kind with `optional: true` has besides. */
export interface OptionalHandle {
  /**
   * Whether the API server serves the kind. While it does not, reads are empty, and a write is an error that names the CustomResourceDefinition. When it changes,
   * all objects of the controller are reconciled.
   */
  readonly isServed: boolean;
}

/** The mark of a declaration with `optional: true`. */
export type MarkedOptional<TOptional> = true extends TOptional ? { readonly optional: true } : unknown;

/** The handle of a declaration. Not `THandle & unknown` for all others: compilers would show what stands behind the name of the handle's type. */
export type ServedHandle<TDeclared, THandle> = TDeclared extends { readonly optional: true } ? THandle & OptionalHandle : THandle;

/** The field of a model, which other declarations lack. */
export function optionalMark({ optional }: { readonly optional?: boolean | undefined }): { readonly optional?: true } {
  return optional === true ? { optional } : {};
}
