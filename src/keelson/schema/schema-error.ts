import { OperatorError } from '@keelson/kubernetes/apimachinery';
import type { SchemaProblem } from '@keelson/kubernetes/structural';

/** A schema that no API server would take, or that it would understand otherwise than its author. Lists every problem found. */
export class SchemaError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_SCHEMA_INVALID';
  readonly problems: readonly SchemaProblem[];

  constructor(problems: readonly SchemaProblem[], options?: ErrorOptions) {
    super(messageOf(problems), options);
    this.problems = problems;
  }
}

function messageOf(problems: readonly SchemaProblem[]): string {
  const lines = problems.map(({ path, message }) => `${path}: ${message}`);
  return lines.length === 1 ? (lines[0] ?? '') : `${lines.length} problems in the schema\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
