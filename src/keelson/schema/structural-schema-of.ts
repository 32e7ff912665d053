import type { StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { SchemaProblem } from '@keelson/kubernetes/structural';
import { convertRoot, type EmbeddedType } from './convert/index.js';
import { SchemaError } from './schema-error.js';
import type { ZodLike } from './zod-internals.js';

export interface ConversionOptions {
  /** The name of the schema in problems, for example `spec`. */
  readonly path: string;
  /** Schema of a built-in type of Kubernetes by name, for `k.builtin`; `undefined` for a name that does not exist. */
  readonly resolveBuiltin: (name: string) => StructuralSchema | undefined;
}

export interface Conversion {
  readonly schema: StructuralSchema;
  readonly problems: readonly SchemaProblem[];
  readonly warnings: readonly SchemaProblem[];
  /** Where `k.builtin()` stands. */
  readonly builtinTypes: readonly EmbeddedType[];
  /** Whether the value may be absent: `.optional()` or a default. */
  readonly optional: boolean;
  /** Whether the schema is `k.immutable()`: an enclosing object must forbid the removal of an optional one. */
  readonly immutable: boolean;
}

/** Converts a zod schema and returns all problems instead of throwing. */
export function convertSchema(schema: ZodLike, options: ConversionOptions): Conversion {
  const converted = convertRoot(schema, options);
  return { ...converted, schema: converted.schema as StructuralSchema };
}

/**
 * The structural schema of a zod schema.
 *
 * @throws SchemaError naming every part that has no faithful translation, why, and what to write instead.
 */
export function structuralSchemaOf(schema: ZodLike, options: ConversionOptions): StructuralSchema {
  const { schema: converted, problems } = convertSchema(schema, options);
  if (problems.length > 0) throw new SchemaError(problems);
  return converted;
}
