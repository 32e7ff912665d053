import type { FieldError, StructuralSchema } from '../kubernetes/index.js';
import { boundWarnings, type CheckOptions, checkAs, type SchemaProblem, type VisitedNode } from '../structural/index.js';
import { AUTHOR_WORDING } from './author-wording.js';

export interface CheckResult {
  readonly problems: readonly SchemaProblem[];
  /** What the API server might refuse or a careful author should know. */
  readonly warnings: readonly SchemaProblem[];
}

/** `checkStructural` in the author's terms: paths of fields (`spec.list[].name`) instead of paths in the schema. */
export function checkResourceSchema(schema: StructuralSchema, options: Omit<CheckOptions, 'path'> = {}): CheckResult {
  const warnings: SchemaProblem[] = [];
  const visit = (node: VisitedNode) => {
    warnings.push(...boundWarnings(node).map(({ field, message }) => ({ path: authorPath(field).path, message })));
  };
  const errors = checkAs(schema, { ...options, path: '' }, { wording: AUTHOR_WORDING, rulesNeedDefaults: false, visit });
  return { problems: errors.map(problemOf), warnings };
}

function problemOf({ field, message }: FieldError): SchemaProblem {
  const { path, keyword } = authorPath(field);
  // The path is told already, and inside a default the server counts from the default's own root.
  const words = message.replace(/: \S* ?in body /, ': ');
  return { path, message: keyword === '' ? words : `${keyword}: ${words}` };
}

const STEP = /^\.(?:properties\[([^\]]*)\]|(items)|(additionalProperties))/;

/** `.properties[spec].properties[list].items.default` → `spec.list[]` and `default`. */
function authorPath(field: string): { readonly path: string; readonly keyword: string } {
  let rest = field;
  let path = '';
  for (let match = STEP.exec(rest); match !== null; match = STEP.exec(rest)) {
    const [text, property, items] = match;
    if (property !== undefined) path += path === '' ? property : `.${property}`;
    else path += items === undefined ? '.*' : '[]';
    rest = rest.slice(text.length);
  }
  return { path: path === '' ? 'the schema' : path, keyword: rest.replace(/^\./, '') };
}
