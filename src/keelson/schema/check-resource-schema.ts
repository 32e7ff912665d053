import type { FieldError, StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { type CheckOptions, checkAs, type SchemaProblem } from '@keelson/kubernetes/structural';
import { authorPath } from './author-path.js';
import { AUTHOR_WORDING } from './author-wording.js';

/** `checkStructural` in the author's terms: paths of fields (`spec.list[].name`) instead of paths in the schema. */
export function checkResourceSchema(schema: StructuralSchema, options: Omit<CheckOptions, 'path'> = {}): readonly SchemaProblem[] {
  return checkAs(schema, { ...options, path: '' }, { wording: AUTHOR_WORDING, rulesNeedDefaults: false, libraries: 'portable' }).map(
    problemOf,
  );
}

function problemOf({ field, message }: FieldError): SchemaProblem {
  const { path, keyword } = authorPath(field);
  // The path is reported already, and inside a default the server counts from the default's own root.
  const words = message.replace(/: \S* ?in body /, ': ');
  return { path, message: keyword === '' ? words : `${keyword}: ${words}` };
}
