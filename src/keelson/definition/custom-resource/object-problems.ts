import { fieldErrorText, type Json, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { applyDefaults, createValidator, prune, type Validator } from '@keelson/kubernetes/structural';
import type { CustomResourceVersionModel, ScalePaths } from '../model.js';

/** The rules for objects of one version. */
export interface JudgedVersion {
  readonly name: string;
  readonly schema: StructuralSchema;
  readonly scale?: ScalePaths | undefined;
}

/**
 * The API server's objections to a new object: unknown fields (kubectl asks for strict ones), values that the schema does not allow, CEL rules. In the
 * server's own words. Patterns and rules are compiled for the first object.
 */
export function problemsOfObjects({ name, schema, scale }: JudgedVersion): NonNullable<CustomResourceVersionModel['problemsOf']> {
  let validator: Validator | undefined;
  return (object) => {
    validator ??= createValidator(schema);
    const unknown: string[] = [];
    const pruned = prune(schema, object, {
      isResourceRoot: true,
      onUnknownField: (path) => unknown.push(`${path}: ${kindOf(object)} ${name} has no such field; correct its name or leave it out`),
    });
    const errors = validator.validate(applyDefaults(schema, pruned), { scale });
    return [...unknown, ...errors.filter(({ field, message }) => !(field === '<nil>' && message.includes(UNCHECKED))).map(fieldErrorText)];
  };
}

/** The server adds this line to every other error of an object whose schema has rules: true, and no news. */
const UNCHECKED = 'some validation rules were not checked';

const kindOf = (object: Json): string => String((object as { readonly kind?: Json } | null)?.kind ?? 'the object');
