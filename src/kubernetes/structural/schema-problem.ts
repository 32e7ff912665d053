/** One mistake of a schema: where it is, and in one sentence what was found, why it is refused and what to write instead. */
export interface SchemaProblem {
  /** `spec.when`, `spec.list[].name`, `spec.map.*`. */
  readonly path: string;
  readonly message: string;
}
